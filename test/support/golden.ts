import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLongForms } from '../../bin/whole-document.js';
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

/** The OpenAPI document with its long forms; the golden file has neither these nor examples of errors. */
export const goldenDocument = <Document extends { paths: object }>(): Document =>
  withLongForms(golden<Document>('openapi.json'));

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
