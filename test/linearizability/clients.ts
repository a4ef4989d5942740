import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewItem, Sent } from '../support/tree-model/command.js';
import { below, type Dice, diceOf } from './random.js';
import type { Recorder } from './recorder.js';
import { type Mood, moodOf, page, wish } from './wishes.js';

/** Clients of a history, and commands of each. */
const CLIENTS = 6;
const COMMANDS = 8;
/** Retries of a request that must succeed. */
const TIMEOUT = 600;
/** Times that a command is repeated under its key while its outcome is unknown. */
const REPEATS = 3;
/**
 * Lets six clients work on two small trees through two instances, each eight commands, one after
 * another. The seed determines what they want, but not who is first.
 */
export async function work(recorder: Recorder, instances: number, seed: number): Promise<void> {
  const dice = diceOf(seed);
  for (const [workspace, items] of Object.entries(SEEDLINGS)) {
    const idempotencyKey = randomUUID();
    await insist(recorder, 0, { kind: 'create', workspace, parent: null, items, idempotencyKey });
    await insist(recorder, 0, listOf(workspace));
  }
  const mood = moodOf(dice);
  const clients = Array.from({ length: CLIENTS }, async (_, n) => {
    const own = diceOf(seed * 31 + n + 1);
    for (let step = 0; step < COMMANDS; step++) {
      await sleep(own() * mood.pause);
      await act(recorder, instances, n + 1, `c${n + 1}-${step}`, mood, own);
    }
  });
  await Promise.all(clients);
}

/** What the trees are at the end, by each instance; the workspaces may be in the trash until then. */
export async function lookAtTheEnd(recorder: Recorder, instances: number): Promise<void> {
  for (const workspace of WORKSPACES) {
    await insist(recorder, 0, { kind: 'restoreWorkspace', workspace });
  }
  for (const copy of recorder.copiesToRepeat) await insist(recorder, 0, copy);
  for (const workspace of WORKSPACES) {
    for (let instance = 0; instance < instances; instance++) {
      await insist(recorder, instance, { kind: 'list', workspace, withContent: true });
    }
  }
}

/** Repeats a safe request until it gets a response. */
async function insist(recorder: Recorder, instance: number, command: Sent): Promise<void> {
  for (let n = 0; (await recorder.run(0, instance, command)) !== 'responded'; n++) {
    if (n === TIMEOUT) throw new Error(`no response: ${JSON.stringify(command)}`);
    await sleep(50);
  }
}

/** What there is before the clients begin, by the slug of the workspace. */
const SEEDLINGS: Record<string, NewItem[]> = {
  docs: [
    {
      name: 'shelf',
      object: 'collection',
      children: [page('red', 1), page('green', 2), page('blue', 3)],
    },
    { name: 'drawer', object: 'collection', children: [{ name: 'box', object: 'collection' }] },
    page('note', 4),
  ],
  archive: [{ name: 'chest', object: 'collection', children: [page('coin', 5)] }],
};

/** Names and slugs of the workspaces. */
export const WORKSPACES = Object.keys(SEEDLINGS);

/** A whole tree. */
const listOf = (workspace: string): Sent => ({ kind: 'list', workspace, withContent: false });

async function act(
  recorder: Recorder,
  instances: number,
  client: number,
  name: string,
  mood: Mood,
  dice: Dice,
): Promise<void> {
  const ask = async (command: Sent, first = below(dice, instances)) => {
    const fate = await recorder.run(client, first, command);
    const other = (first + 1) % instances;
    // Nobody listens there, or it could not: ask another one.
    if (fate === 'nothing happened') return recorder.run(client, other, command);
    // As the message of the service says: read the data again.
    if (fate === 'unknown') {
      for (const one of WORKSPACES) await recorder.run(client, other, listOf(one));
    }
    return fate;
  };
  const { look, decide } = wish(recorder.know, mood, dice);
  if (look) await ask(look);
  const command = decide(name);
  // Two that have looked at the same moment, and ask for different things.
  if (look && dice() < 0.3)
    return void (await Promise.all([ask(command, 0), ask(decide(`${name}b`), 1 % instances)]));
  if (!('idempotencyKey' in command)) return void (await ask(command));
  // Some are impatient, and ask everybody at once.
  if (dice() < 0.3) return void (await Promise.all([ask(command), ask(command)]));
  for (let n = 0; (await ask(command)) === 'unknown' && n < REPEATS; n++);
}
