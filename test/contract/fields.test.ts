import { ITEM_FIELDS } from '../../src/collections/items/item.fields.js';
import { columnOf, type Fields, jsonOf, type RecordOf, text } from '../../src/database/fields.js';
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
  /** Settings that null in a request gives another value. */
  defaulting: string[];
  /** Members that the contract does not require in a response, although they are always shown. */
  optional: string[];
}

const RECORDS: RecordPlaces[] = [
  places(WORKSPACE, 'workspaces', 'Workspace', ['CreateWorkspaceRequest.slug']),
  places(TEAM, 'teams', 'Team', ['CreateTeamRequest.logo', 'UpdateTeamRequest.logo']),
  {
    ...places(ITEM_FIELDS, 'collections', 'Collection', []),
    ...{ defaulting: ['title'], optional: ['object', 'createdBy', 'updatedBy'] },
  },
];

function places(fields: Fields, table: string, name: string, not: string[]): RecordPlaces {
  const [create, update] = [`Create${name}Request`, `Update${name}Request`];
  return { fields, table, response: name, create, update, not, defaulting: [], optional: [] };
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

const orNull = (isNullable: boolean): string => (isNullable ? 'a value or null' : 'a value');

const described = (property: Schema | undefined): string =>
  property ? orNull(allowsNull(property)) : 'absent';

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
      const settings = Object.entries(fields).filter(
        ([name, { isSetting }]) => isSetting && !record.not.includes(`${record[to]}.${name}`),
      );
      expect(settings.length).toBeGreaterThan(0);
      const { properties } = schemaOf(schemas[record[to]]);
      const found = settings.map(([name]) => [name, described(properties?.[name])]);
      // A new record need not take null, which is as absent.
      const missing = found.filter(([, what]) => what === 'absent');
      expect(missing).toEqual([]);
      if (to === 'create') return;
      const wanted = settings.map(([name, { kind }]) => [
        ...[name, orNull(kind.isNullable || record.defaulting.includes(name))],
      ]);
      expect(found).toEqual(wanted);
    },
  );

  const members = Object.values(fields).flatMap(({ wire = [], kind, isAbsentIfNull = false }) =>
    // The texts of inner objects are never null.
    wire.map((path) => {
      const [name = '', inner] = path.split('.');
      const isNullable = kind.isNullable && !isAbsentIfNull && inner === undefined;
      return { path, name, inner, isNullable, isAbsentIfNull };
    }),
  );

  test('that are shown are in its response', () => {
    const { properties = {}, required = [] } = schemaOf(schemas[response]);
    const found = members.map(({ path, name, inner }) => {
      const member = schemaOf(properties[name]);
      const isRequired = required.includes(name);
      return [path, described(inner ? member.properties?.[inner] : properties[name]), isRequired];
    });
    const wanted = members.map(({ path, isNullable, isAbsentIfNull }) => [
      ...[path, orNull(isNullable), !isAbsentIfNull && !record.optional.includes(path)],
    ]);
    expect(found).toEqual(wanted);
  });

  test('that are always shown are in its example', () => {
    const { example = {} } = schemaOf(schemas[response]);
    const always = members.filter(({ isAbsentIfNull }) => !isAbsentIfNull);
    expect(always.filter(({ name }) => !(name in example))).toEqual([]);
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
      expect(read?.json).toBe(JSON.stringify(serializerOf(fields)(values as RecordOf<Fields>, {})));
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
