import type { Named as Statement } from '@teamspaces/pg-lanes/statements';
import { jsonTime } from './time.js';

// A record is written once: its table of fields (workspace.fields.ts and its kin) says of each field what it is called
// in code, in SQL and on the wire, and whether it is a setting. The columns of statements, the type of rows, the
// responses, the audit log and ETags come from it: see docs/adding-a-field.md.

/** A type of values: how PostgreSQL stores one, and writes it as JSON. */
export interface Kind<Value> {
  type: 'uuid' | 'text' | 'int' | 'timestamptz' | 'json';
  /** SQL for the JSON text of a value that is not null, and what stands before and after it. */
  json(sql: string): [before: string, sql: string, after: string];
  isNullable: boolean;
  readonly value?: Value;
}

const quoted: Kind<string>['json'] = (sql) => ['"', sql, '"'];

export const id: Kind<string> = { type: 'uuid', json: quoted, isNullable: false };
/** Text of letters, digits and hyphens, which JSON need not escape: a slug. */
export const word: Kind<string> = { type: 'text', json: quoted, isNullable: false };
/** One of these words. */
export const oneOf = <const Value extends string>(_values: readonly Value[]): Kind<Value> =>
  word as Kind<Value>;
export const text: Kind<string> = {
  type: 'text',
  json: (sql) => ['', `to_json(${sql})`, ''],
  isNullable: false,
};
export const integer: Kind<number> = {
  type: 'int',
  json: (sql) => ['', sql, ''],
  isNullable: false,
};
export const time: Kind<Date> = {
  type: 'timestamptz',
  json: (sql) => ['', jsonTime(sql), 'Z"'],
  isNullable: false,
};
/** JSON as text. */
export const json: Kind<string> = { type: 'json', json: (sql) => ['', sql, ''], isNullable: false };
export const nullable = <Value>(kind: Kind<Value>): Kind<Value | null> => ({
  ...(kind as Kind<Value | null>),
  isNullable: true,
});

/** A field of a record. Its column has its name, in snake_case. */
export interface Field {
  kind: Kind<unknown>;
  /** Its members of a response, such as `name` and `meta.title`. None: it is not shown. */
  wire?: readonly string[];
  /** The member is absent if the value is null; not for the first member of a response or of an object in it. */
  isAbsentIfNull?: true;
  /** An update can change it: the audit log tells what it was, and `If-Match` compares it. */
  isSetting?: true;
  /** SQL that reads it, if that is more than its column. @param of the row */
  read?(of: string): string;
}

/** The fields of a record by name. Their order is that of responses. */
export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> =
  | NonNullable<F['kind']['value']>
  | (null extends F['kind']['value'] ? null : never);

/** A record as it is read: all of its fields. */
export type RecordOf<F extends Fields> = { -readonly [K in keyof F]: ValueOf<F[K]> };

/** The names of the fields that an update can change. */
export type SettingOf<F extends Fields> = {
  [K in keyof F]: F[K] extends { isSetting: true } ? K : never;
}[keyof F];

const namesOf = <F extends Fields>(fields: F) => Object.keys(fields) as (keyof F & string)[];

export const columnOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const read = (fields: Fields, name: string, of: string): string =>
  fields[name]?.read?.(of) ?? `${of}.${columnOf(name)}`;

/** A part of a record's table of fields. */
export function pick<F extends Fields, K extends keyof F>(fields: F, ...names: K[]): Pick<F, K> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, K>;
}

/** The other part. */
export function omit<F extends Fields, K extends keyof F>(fields: F, ...names: K[]): Omit<F, K> {
  const others = namesOf(fields).filter((name) => !names.some((omitted) => omitted === name));
  return Object.fromEntries(others.map((name) => [name, fields[name]])) as Omit<F, K>;
}

/** SQL of what a statement reads: columns of a SELECT, and the type of their row. */
export type Columns<Row> = string & { readonly [ROW]: Row };
declare const ROW: unique symbol;

