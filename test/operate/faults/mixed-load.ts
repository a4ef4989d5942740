import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { somebody, tokenOf } from '../../support/app.js';
import type { ItemBody } from '../../support/builders.js';
import { everyItem } from '../../support/tree.js';
import { send } from '../load.js';

export type Kind =
  | ('tree' | 'read' | 'create' | 'move' | 'save')
  | ('copy' | 'transfer' | 'invite');

/** A request and what became of it. */
export interface Asked {
  kind: Kind;
  /**
   * What it was to write: the name of a page or of a copy, a parent, a workspace, a number in a page's
   * content, an email.
   */
  wrote: string;
  /** The item that it was about, or that it made. */
  id: string;
  key: string | null;
  /** What was copied. */
  of?: string;
  workspace: string;
  start: number;
  took: number;
  /** null: the connection broke before the response was whole. */
  status: number | null;
  text: string;
}

/**
 * A client's own page, which nobody else writes, and the two collections that it moves between; and a
 * collection that is transferred to another workspace and back, and copied.
 */
interface Own {
  workspace: string;
  page: string;
  shelves: [string, string];
  folder: string;
  /** The folder and all below it. */
  folderIds: string[];
  /** The other workspace. */
  away: string;
}

/** A folder with all below it, as a batch makes it. */
export const FOLDER = {
  name: 'Folder',
  object: 'collection',
  children: [
    { name: 'Inner', object: 'collection', children: [{ name: 'First', object: 'item' }] },
    { name: 'Second', object: 'item' },
  ],
};

const CLIENTS = 12;
const WORKSPACES = 3;
/** Milliseconds between two requests of a client, at most. */
const PAUSE = 20;
/** A person may send 200 mails a day. */
const MOST_INVITES = 150;
const KINDS: [Kind, number][] = [
  ['tree', 0.32],
  ['read', 0.16],
  ['create', 0.2],
  ['move', 0.1],
  ['save', 0.1],
  ['copy', 0.02],
  ['transfer', 0.06],
  ['invite', 0.04],
];

/**
 * People at work: twelve clients that read trees and pages, create, move and save pages, copy and
 * transfer folders and send invites, one request after another each, as long as the load runs.
 */
export class MixedLoad {
  readonly asked: Asked[] = [];
  readonly slug = `faults-${randomUUID().slice(0, 8)}`;
  private readonly headers = {
    authorization: `Bearer ${tokenOf(somebody())}`,
    'content-type': 'application/json',
  };
  private readonly owns: Own[] = [];
  /** By slugs. */
  private readonly workspaceIds = new Map<string, string>();
  private clients: Promise<void>[] = [];
  private isOver = true;
  private count = 0;
  private invites = 0;

  private constructor(readonly url: string) {}

  /** Makes a team with all that the clients need. */
  static async prepare(url: string): Promise<MixedLoad> {
    const load = new MixedLoad(url);
    await load.must('POST', '/teams', { name: 'Faults', slug: load.slug });
    for (let n = 0; n < WORKSPACES; n++) {
      const path = `/teams/${load.slug}/workspaces`;
      const { _id } = await load.must<{ _id: string }>('POST', path, { name: `space ${n}` });
      load.workspaceIds.set(`space-${n}`, _id);
    }
    for (let n = 0; n < CLIENTS; n++) {
      const workspace = `space-${n % WORKSPACES}`;
      const make = async (body: object) =>
        (await load.must<{ id: string }>('POST', load.pathOf(workspace), body)).id;
      const shelves: [string, string] = [await make({ name: 'A' }), await make({ name: 'B' })];
      const page = await make({ object: 'item', name: 'Own', parent: shelves[0] });
      const items = [FOLDER];
      const made = await load.must<ItemBody[]>('POST', load.pathOf(workspace, '/batch'), { items });
      const folderIds = everyItem(made).map(({ id }) => id);
      const [folder = ''] = folderIds;
      const away = `space-${(n + 1) % WORKSPACES}`;
      load.owns.push({ workspace, page, shelves, folder, folderIds, away });
    }
    return load;
  }

  start(): void {
    this.isOver = false;
    this.clients = this.owns.map((own) => this.client(own));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
  }

  /** Starts of the first success of every kind that was asked for after a moment; null: not yet. */
  recoveredAt(moment: number): number | null {
    const asked = KINDS.filter(([kind]) => kind !== 'invite' || this.invites < MOST_INVITES);
    const firsts = asked.map(
      ([kind]) =>
        this.asked.find((one) => one.kind === kind && one.start >= moment && one.status === 200)
          ?.start,
    );
    return firsts.every((first) => first !== undefined) ? Math.max(...firsts) : null;
  }

  pathOf(workspace: string, rest = ''): string {
    return `/teams/${this.slug}/workspaces/${workspace}/collections${rest}`;
  }

