import { PLANS } from '../config/plan-limits.js';
import {
  type Fields,
  id,
  nullable,
  oneOf,
  type RecordOf,
  text,
  time,
  word,
} from '../database/fields.js';

/** A team, written once: see database/fields.ts. */
export const TEAM = {
  id: { kind: id, wire: ['_id'] },
  slug: { kind: word, wire: ['meta.slug'], isSetting: true },
  name: { kind: text, wire: ['name', 'meta.title'], isSetting: true },
  description: { kind: nullable(text), wire: ['description', 'meta.description'], isSetting: true },
  /** Address of a picture; no operation sets it. */
  logo: { kind: nullable(text), wire: ['logo'], isSetting: true },
  plan: { kind: oneOf(PLANS), wire: ['plan'] },
  /** Empty for those who may not see it: see asSeenBy(). */
  inviteCode: { kind: word, wire: ['inviteCode'] },
  billingCycleStart: { kind: time },
  createdAt: { kind: time, wire: ['createdAt'] },
  updatedAt: { kind: time, wire: ['updatedAt'] },
} as const satisfies Fields;

export type TeamFields = RecordOf<typeof TEAM>;