/** Columns that no table of fields has: what their row is stands beside them. */
export const sql = <Row>(columns: string): Columns<Row> => columns as Columns<Row>;

/** The columns of a record's fields under their names. @param of the row */
export const columnsOf = <F extends Fields>(fields: F, of: string): Columns<RecordOf<F>> =>
  sql(
    namesOf(fields)
      .map((name) => {
        const column = read(fields, name, of);
        return column === `${of}.${name}` ? column : `${column} AS "${name}"`;
      })
      .join(', '),
  );

/** Columns one after the other. */
export const join = <A, B>(some: Columns<A>, more: Columns<B>): Columns<A & B> =>
  sql(`${some}, ${more}`);

/** A statement that returns these columns. */
export const selecting = <Row>(
  columns: Columns<Row>,
  statement: (columns: string) => Statement,
): Statement<Row> => statement(columns);

/** A record as JSON: times are text. */
export type AsJson<Row> = {
  [K in keyof Row]: Date extends Row[K] ? Exclude<Row[K], Date> | string : Row[K];
};

/** Makes times of the texts of a record that comes as JSON. */
export function parseTimes<F extends Fields>(fields: F, record: AsJson<RecordOf<F>>): RecordOf<F> {
  const values: Record<string, unknown> = record;
  for (const name in fields) {
    if (fields[name]?.kind.type !== 'timestamptz') continue;
    const value = values[name];
    if (typeof value === 'string') values[name] = new Date(value);
  }
  return values as RecordOf<F>;
}

/** A row that a statement returns. */
export type RowOf<S> = S extends Statement<infer Row> ? Row : never;

/** INSERT of a record: parameters from $1 on, as valuesOf() has them. */
export const insertInto = (table: string, fields: Fields): string => {
  const columns = namesOf(fields).map(columnOf);
  const parameters = columns.map((_, n) => `$${n + 1}`);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')})`;
};

export const valuesOf = <F extends Fields>(fields: F, record: RecordOf<F>): unknown[] =>
  namesOf(fields).map((name) => record[name]);

/** SQL of what is written to columns, by the names of their fields. */
export type Written<F extends Fields> = { readonly [K in keyof F]?: string };

/** INSERT of what a SELECT finds: the columns `of` a row of the same fields, but for what is written otherwise. */
export const insertFrom = <F extends Fields>(
  table: string,
  fields: F,
  of: string,
  written: Written<F>,
): string => {
  const names = namesOf(fields);
  const values = names.map((name) => written[name] ?? `${of}.${columnOf(name)}`);
  return `INSERT INTO ${table} (${names.map(columnOf).join(', ')})
    SELECT ${values.join(', ')}`;
};

/** SET of what is written. */
export const set = <F extends Fields>(written: Written<F>): string =>
  Object.entries(written)
    .map(([name, value]) => `${columnOf(name)} = ${value}`)
    .join(', ');

/** FROM of rows whose fields are arrays: parameters from $`first` on, as arraysOf() has them. */
export const unnested = (fields: Fields, first: number, as: string): string => {
  const arrays = namesOf(fields).map((name, n) => `$${first + n}::${fields[name]?.kind.type}[]`);
  return `unnest(${arrays.join(', ')}) AS ${as} (${namesOf(fields).map(columnOf).join(', ')})`;
};

/**
 * An array for each of these fields. Those of ids and words are text: node-postgres looks for quotes and backslashes in
 * each value, which takes longer than all else that is done for a long order.
 */
export const arraysOf = <F extends Fields>(
  fields: F,
  rows: readonly { readonly [K in keyof F]?: ValueOf<F[K]> | null | undefined }[],
): unknown[] =>
  namesOf(fields).map((name) => {
    const isPlain = fields[name]?.kind.json === quoted;
    if (!isPlain) return rows.map((row) => row[name]);
    return `{${rows.map((row) => (row[name] == null ? 'NULL' : `"${row[name]}"`)).join(',')}}`;
  });