  get workspaces(): string[] {
    return Array.from({ length: WORKSPACES }, (_, n) => `space-${n}`);
  }

  /** What each client writes, and nobody else. */
  get ownItems(): readonly Own[] {
    return this.owns;
  }

  /** A request that must succeed. */
  async must<Body>(method: string, path: string, body?: object, key?: string): Promise<Body> {
    const headers = { ...this.headers, ...(key && { 'idempotency-key': key }) };
    const { response, text } = await send(this.url, {
      ...{ method, path, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as Body;
  }

  /** A create or a copy, to be sent again as it was. */
  creation({
    kind,
    workspace,
    wrote: name,
    of,
  }: Pick<Asked, 'kind' | 'workspace' | 'wrote' | 'of'>): {
    path: string;
    body: object;
  } {
    return kind === 'copy'
      ? { path: `/collections/${of}/duplicate`, body: { name } }
      : { path: this.pathOf(workspace), body: { object: 'item', name } };
  }

  private async client(own: Own): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!this.isOver) {
      await this.step(own, agent);
      await sleep(Math.random() * PAUSE);
    }
    agent.destroy();
  }

  private async step(own: Own, agent: Agent): Promise<unknown> {
    const { workspace, page, shelves, folder } = own;
    const number = String(++this.count);
    const kind = this.anyKind();
    const base = { kind, workspace, wrote: '', id: page, key: null };
    switch (kind) {
      case 'tree':
        return this.ask(agent, base, 'GET', this.pathOf(workspace));
      case 'read':
        return this.ask(agent, base, 'GET', this.pathOf(workspace, `/${page}`));
      case 'create': {
        const key = Math.random() < 0.5 ? randomUUID() : null;
        const name = `page ${number}`;
        const create = { ...base, key, wrote: name, id: '' };
        const { path, body } = this.creation(create);
        return this.ask(agent, create, 'POST', path, body);
      }
      case 'copy': {
        const key = Math.random() < 0.5 ? randomUUID() : null;
        const copy = { ...base, key, wrote: `copy ${number}`, of: folder, id: '' };
        const { path, body } = this.creation(copy);
        return this.ask(agent, copy, 'POST', path, body);
      }
      case 'transfer': {
        const path = `/collections/${folder}`;
        const read = await this.ask(agent, { ...base, kind: 'read', id: folder }, 'GET', path);
        if (read === null) return;
        const { workspace: id } = JSON.parse(read) as { workspace: string };
        const wrote = id === this.workspaceIds.get(workspace) ? own.away : workspace;
        const body = { workspace_slug: wrote };
        return this.ask(agent, { ...base, id: folder, wrote }, 'POST', `${path}/transfer`, body);
      }
      case 'move': {
        const newParent = shelves[Math.random() < 0.5 ? 0 : 1] as string;
        const move = { ...base, wrote: newParent };
        const body = { id: page, index: 0, newParent };
        return this.ask(agent, move, 'POST', this.pathOf(workspace, '/reorder'), body);
      }
      case 'save': {
        const save = { ...base, wrote: number };
        const body = { content: { number } };
        return this.ask(agent, save, 'PUT', this.pathOf(workspace, `/${page}`), body);
      }
      case 'invite': {
        const email = `invited-${number}@example.com`;
        const body = { invites: [{ email, role: 'member' }] };
        const path = `/teams/${this.slug}/invites`;
        return this.ask(agent, { ...base, wrote: email }, 'POST', path, body);
      }
    }
  }

  private anyKind(): Kind {
    let dice = Math.random();
    for (const [kind, share] of KINDS) {
      dice -= share;
      if (dice >= 0) continue;
      return kind === 'invite' && ++this.invites > MOST_INVITES ? 'tree' : kind;
    }
    return 'tree';
  }

  /** @returns the body of a 200, otherwise null */
  private async ask(
    agent: Agent,
    what: Pick<Asked, 'kind' | 'workspace' | 'wrote' | 'id' | 'key' | 'of'>,
    method: string,
    path: string,
    body?: object,
  ): Promise<string | null> {
    const headers = { ...this.headers, ...(what.key && { 'idempotency-key': what.key }) };
    const shot = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
    const start = performance.now();
    const received = await send(this.url, shot, agent).then(
      ({ response, text }) => ({ status: response.statusCode ?? 0, text }),
      // Nobody listens while the service is away: that is no request of the service's.
      (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNREFUSED' ? null : { status: null, text: String(error) },
    );
    if (received === null) {
      await sleep(20);
      return null;
    }
    const { status, text } = received;
    const isMade = ['create', 'copy'].includes(what.kind) && status === 200;
    const id = isMade ? (JSON.parse(text) as { id: string }).id : what.id;
    const took = performance.now() - start;
    this.asked.push({ ...what, id, start, took, status, text: status === 200 ? '' : text });
    return status === 200 ? text : null;
  }
}
