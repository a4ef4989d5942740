import { ACCESS_LEVELS, VISIBILITIES } from '../access/roles.js';
import {
  type Fields,
  id,
  integer,
  nullable,
  oneOf,
  type RecordOf,
  text,
  time,
  word,
} from '../database/fields.js';

/** A workspace, written once: see database/fields.ts. */
export const WORKSPACE = {
  id: { kind: id, wire: ['_id'] },
  teamId: { kind: id },
  slug: { kind: word, wire: ['meta.slug'], isSetting: true },
  name: { kind: text, wire: ['name', 'meta.title'], isSetting: true },
  description: { kind: text, wire: ['description', 'meta.description'], isSetting: true },
  visibility: { kind: oneOf(VISIBILITIES), wire: ['Visibility'], isSetting: true },
  /** What members without a role of their own may do with the content. */
  defaultAccess: { kind: oneOf(ACCESS_LEVELS), wire: ['defaultAccess'], isSetting: true },
  /** Since then its content can only be read; null: it is not archived. */
  archivedAt: { kind: nullable(time), wire: ['archivedAt'] },
  /** Since then it is in the trash of its team; null: it is not. */
  deletedAt: { kind: nullable(time) },
  /** A random name of the present state of its tree: it changes with every change of the tree. */
  treeStamp: { kind: id, wire: ['version'] },
  /** How often positions were rebalanced: it ends the list cursors made before. */
  rebalances: { kind: integer },
  createdAt: { kind: time, wire: ['createdAt'] },
  updatedAt: { kind: time, wire: ['updatedAt'] },
} as const satisfies Fields;

export type WorkspaceFields = RecordOf<typeof WORKSPACE>;
