import type { Get, Job, Space } from './job.js';

/** A request to send. */
export interface Shot {
  request: string;
  /** Called with the body of the answer where it is wanted. */
  read?: (body: string) => unknown;
}

/** Gives a connection its next request; null: there is none left. */
export type Next = () => Shot | null;

/** What is run one after the other; only what counts is measured. */
export interface Phase {
  counts: boolean;
  next: Next;
}

/** Random numbers that are the same in each run with this seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(20);

/** The requests of a job, ready to be sent as they are. */
class Requests {
  readonly random: (below: number) => number;
  private count = 0;

  constructor(private readonly job: Job) {
    this.random = randomFrom(job.seed);
  }

  pick = <T>(list: readonly T[]): T => list[this.random(list.length)] as T;

  get({ caller, path }: Get): string {
    return this.request(caller, 'GET', path);
  }

  tree = (space: Space): string =>
    this.request(space.caller, 'GET', `/collections?${place(space)}`);

  create(space: Space): string {
    const name = `Page ${this.job.seed}.${this.count++}`;
    const content = { type: 'doc', text: TEXT.slice(0, 180) };
    const parent = this.pick(space.parents);
    return this.request(space.caller, 'POST', `/collections?${place(space)}`, {
      ...{ name, object: 'item', parent, content },
    });
  }

  /** Saves about a kilobyte. */
  save(space: Space): string {
    const content = { type: 'doc', text: TEXT, saved: this.count++ };
    const path = `/collections/${this.pick(space.pages).id}?${place(space)}`;
    return this.request(space.caller, 'PUT', path, { content });
  }

  /** Moves a page to another index in its collection. */
  move(space: Space): string {
    const { id, parent } = this.pick(space.pages);
    const body = { id, index: this.random(space.siblings), parent };
    return this.request(space.caller, 'POST', `/collections/reorder?${place(space)}`, body);
  }

  delete(space: Space, id: string): string {
    return this.request(space.caller, 'DELETE', `/collections/${id}?${place(space)}`);
  }

  private request(caller: string, method: string, path: string, body?: object): string {
    const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.job.port}\r\nauthorization: Bearer ${this.job.tokens[caller]}\r\n`;
    if (body === undefined) return `${head}\r\n`;
    const json = JSON.stringify(body);
    return `${head}content-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
  }
}

const place = ({ team, workspace }: Space): string =>
  `team_slug=${team}&workspace_slug=${workspace}`;

/** The phases of a job: one, but for first reads, which go on for ever. */
export function* phasesOf(job: Job): Generator<Phase> {
  const requests = new Requests(job);
  const { scenario } = job;
  if (scenario.kind === 'firstRead') {
    for (;;) {
      yield { counts: false, next: each(scenario.spaces, (space) => requests.save(space)) };
      yield { counts: true, next: each(scenario.spaces, (space) => requests.tree(space)) };
    }
  }
  yield { counts: true, next: endless(job, requests) };
}

function each(spaces: Space[], request: (space: Space) => string): Next {
  let index = 0;
  return () => {
    const space = spaces[index++];
    return space ? { request: request(space) } : null;
  };
}

function endless({ scenario }: Job, requests: Requests): Next {
  if (scenario.kind === 'get') {
    const ready = scenario.gets.map((get) => ({ request: requests.get(get) }));
    let index = 0;
    return () => ready[index++ % ready.length] ?? null;
  }
  const { kind, spaces } = scenario;
  const space = () => requests.pick(spaces);
  switch (kind) {
    case 'create':
      return () => ({ request: requests.create(space()) });
    case 'move':
      return () => ({ request: requests.move(space()) });
    case 'save':
      return () => ({ request: requests.save(space()) });
    case 'mixed':
      return () => ({ request: mixed(requests, space()) });
    default:
      return soak(requests, space);
  }
}

type Act = 'read' | 'save' | 'create' | 'move';

function draw(requests: Requests): Act {
  const dice = requests.random(100);
  if (dice < 70) return 'read';
  if (dice < 85) return 'save';
  return dice < 95 ? 'create' : 'move';
}

function mixed(requests: Requests, space: Space): string {
  const act = draw(requests);
  return act === 'read' ? requests.tree(space) : requests[act](space);
}

function soak(requests: Requests, pick: () => Space): Next {
  const created: { space: Space; id: string }[] = [];
  return () => {
    const old = created.length > 100 ? created.shift() : undefined;
    if (old) return { request: requests.delete(old.space, old.id) };
    const space = pick();
    const act = draw(requests);
    if (act === 'read') return { request: requests.tree(space) };
    const request = requests[act](space);
    if (act !== 'create') return { request };
    return { request, read: (body) => created.push({ space, id: idOf(body) }) };
  };
}

const idOf = (body: string): string => (JSON.parse(body) as { id: string }).id;
