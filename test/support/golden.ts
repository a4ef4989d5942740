import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationFinder } from './open-api.js';

const FOLDER = new URL('../contract/golden/', import.meta.url);
const UPDATE = process.env.UPDATE_GOLDEN === '1';

/**
 * Compares a value with its golden file, test/contract/golden/<name>: what changed there was
 * meant, and is reviewed as a diff.
 */
export function expectGolden(name: string, value: unknown): void {
  const file = new URL(name, FOLDER);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (UPDATE) writeFileSync(file, text);
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  if (text === golden) return;
  try {
    expect(JSON.parse(text)).toEqual(JSON.parse(golden));
  } catch (error) {
    throw new Error(`${advice(name)}\n\n${(error as Error).message}`);
  }
  throw new Error(`${advice(name)} (only the order differs)`);
}

/** The same for a file of plain text. */
export function expectGoldenText(name: string, text: string): void {
  const file = new URL(name, FOLDER);
  if (UPDATE) writeFileSync(file, text);
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === known) return;
  try {
    expect(text.split('\n')).toEqual(known.split('\n'));
  } catch (error) {
    throw new Error(`${advice(name)}\n\n${(error as Error).message}`);
  }
}

/** What a golden file of plain text holds. */
export const goldenText = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

/** The statements in the golden files, with their labels. */
export const goldenStatements = (): { label: string; text: string }[] =>
  readdirSync(new URL('statements/', FOLDER))
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => goldenText(`statements/${name}`).split(/^-- /m).slice(1))
    .map((entry) => {
      const [label = '', ...lines] = entry.trim().replace(/;$/, '').split('\n');
      return { label, text: lines.join('\n') };
    });

/** What a golden file holds. */
export const golden = <Value>(name: string): Value =>
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Value;

type Methods = Record<string, Described>;
interface Described {
  operationId: string;
  summary: string;
  description: string;
  parameters: { name?: string }[];
}

const LONG_FORM = '/teams/{team_slug}/workspaces/{workspace_slug}';
const PLACE = [
  { name: 'team_slug', description: 'Slug of the team.', example: 'acme' },
  { name: 'workspace_slug', description: 'Slug of the workspace.', example: 'handbook' },
].map((parameter) => ({ ...parameter, in: 'path', required: true, schema: { type: 'string' } }));

/**
 * The OpenAPI document with what the golden file leaves out: the long form of each operation on collections, which is
 * its short form with the workspace in the path. It has no examples of errors.
 */
export function goldenDocument<Document extends { paths: object }>(): Document {
  const document = golden<{ paths: Record<string, Methods> }>('openapi.json');
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    if (!path.startsWith('/collections')) return [[path, methods]];
    const long = Object.entries(methods).map(([method, operation]) => [
      method,
      longForm(`${method.toUpperCase()} ${path}`, operation),
    ]);
    return [
      [path, methods],
      [`${LONG_FORM}${path}`, Object.fromEntries(long)],
    ];
  });
  return { ...document, paths: Object.fromEntries(paths) } as unknown as Document;
}

const longForm = (short: string, operation: Described) => ({
  ...operation,
  operationId: `${operation.operationId}InWorkspace`,
  tags: ['collections by path'],
  summary: `${operation.summary} (workspace in the path)`,
  description: `The long form of \`${short}\`.\n\n${operation.description}`,
  parameters: [
    ...PLACE,
    ...operation.parameters.filter(({ name }) => PLACE.every((at) => at.name !== name)),
  ],
});

/**
 * Finds the id of a request's operation in the golden document; null: there is none. A long form is its
 * short form.
 */
export function operationIdFinder(): (method: string, path: string) => string | null {
  type Paths = Record<string, Record<string, { operationId: string }>>;
  const find = operationFinder(golden<{ paths: Paths }>('openapi.json').paths);
  return (method, path) =>
    find(method, path.replace(/^\/teams\/[^/]+\/workspaces\/[^/]+(?=\/collections)/, ''))?.operation
      .operationId ?? null;
}

const advice = (name: string): string =>
  `${relative('.', fileURLToPath(new URL(name, FOLDER)))} is not what the code says. If the change is meant: UPDATE_GOLDEN=1 npm test -- test/contract, and look at the diff.`;