/** The settings of a record, in one order. */
export const settingNames = <F extends Fields>(fields: F): SettingOf<F>[] =>
  namesOf(fields).filter((name) => fields[name]?.isSetting) as unknown as SettingOf<F>[];

/** SET of the settings of a record: parameters from $`first` on, as settingValuesOf() has them. */
export const setSettings = (fields: Fields, first: number): string =>
  settingNames(fields)
    .map((name, n) => `${columnOf(name)} = $${first + n}`)
    .join(', ');

export const settingValuesOf = <F extends Fields>(fields: F, record: RecordOf<F>): unknown[] =>
  settingNames(fields).map((name) => record[name]);

/** The settings alone. */
export function settingsIn<F extends Fields>(
  fields: F,
  record: Pick<RecordOf<F>, SettingOf<F>>,
): Pick<RecordOf<F>, SettingOf<F>> {
  const settings: Partial<typeof record> = {};
  for (const name of settingNames(fields)) settings[name] = record[name];
  return settings as typeof record;
}

/** The settings of a record, and its id: what its ETag has of what an update can change. */
export const settingsWithId = <F extends Fields>(fields: F, record: RecordOf<F>): object => ({
  id: record.id,
  ...settingsIn(fields, record),
});

/** The changes that a request names: those that are absent stay. */
export const given = <Changes extends object>(changes: Changes): Named<Changes> =>
  Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Named<Changes>;
type Named<Changes> = { [Name in keyof Changes]: Exclude<Changes[Name], undefined> };

/** The settings in which two states of a record differ. */
export const changedSettings = <F extends Fields>(
  fields: F,
  before: Pick<RecordOf<F>, SettingOf<F>>,
  after: Pick<RecordOf<F>, SettingOf<F>>,
): SettingOf<F>[] => settingNames(fields).filter((name) => before[name] !== after[name]);

/** A member of a response: a field, or an object of several. */
export type Member = { name: string; field: string } | { name: string; members: Member[] };

/** The members of a record's response, an object at the place of its last member. */
export function membersOf(fields: Fields): Member[] {
  const members: Member[] = [];
  const places = namesOf(fields).flatMap((field) =>
    (fields[field]?.wire ?? []).map((path) => ({ field, path })),
  );
  for (const { field, path } of places) {
    const [name, inner] = path.split('.') as [string, string?];
    if (inner === undefined) {
      members.push({ name, field });
      continue;
    }
    const index = members.findIndex((member) => member.name === name);
    const [object] = index < 0 ? [] : members.splice(index, 1);
    const known = object && 'members' in object ? object.members : [];
    members.push({ name, members: [...known, { name: inner, field }] });
  }
  return members;
}

/**
 * SQL for the JSON of a record as its response has it, up to the closing brace: of many records, PostgreSQL writes it
 * in a fifth of the time. A test compares both.
 * @param of the row
 */
export function jsonOf(fields: Fields, of: string): string {
  const values: string[] = [];
  const place = (sql: string): string => {
    const known = values.indexOf(sql);
    return `%${known < 0 ? values.push(sql) : known + 1}$s`;
  };
  const write = (members: Member[], isInner: boolean): string[] =>
    members.map((member) => {
      if ('members' in member) return `"${member.name}":{${write(member.members, true).join(',')}}`;
      const { name, field } = member;
      const { kind, isAbsentIfNull } = fields[field] as Field;
      const [before, sql, after] = kind.json(read(fields, field, of));
      if (isAbsentIfNull) return place(`',"${name}":${before}' || ${sql} || '${after}'`);
      if (!kind.isNullable) return `"${name}":${before}${place(sql)}${after}`;
      const none = isInner ? '""' : 'null';
      return `"${name}":${place(`coalesce('${before}' || ${sql} || '${after}', '${none}')`)}`;
    });
  const text = write(membersOf(fields), false).join(',').replaceAll(',%', '%');
  return `format('{${text}', ${values.join(', ')})`;
}
