import { ERROR_CODES, type ErrorCode } from '../../../src/errors/domain-error.js';
import { ERROR_MESSAGES } from '../../../src/openapi/error-messages.js';
import { groupOf, kindOf, partsOf } from '../../support/error-kinds.js';
import { operationIdFinder } from '../../support/golden.js';
import type { Heard } from './world.js';

const HEAD = `// biome-ignore-all format: written by a test, UPDATE_GOLDEN=1 npm test -- test/contract/messages
import type { ErrorCode } from '../errors/domain-error.js';

/** Messages by code. */
type Messages = Partial<Record<ErrorCode, readonly string[]>>;

interface RecordedErrors {
  /** What every operation may return, and one message of each code. */
  shared: Messages;
  /** What every operation may return that takes an Idempotency-Key. */
  keyed: Messages;
  /** What else operations have returned: the ids of the operations of each message, by code. */
  operations: Partial<Record<ErrorCode, Readonly<Record<string, readonly string[]>>>>;
}

/** Error messages that requests have caused in test/contract/messages: one of each kind. */
export const RECORDED_ERRORS: RecordedErrors = `;

/** A message as an example: what differs between runs is what examples of the document have. */
const asExample = (message: string): string =>
  message
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30')
    .replace(
      /more than \d+ requests in a minute: try again in \d+/,
      'more than 1200 requests in a minute: try again in 7',
    )
    .replace(/(\.children\[0\]){2,}/, '.children[0]');

/** The messages of one place by their kind, of each the shortest. */
type Kinds = Map<string, string>;

/** The source of `src/openapi/recorded-errors.ts`: of what was heard, one message of each kind at each operation. */
export function recordOf(heard: readonly Heard[]): string {
  const find = operationIdFinder();
  const shared: Kinds = new Map();
  const keyed: Kinds = new Map();
  const operations = new Map<string, Kinds>();
  for (const { code, message, head } of heard) {
    const id = head && find(head.method, head.path);
    for (const part of partsOf(asExample(message))) {
      const kind = kindOf(code, part);
      if (kind === undefined) throw new Error(`the page of errors does not explain: ${part}`);
      const group = groupOf(code, kind);
      if (ERROR_MESSAGES[code as ErrorCode][0]?.[0] === kind) keep(shared, kind, part);
      if (group === 'shared') keep(shared, kind, part);
      else if (group === 'keyed') keep(keyed, kind, part);
      else if (id) keep(kindsAt(operations, id), kind, part);
    }
  }
  const record = {
    shared: byCode(shared),
    keyed: byCode(keyed),
    operations: operationsByMessage(operations),
  };
  // The ids of a message are on its line.
  const text = JSON.stringify(record, null, 2).replace(ID_LISTS, (list) =>
    JSON.stringify(JSON.parse(list)).replaceAll(',', ', '),
  );
  return `${HEAD}${text};\n`;
}

const ID_LISTS = /(?<=: )\[\s+"\w+"(,\s+"\w+")*\s+\]/g;

function kindsAt(operations: Map<string, Kinds>, id: string): Kinds {
  const kinds = operations.get(id) ?? new Map<string, string>();
  operations.set(id, kinds);
  return kinds;
}

function keep(kinds: Kinds, kind: string, message: string): void {
  const known = kinds.get(kind);
  if (known === undefined || isBetter(message, known)) kinds.set(kind, message);
}

const isBetter = (message: string, known: string): boolean =>
  message.length === known.length ? message < known : message.length < known.length;

/** In the order of the page of errors. */
const byCode = (kinds: Kinds) =>
  onPage((code) => {
    const messages = ERROR_MESSAGES[code].flatMap(([kind]) => kinds.get(kind) ?? []);
    return messages.length > 0 ? messages : null;
  });

/** As byCode(), with the ids of each message; those and the messages of a kind in alphabetical order. */
const operationsByMessage = (operations: ReadonlyMap<string, Kinds>) =>
  onPage((code) => {
    const idsOf: Record<string, string[]> = {};
    for (const [kind] of ERROR_MESSAGES[code]) {
      const heardAt = [...operations].flatMap(([id, kinds]) => {
        const message = kinds.get(kind);
        return message === undefined ? [] : [{ message, id }];
      });
      for (const { message, id } of heardAt.sort(byMessage)) {
        idsOf[message] = [...(idsOf[message] ?? []), id];
      }
    }
    return Object.keys(idsOf).length > 0 ? idsOf : null;
  });

const byMessage = (
  a: { message: string; id: string },
  b: { message: string; id: string },
): number => compare(a.message, b.message) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** What there is of each code. */
const onPage = <Part>(of: (code: ErrorCode) => Part | null): Partial<Record<ErrorCode, Part>> =>
  Object.fromEntries(
    ERROR_CODES.map((code) => [code, of(code)]).filter(([, part]) => part !== null),
  );
