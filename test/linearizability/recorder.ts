import { Agent } from 'node:http';
import { send } from '../operate/load.js';
import type { Sent } from '../support/tree-model/command.js';
import {
  type Body,
  requestOf,
  shownIn,
  shownItem,
  type TeamOfTrees,
} from '../support/tree-model/requests.js';
import { Tree } from '../support/tree-model/tree.js';
import type { History, Operation } from './history.js';
import { Knowledge } from './knowledge.js';
import { Names } from './names.js';

/** What became of a request. */
export type Fate = 'responded' | 'unknown' | 'nothing happened';

interface Recorded extends Omit<Operation, 'command'> {
  command: Sent;
  /** The body of a 200. */
  body?: unknown;
}

type Sending = Awaited<ReturnType<typeof send>>;

/** Of a write whose commit was not confirmed. Any other 500 says that nothing has happened… */
const UNKNOWN = /outcome of this change is unknown/;
/** …but of those whose response is read after their commit, when the service may fail, too. */
const READ_LATER: Sent['kind'][] = ['update'];

/** What responds with a message, or with the workspace. */
const SHOW_NO_ITEM: Sent['kind'][] = [
  ...(['move', 'order', 'delete', 'deleteWorkspace', 'restoreWorkspace'] as const),
];

/** Sends the commands of a history's clients to several instances, and records what happens. */
export class Recorder {
  readonly know: Knowledge;
  private readonly recorded: Recorded[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  /** Counts starts and ends of operations: the clock of this history. */
  private clock = 0;
  /** Of unknown outcome so far, by their keys. */
  private readonly unknownCopies = new Map<string, Sent>();

  /**
   * @param urlOf the address of an instance, as it is now
   * @param team its workspaces are empty
   */
  constructor(
    private readonly urlOf: (instance: number) => string,
    private readonly authorization: string,
    private readonly team: TeamOfTrees,
  ) {
    this.know = new Knowledge(team);
  }

  async run(client: number, instance: number, command: Sent): Promise<Fate> {
    const { method, path, body, headers } = requestOf(command, this.team);
    const shot = {
      method,
      path,
      headers: {
        authorization: this.authorization,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const start = ++this.clock;
    const sent = await send(this.urlOf(instance), shot, this.agent).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    const end = ++this.clock;
    const operation: Recorded = { client, instance, command, start, end, response: null };
    const fate = fateOf(command, sent);
    if (fate === 'unknown') this.recorded.push({ ...operation, end: Number.POSITIVE_INFINITY });
    if (fate === 'responded') this.recordResponse(operation, sent as Sending);
    if (command.kind === 'duplicate' && command.idempotencyKey) {
      if (fate === 'unknown') this.unknownCopies.set(command.idempotencyKey, command);
      if (operation.response?.status === 200) this.unknownCopies.delete(command.idempotencyKey);
    }
    return fate;
  }

  /** Operations that have begun or ended so far. */
  get progress(): number {
    return this.clock;
  }

  /** Copies to be repeated under their keys: only the response tells the ids of all that they hold. */
  get copiesToRepeat(): Sent[] {
    return [...this.unknownCopies.values()];
  }

  /** All that was recorded, in the words of the model. */
  history(): History {
    const names = new Names(this.know);
    const operations = this.recorded.flatMap(({ body, command: sent, ...rest }): Operation[] => {
      const operation: Operation = { ...rest, command: names.command(sent) };
      const { response } = operation;
      if (body === undefined || response === null) return [operation];
      const shown = shownIn(body, sent, names);
      const own = { ...operation, response: { ...response, shown } };
      const children = sent.kind === 'update' ? (body as Body).children : undefined;
      if (children === undefined) return [own];
      const item = shownItem(body as Body, names, { single: true });
      const read: Operation = {
        ...operation,
        command: { kind: 'children', id: item.id },
        response: { status: 200, shown: item.children },
      };
      return [own, read];
    });
    return { initial: Tree.of([...this.team.workspaces.keys()]), operations };
  }

  /** Closes the clients' connections. */
  close(): void {
    this.agent.destroy();
  }

  private recordResponse(operation: Recorded, { response, text }: Sending) {
    const { command } = operation;
    const status = response.statusCode ?? 0;
    const { etag } = response.headers;
    operation.response = { status, ...(etag && { etag }) };
    this.recorded.push(operation);
    if (status !== 200) return;
    operation.body = JSON.parse(text);
    if (SHOW_NO_ITEM.includes(command.kind)) return;
    const items = [operation.body].flat() as Body[];
    this.know.learn(items);
    const [first] = items;
    if (command.kind === 'duplicate' && first) this.know.learnCopy(command.name as string, first);
    if (command.kind === 'list') {
      this.know.learnChildren(command.parent ?? command.workspace, items);
    }
    this.learnEtag(command, items, etag);
  }

  private learnEtag(command: Sent, [first]: Body[], etag: string | undefined): void {
    if (!etag) return;
    if (command.kind === 'list') {
      // With content it is another ETag.
      const isPlain = !command.withContent && !command.parent;
      if (isPlain) this.know.etags.set(command.workspace, etag);
    } else if (first && !(command.kind === 'read' && command.withAncestors)) {
      this.know.etags.set(first.id, etag);
    }
  }
}

function fateOf({ kind }: Sent, sent: Sending | NodeJS.ErrnoException): Fate {
  const isWrite = kind !== 'list' && kind !== 'read';
  if (!('response' in sent)) {
    return isWrite && sent.code !== 'ECONNREFUSED' ? 'unknown' : 'nothing happened';
  }
  const { statusCode, headers } = sent.response;
  if (statusCode === 500) {
    const mayHaveHappened = UNKNOWN.test(sent.text) || READ_LATER.includes(kind);
    return isWrite && mayHaveHappened ? 'unknown' : 'nothing happened';
  }
  // Another request is at work under the same key.
  return statusCode === 409 && headers['retry-after'] ? 'nothing happened' : 'responded';
}
