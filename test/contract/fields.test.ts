import { type Field, type Fields, jsonOf, text } from '../../src/database/fields.js';
import { serializerOf } from '../../src/http/record.wire.js';
import { TEAM } from '../../src/teams/team.fields.js';
import { WORKSPACE } from '../../src/workspaces/workspace.fields.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

/** A record with its table of fields, its table of the database, and its schemas of the OpenAPI document. */
interface RecordPlaces {
  fields: Fields;
  table: string;
  response: string;
  create: string;
  update: string;
  /** Settings that a request does not have: `<request>.<field>`. */
  not: string[];
}

const RECORDS: RecordPlaces[] = [
  places(WORKSPACE, 'workspaces', 'Workspace', ['CreateWorkspaceRequest.slug']),
  places(TEAM, 'teams', 'Team', ['CreateTeamRequest.logo', 'UpdateTeamRequest.logo']),
];

function places(fields: Fields, table: string, name: string, not: string[]): RecordPlaces {
  const [create, update] = [`Create${name}Request`, `Update${name}Request`];
  return { fields, table, response: name, create, update, not };
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  example?: object;
}

const at = scene();
let schemas: Record<string, Schema>;
beforeAll(async () => {
  ({ schemas } = (await at.with(null).get('/openapi.json')).body.components);
});

const schemaOf = ({ $ref, ...own }: Schema = {}): Schema =>
  $ref === undefined ? own : { ...schemas[$ref.replace('#/components/schemas/', '')], ...own };

const allowsNull = ({ type = [], anyOf = [], oneOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || [...anyOf, ...oneOf].some(allowsNull);

/** `absent`, or whether the property may be null. */
const inSchema = ({ properties = {} }: Schema, name: string): string => {
  const property = properties[name];
  if (!property) return 'absent';
  return allowsNull(property) ? 'null or a value' : 'a value';
};

const expected = (isNullable: boolean): string => (isNullable ? 'null or a value' : 'a value');

const settingsOf = (fields: Fields): [string, Field][] =>
  Object.entries(fields).filter(([, { isSetting }]) => isSetting);

describe.each(RECORDS)('the fields of $response', ({ fields, table, response, ...record }) => {
  test('have columns of their type', async () => {
    const columns = await columnsOfTable(table);
    // A field that is read by more than its column need not have one.
    const own = Object.entries(fields).filter(([, { read }]) => read === undefined);
    const found = own.map(([name]) => [name, columns.get(columnOf(name))]);
    const wanted = own.map(([name, { kind }]) => [
      name,
      { column: columnOf(name), type: kind.type, isNullable: kind.isNullable },
    ]);
    expect(found).toEqual(wanted);
  });

  test.each(['create', 'update'] as const)(
    'that are settings are in the request to %s it',
    (to) => {
      const settings = settingsOf(fields).filter(
        ([name]) => !record.not.includes(`${record[to]}.${name}`),
      );
      expect(settings.length).toBeGreaterThan(0);
      const found = settings.map(([name]) => [name, inSchema(schemaOf(schemas[record[to]]), name)]);
      const wanted = settings.map(([name, { kind }]) => [name, expected(kind.isNullable)]);
      expect(found).toEqual(wanted);
    },
  );

  test('are in its response, and those that are always there in its example', () => {
    const { properties = {}, required = [], example = {} } = schemaOf(schemas[response]);
    const members = Object.values(fields).flatMap((field) =>
      (field.wire ?? []).map((path) => ({ ...field, path })),
    );
    const found = members.map(({ path }) => {
      const [name = '', inner] = path.split('.');
      const value = inner
        ? inSchema(schemaOf(properties[name]), inner)
        : inSchema({ properties }, name);
      return [path, value, required.includes(name), name in example];
    });
    // The texts of inner objects are never null.
    const wanted = members.map(({ path, kind, isAbsentIfNull = false }) => [
      path,
      expected(kind.isNullable && !isAbsentIfNull && !path.includes('.')),
      !isAbsentIfNull,
      !isAbsentIfNull || path in example,
    ]);
    expect(found).toEqual(wanted);
  });

  test.each(['all values', 'null where it may be'])(
    'are the same JSON from PostgreSQL and from here: %s',
    async (which) => {
      const columns = await columnsOfTable(table);
      const row = Object.fromEntries(
        [...columns.values()].map(({ column, type }) => [column, VALUES[type]]),
      );
      const values: Record<string, unknown> = {};
      for (const [name, { kind }] of Object.entries(fields)) {
        const isNull = which !== 'all values' && kind.isNullable;
        const value = isNull ? null : kind.json === text.json ? TEXT : VALUES[kind.type];
        row[columnOf(name)] = value;
        values[name] = kind.type === 'timestamptz' && value ? new Date(`${value}`) : value;
      }
      // A row of this type that no constraint has seen.
      const statement = `SELECT ${jsonOf(fields, 'r')} || '}' AS json FROM json_populate_record(NULL::${table}, $1) r`;
      const [read] = await sql<{ json: string }>(at.databaseUrl, statement, [row]);
      expect(read?.json).toBe(JSON.stringify(serializerOf(fields)(values)));
    },
  );
});

/** What JSON escapes, what format() would replace, and what is more than one UTF-16 unit. */
const TEXT = '"%s" \\ \n\t %1$s 🚀 é null';

/** A value of each type; that of `text` is a word. */
const VALUES: Record<string, unknown> = {
  uuid: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c20',
  text: 'a-word',
  int: 7,
  timestamptz: '2026-01-01T00:00:00.070Z',
};

const columnOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of a table by name, with their type as fields.ts calls it. */
async function columnsOfTable(table: string) {
  const columns = await sql<{ column: string; type: string; isNullable: boolean }>(
    at.databaseUrl,
    `SELECT column_name AS column, regexp_replace(udt_name, '^int[48]$', 'int') AS type,
       is_nullable = 'YES' AS "isNullable"
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
    [table],
  );
  return new Map(columns.map((column) => [column.column, column]));
}
