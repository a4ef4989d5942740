import { prepare } from './calls.js';
import { TEXT } from './job.js';
/** Random numbers that are the same in each run with this seed (mulberry32). */
function randomFrom(seed) {
    let state = seed;
    return (below) => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
    };
}
/** The requests of a job, ready to be sent as they are. */
class Requests {
    job;
    random;
    count = 0;
    constructor(job) {
        this.job = job;
        this.random = randomFrom(job.seed);
    }
    pick = (list) => list[this.random(list.length)];
    /** The requests of a call, which differ where it says `{n}` or `{kept}`. */
    of(call) {
        const build = prepare(call, this.job);
        return (kept) => build(String(this.job.seed * 1_000_000 + this.count++), kept);
    }
    tree = (space) => this.request(space.caller, 'GET', `/collections?${place(space)}`);
    create(space) {
        const name = `Page ${this.job.seed}.${this.count++}`;
        const content = { type: 'doc', text: TEXT.slice(0, 180) };
        const parent = this.pick(space.parents);
        return this.request(space.caller, 'POST', `/collections?${place(space)}`, {
            ...{ name, object: 'item', parent, content },
        });
    }
    /** Saves about a kilobyte. */
    save(space) {
        const content = { type: 'doc', text: TEXT, saved: this.count++ };
        const path = `/collections/${this.pick(space.pages).id}?${place(space)}`;
        return this.request(space.caller, 'PUT', path, { content });
    }
    /** Moves a page to another index in its collection. */
    move(space) {
        const { id, parent } = this.pick(space.pages);
        const body = { id, index: this.random(space.siblings), parent };
        return this.request(space.caller, 'POST', `/collections/reorder?${place(space)}`, body);
    }
    delete(space, id) {
        return this.request(space.caller, 'DELETE', `/collections/${id}?${place(space)}`);
    }
    request(caller, method, path, body) {
        return prepare({ caller, method, path, ...(body && { body }) }, this.job)('', '');
    }
}
const place = ({ team, workspace }) => `team_slug=${team}&workspace_slug=${workspace}`;
/** The cycles of a job: one that is endless, or as many as the job has time for. */
export function* cyclesOf(job) {
    const requests = new Requests(job);
    const { scenario } = job;
    if (scenario.kind !== 'cycle') {
        yield [{ counts: true, isEndless: true, next: endless(job, requests) }];
        return;
    }
    const kept = [];
    const steps = scenario.steps.map((step) => ({
        ...step,
        requests: step.calls.map((call) => requests.of(call)),
    }));
    for (;;) {
        yield steps.map(({ counts, keep, requests }) => ({
            counts,
            isEndless: false,
            next: each(requests, kept, keep),
        }));
    }
}
/** One request for each place, in turn. What the responses tell is kept for that place. */
function each(requests, kept, keep) {
    let next = 0;
    return () => {
        const place = next++;
        const request = requests[place]?.(kept[place] ?? '');
        if (request === undefined)
            return null;
        if (keep === undefined)
            return { request };
        return {
            request,
            read: (body) => {
                kept[place] = valueAt(body, keep);
            },
        };
    };
}
function valueAt(body, path) {
    let value = JSON.parse(body);
    for (const key of path.split('.'))
        value = value[key];
    return String(value);
}
function endless({ scenario }, requests) {
    if (scenario.kind === 'calls') {
        const ready = scenario.calls.map((call) => requests.of(call));
        let index = 0;
        return () => {
            const request = ready[index++ % ready.length]?.('');
            return request === undefined ? null : { request };
        };
    }
    if (scenario.kind === 'cycle')
        throw new Error('A cycle ends');
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
function draw(requests) {
    const dice = requests.random(100);
    if (dice < 70)
        return 'read';
    if (dice < 85)
        return 'save';
    return dice < 95 ? 'create' : 'move';
}
function mixed(requests, space) {
    const act = draw(requests);
    return act === 'read' ? requests.tree(space) : requests[act](space);
}
function soak(requests, pick) {
    const created = [];
    return () => {
        const old = created.length > 100 ? created.shift() : undefined;
        if (old)
            return { request: requests.delete(old.space, old.id) };
        const space = pick();
        const act = draw(requests);
        if (act === 'read')
            return { request: requests.tree(space) };
        const request = requests[act](space);
        if (act !== 'create')
            return { request };
        return { request, read: (body) => created.push({ space, id: valueAt(body, 'id') }) };
    };
}
