import fc from 'fast-check';
import { somebody } from '../support/app.js';
import { aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { scene } from '../support/scene.js';
import { usageOf } from '../support/tree.js';
import { expected, Model, seen } from './model.js';
import { COMMANDS } from './model-commands.js';

const NIGHTLY = process.env.NIGHTLY === '1';
const RUNS = NIGHTLY ? 500 : 15;
/** On average: a run has up to twice as many. */
const LENGTH = NIGHTLY ? 50 : 25;
const TIME_LIMIT = NIGHTLY ? 3_600_000 : 90_000;
const SEED = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));

const at = scene({ env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' } });

test(
  `the tree is the model's after any commands`,
  async () => {
    process.stdout.write(`tree-model: FC_SEED=${SEED}, ${RUNS} runs of ${LENGTH} commands\n`);
    const caller = at.as(somebody());
    const team = await aTeam(caller);
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: 2 * LENGTH, size: 'max' }),
        async (commands) => {
          const { query, path } = await aWorkspace(caller, team);
          const model = new Model();
          await fc.asyncModelRun(() => ({ model, real: { caller, query } }), commands);
          const tree = await ok<ItemBody[]>(caller.get(`/collections${query}`));
          expect(seen(tree)).toEqual(expected(model.top));
          const pages = model.all().filter(({ object }) => object === 'item').length;
          expect((await usageOf(caller, team)).pages).toBe(pages);
          await ok(caller.delete(path));
        },
      ),
      { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: TIME_LIMIT },
    );
    expect((await usageOf(caller, team)).pages).toBe(0);
    await assertInvariants(at.databaseUrl);
  },
  TIME_LIMIT + 30_000,
);
