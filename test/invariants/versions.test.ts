import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { aMember, type Known, someone } from '../support/members.js';
import { PageHistory } from '../support/page-history.js';
import { runs } from '../support/runs.js';
import { scene } from '../support/scene.js';
import { twoInstances } from '../support/two-instances.js';

// Every content that was answered with 200 is the page's, or a version, or was continued by its own author
// (decisions 14.1), however writes are committed.

const ROUNDS = runs(12, 400);
const TIME_LIMIT = 60_000 + ROUNDS * 2_000;
/** Fewer than a page keeps: nothing is trimmed. */
const WRITES = 10;

const at = scene({ env: { RATE_LIMIT_PER_MINUTE: '0' }, once: 'workspace', verify: true });

let content = 0;
/** Of few contents: some are those that were there before. */
const save = (history: PageHistory, by: Known) => history.save(by, { n: pick([1, 2, 3]) });
const patch = (history: PageHistory, by: Known) =>
  history.write('save', by, (path) =>
    by.patch(`${path}/content`, [{ op: 'add', path: `/n${++content}`, value: content }]),
  );
/** The newest version, or the one before it: whichever is there. */
async function restore(history: PageHistory, by: Known, id: string): Promise<void> {
  const versions = await ok<{ version: number }[]>(by.get(`/collections/${id}/versions?limit=2`));
  const { version } = versions.at(-1) ?? { version: 1 };
  await history.write('restore', by, (path) => by.post(`${path}/versions/${version}/restore`));
}

const pick = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;

async function storm(people: readonly Known[], { query }: { query: string }): Promise<void> {
  const [ada] = people as [Known];
  const body = { object: 'item', content: { n: 0 } };
  const pages = await Promise.all(Array.from({ length: 5 }, () => anItem(ada, query, body)));
  const [page] = pages as [ItemBody];
  const history = PageHistory.of(page, ada);
  const writes = [save, save, patch, (of: PageHistory, by: Known) => restore(of, by, page.id)];
  const writer = async () => {
    for (let n = 0; n < WRITES; n++) await pick(writes)(history, pick(people));
  };
  const renamer = async ({ id }: ItemBody) => {
    for (let n = 0; n < WRITES / 2; n++) {
      await ok(pick(people).put(`/collections/${id}`, { name: `Page ${n}` }));
    }
  };
  await Promise.all([...Array.from({ length: 4 }, writer), ...pages.map(renamer)]);
  expect(await history.found(ada)).toEqual(history.expected());
}

test(
  'pages that several people write at once lose no content',
  async () => {
    const people = [at.ada, await aMember(at, at.team, 'member')];
    for (let round = 0; round < ROUNDS; round++) await storm(people, at.workspace);
  },
  TIME_LIMIT,
);

test(
  'the same by two instances',
  async () => {
    const both = await twoInstances({ RATE_LIMIT_PER_MINUTE: '0' });
    try {
      const [one, two] = both.services;
      const ada = await someone(one);
      const team = await aTeam(ada);
      const here = [ada, await aMember(one, team, 'member')];
      const there = here.map(({ person, id }) => ({ ...two.as(person), person, id }));
      const workspace = await aWorkspace(ada, team);
      for (let round = 0; round < ROUNDS; round++) await storm([...here, ...there], workspace);
      await assertInvariants(both.databaseUrl);
    } finally {
      await both.stop();
    }
  },
  TIME_LIMIT,
);
