import { ERROR_CODES, type ErrorCode } from '../../../src/errors/domain-error.js';
import { ERROR_MESSAGES } from '../../../src/openapi/error-messages.js';
import { groupOf, kindOf, partsOf } from '../../support/error-kinds.js';
import { operationIdFinder } from '../../support/golden.js';
import type { Heard } from './world.js';

const HEAD = `// biome-ignore-all format: written by a test, UPDATE_GOLDEN=1 npm test -- test/contract/messages
import type { ErrorCode } from '../errors/domain-error.js';

type Messages = Partial<Record<ErrorCode, readonly string[]>>;

interface RecordedErrors {
  /** What every operation may return, and one message of each code. */
  shared: Messages;
  /** What every operation may return that takes an Idempotency-Key. */
  keyed: Messages;
  /** What else each operation has returned, by its id. */
  operations: Record<string, Messages>;
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
  const places = new Map<string, Kinds>();
  for (const { code, message, head } of heard) {
    const id = head && find(head.method, head.path);
    for (const part of partsOf(asExample(message))) {
      const kind = kindOf(code, part);
      if (kind === undefined) throw new Error(`the page of errors does not explain: ${part}`);
      const group = groupOf(code, kind);
      if (ERROR_MESSAGES[code as ErrorCode][0]?.[0] === kind) keep(places, 'shared', kind, part);
      if (group !== 'operations') keep(places, group, kind, part);
      else if (id) keep(places, `operations ${id}`, kind, part);
    }
  }
  const ids = [...places.keys()].filter((place) => place.startsWith('operations ')).sort();
  const record = {
    shared: inOrder(places.get('shared')),
    keyed: inOrder(places.get('keyed')),
    operations: Object.fromEntries(
      ids.map((place) => [place.replace('operations ', ''), inOrder(places.get(place))]),
    ),
  };
  return `${HEAD}${JSON.stringify(record, null, 2)};\n`;
}

function keep(places: Map<string, Kinds>, place: string, kind: string, message: string): void {
  const kinds = places.get(place) ?? new Map<string, string>();
  places.set(place, kinds);
  const known = kinds.get(kind);
  if (known === undefined || isBetter(message, known)) kinds.set(kind, message);
}

const isBetter = (message: string, known: string): boolean =>
  message.length === known.length ? message < known : message.length < known.length;

/** By code, in the order of the page of errors. */
const inOrder = (kinds: Kinds = new Map()) =>
  Object.fromEntries(
    ERROR_CODES.flatMap((code) => {
      const messages = ERROR_MESSAGES[code].flatMap(([kind]) => kinds.get(kind) ?? []);
      return messages.length > 0 ? [[code, messages]] : [];
    }),
  );
