import { allCommands, nameOf } from 'teamspaces';
import { createProgram } from '../../cli/program.js';
import { SECRET, somebody, tokenOf } from '../support/app.js';
import { anItem, freshSlug, ok } from '../support/builders.js';
import { type Ended, runCommand } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { anInvite } from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

// Set-up takes long on a machine that has other things to do.

/** Escapes of both kinds, line breaks of four kinds, and characters that are not shown; a family. */
const NAME = 'x\u001b[31m\u009b1m\r\n\u0085\u2028\u2029\u202e\u200b\ufeffy👩‍👧';
const SHOWN = 'x [31m 1m y👩‍👧';
const UNPRINTABLE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Commands that print no name, whoever gave it. */
const WITHOUT_NAMES = [
  'completion',
  'demo',
  'doctor',
  'erase',
  'migrate',
  'plan',
  'search rebuild',
  'token',
  'trash purge',
  'trash workspaces purge',
  'verify',
  'webhooks deliveries',
  'webhooks list',
  'webhooks test',
];

const at = scene();
const eve = { ...somebody('Eve'), name: NAME };
const team = freshSlug();
const SHELF = `/teams/${team}/workspaces`;
let ids: { item: string; invite: string; workspace: string };
let query: string;
let slug: string;

beforeAll(async () => {
  const as = at.as(eve);
  await ok(as.post('/teams', { name: NAME, slug: team }));
  const make = () => ok<{ _id: string; meta: { slug: string } }>(as.post(SHELF, { name: NAME }));
  const [kept, gone] = [await make(), await make()];
  slug = kept.meta.slug;
  query = `?team_slug=${team}&workspace_slug=${slug}`;
  await ok(as.delete(`${SHELF}/${gone.meta.slug}`));
  const { id: item } = await anItem(as, query, { name: NAME });
  await ok(as.delete(`/collections/${item}`));
  const { _id: invite } = await anInvite(as, team, 'bo@example.com');
  ids = { item, invite, workspace: gone._id };
});

afterAll(removeFolders);

const run = (...args: string[]): Promise<Ended> =>
  runCommand(args, {
    ...{ DATABASE_URL: at.databaseUrl, AUTH_JWT_SECRET: SECRET, INIT_CWD: '/' },
    ...{ TEAMSPACES_URL: at.url, TEAMSPACES_TOKEN: tokenOf(eve) },
  });

/** The commands that print names: their arguments, and the status. */
async function rows(): Promise<[command: string, args: string[], status?: 1][]> {
  const of = ['--team', team];
  const place = [...of, '--workspace', slug];
  const skipped = await aFolder({ [`${NAME}.txt`]: '' });
  const unsuitable = await aFolder({ [`${NAME}.md`]: '\0' });
  const occupied = await aFolder({ [`${NAME}.md`]: null });
  const page = { name: NAME, object: 'item', content: { source: { path: `${NAME}.md` } } };
  await anItem(at.as(eve), query, { ...page, content: { ...page.content, markdown: '' } });
  const subject = ['--issuer', '', '--subject', NAME];
  return [
    ['audit', of],
    ['team list', []],
    ['team show', [team]],
    ['member add', [...of, ...subject]],
    ['member list', of],
    ['member show', [NAME, ...of]],
    ['invite list', of],
    ['invite show', [ids.invite, ...of]],
    ['workspace list', of],
    ['workspace show', [slug, ...of]],
    ['import', [...place, '--dry-run', skipped]],
    ['import', [...place, unsuitable], 1],
    ['export', [...place, '--force', occupied], 1],
    ['find', [...of, 'y👩']],
    ['list', place],
    ['show', of],
    ['trash list', place],
    ['trash restore', [ids.item]],
    ['trash workspaces list', of],
    ['trash workspaces restore', [...of, ids.workspace]],
    ['team delete', [team, '--yes']],
  ];
}

/** The strings of a line of JSON. */
const parsed = (line: string): string =>
  line.replace(/"(?:[^"\\]|\\.)*"/g, (text) => JSON.parse(text));

test('every command that prints names prints each on one line, without escapes', async () => {
  const workspaces = await run('workspace', 'list', '--team', team, '--json');
  expect(JSON.parse(workspaces.output)).toMatchObject([{ name: NAME }]);
  const log = await run('audit', '--team', team, '--json');
  const [created] = log.output.trim().split('\n');
  expect(JSON.parse(`${created}`)).toMatchObject({ target: { name: NAME } });

  const known = await rows();
  const leaves = allCommands(createProgram()).filter(({ commands }) => commands.length === 0);
  const withJson = leaves
    .filter(({ options }) => options.some(({ long }) => long === '--json'))
    .map((leaf) => nameOf(leaf).replace(/^teamspaces /, ''));
  // The others change something first.
  const isRead = (command: string) => / list$| show$|^(list|show|find|audit)$/.test(command);
  const asJson = known.filter(
    ([command]) => withJson.includes(command) && isRead(command) && command !== 'member show',
  );
  expect(asJson.length).toBeGreaterThan(8);
  expect(
    await offenders(asJson, async ([command, args]) => {
      const { output } = await run(...command.split(' '), ...args, '--json');
      expect(output.split('\n').filter((line) => UNPRINTABLE.test(line))).toEqual([]);
      expect(output.split('\n').map(parsed).join('')).toContain(NAME);
    }),
  ).toEqual([]);
  expect(
    await offenders(known, async ([command, args, status = 0]) => {
      const ended = await run(...command.split(' '), ...args);
      expect(ended).toEqual({ status, output: expect.stringContaining(SHOWN) });
      expect(ended.output.split('\n').filter((line) => UNPRINTABLE.test(line))).toEqual([]);
      // Nor is there a name of which a line break has cut off a part.
      expect(ended.output.replaceAll(SHOWN, '')).not.toMatch(/\[31m|👩/);
    }),
  ).toEqual([]);

  const seen = new Set([...known.map(([command]) => command), ...WITHOUT_NAMES]);
  expect(leaves.map((leaf) => nameOf(leaf).replace(/^teamspaces /, '')).sort()).toEqual(
    [...seen].sort(),
  );
});
