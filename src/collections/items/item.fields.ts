import {
  type Fields,
  id,
  integer,
  json,
  nullable,
  omit,
  oneOf,
  type RecordOf,
  type SettingOf,
  text,
  time,
  word,
} from '../../database/fields.js';

/** `item` is a page. */
export const OBJECTS = ['collection', 'item'] as const;

/**
 * SQL for updated_by, written_by or written_since of a row of `collections`: null if the version before authors were
 * recorded has written it since.
 */
export const ofAuthor = (of: string, column: string): string =>
  `CASE WHEN ${of}.author_version = ${of}.version THEN ${of}.${column} END`;

/**
 * SQL for written_by or written_since of a row whose content was saved (PUT or patch); null: it was not, or the version
 * before saves were told apart has written it since.
 */
export const ofSave = (of: string, column: string): string =>
  `CASE WHEN ${of}.saved_version = ${of}.version THEN ${of}.${column} END`;

/** SQL for the title of a row: its name, if it has no other one, or if 0.2.0 has changed the name since. */
const titleOf = (of: string): string =>
  `CASE WHEN ${of}.titled_name = ${of}.name THEN ${of}.title ELSE ${of}.name END`;

/** What is written of a row with a title, which may be the name. */
export const writtenTitle = (of: string) => ({
  title: `nullif(${of}.title, ${of}.name)`,
  titledName: `CASE WHEN ${of}.title <> ${of}.name THEN ${of}.name END`,
});

/**
 * An item without its content, written once: see database/fields.ts. The tree's writer gives each field the value of
 * the row, in an update that of a setting alone; the trash, restores, copies and transfers leave it as it is. What is
 * otherwise stands in their statements.
 */
export const ITEM_FIELDS = {
  id: { kind: id, wire: ['id'] },
  name: { kind: text, wire: ['name'], isSetting: true },
  /** What people see: the name, or a longer one. */
  title: { kind: text, wire: ['meta.title'], isSetting: true, read: titleOf },
  object: { kind: oneOf(OBJECTS), wire: ['object'] },
  /** null: top level. */
  parentId: { kind: nullable(id), wire: ['parent'], isAbsentIfNull: true },
  /** What the program calls it that it comes from; unique in the workspace; null: none. */
  key: { kind: nullable(text), wire: ['key'], isAbsentIfNull: true, isSetting: true },
  teamId: { kind: id, wire: ['team'] },
  workspaceId: { kind: id, wire: ['workspace'] },
  slug: { kind: word, wire: ['meta.slug'] },
  createdAt: { kind: time, wire: ['createdAt'] },
  updatedAt: { kind: time, wire: ['updatedAt'] },
  /** Ids of those who made it, and who changed it last; null: not known. */
  createdBy: { kind: nullable(id), wire: ['createdBy'] },
  updatedBy: {
    kind: nullable(id),
    wire: ['updatedBy'],
    read: (of: string) => ofAuthor(of, 'updated_by'),
  },
  /** Its place among its siblings. */
  position: { kind: word },
  /** Grows with every change of the row. */
  version: { kind: integer },
} as const satisfies Fields;

/** A row of `collections`: see schema.prisma for what belongs to a version. */
export const STORED_FIELDS = {
  ...ITEM_FIELDS,
  /** null: it is the name. */
  title: { ...ITEM_FIELDS.title, kind: nullable(text) },
  /** The name that the title was given with; null: the title is the name. */
  titledName: { kind: nullable(text) },
  content: { kind: nullable(json) },
  contentDigest: { kind: nullable(text) },
  writtenBy: { kind: nullable(id) },
  writtenSince: { kind: nullable(time) },
  authorVersion: { kind: nullable(integer) },
  savedVersion: { kind: nullable(integer) },
} as const satisfies Fields;

/** What is kept of a row that leaves its place: what is true of its version alone is lost with it. */
export const KEPT_FIELDS = omit(STORED_FIELDS, 'contentDigest', 'savedVersion');

/** A row of `trash_items`; the workspace is that of its deletion. */
export const TRASHED_FIELDS = { ...omit(KEPT_FIELDS, 'workspaceId'), deletionId: { kind: id } };

/** Who saved the content, and since when; null: nobody did, or unknown. */
export const SAVE_FIELDS = {
  savedBy: { kind: nullable(id), read: (of: string) => ofSave(of, 'written_by') },
  savedSince: { kind: nullable(time), read: (of: string) => ofSave(of, 'written_since') },
} as const satisfies Fields;

/** What the tree's writer reads of an item, but for its team and its content. */
export const ROW_FIELDS = { ...omit(ITEM_FIELDS, 'teamId'), ...SAVE_FIELDS };

export type ItemFields = RecordOf<typeof ITEM_FIELDS>;

/** What an update can change, beside the place and the content. */
export type ItemSettings = Pick<ItemFields, SettingOf<typeof ITEM_FIELDS>>;
