import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import pLimit from 'p-limit';
import {
  ACCESS_LEVELS,
  TEAM_ROLES,
  VISIBILITIES,
  WORKSPACE_ROLES,
} from '../../src/access/roles.js';
import { send } from '../operate/load.js';
import {
  type Caller,
  type Person,
  somebody,
  startService,
  type TestService,
  tokenOf,
} from '../support/app.js';
import { aTeam, aWorkspace, freshSlug, type ItemBody, ok } from '../support/builders.js';
import { expectGoldenText } from '../support/golden.js';
import { aMember, anInvite, codeOf, giveRole, type Known } from '../support/members.js';
import { aVersion } from '../support/versions.js';

let service: TestService;
let owner: Caller;
/** Teams that callers are invited to, and the code of one more. */
let elsewhere: [string, string];
let code: string;
beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_KEY: 'a key of webhooks that only tests have',
    PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
  });
  owner = service.as(somebody('Owner'));
  elsewhere = [await aTeam(owner), await aTeam(owner)];
  code = await codeOf(owner, await aTeam(owner));
});
const connections = new Agent({ keepAlive: true });
afterAll(() => {
  connections.destroy();
  return service.stop();
});

/** One caller's roles in the team of what they ask for and in the workspace, and its settings. */
interface Context {
  team: (typeof TEAM_ROLES)[number] | 'stranger';
  workspace: (typeof WORKSPACE_ROLES)[number] | 'none';
  visibility: (typeof VISIBILITIES)[number];
  defaultAccess: (typeof ACCESS_LEVELS)[number];
}

/** What the routes are tried on. */
interface Scene {
  team: string;
  workspace: { path: string; query: string };
  /** Team members below moderator, one of them with a role in the workspace. */
  bystander: Known;
  reader: Known;
  /** A page, the only one in its collection, the collection's slug, and pages that may go. */
  page: string;
  /** The number of a version of the page. */
  version: number;
  shelf: string;
  slug: string;
  spare: [string, string];
  /** Pages to be transferred to the workspace of this slug, in which the caller has the same role. */
  movable: [string, string];
  archive: string;
  /** Pages in the trash: to be restored, and to be purged. */
  restorable: [string, string];
  purgeable: [string, string];
  /** Deleted workspaces, in which the caller has the same role: to be restored, and to be purged. */
  deleted: [string, string];
  invite: string;
  /** Two webhooks of the team: one is deleted. */
  webhooks: [string, string];
  mine: [string, string];
  code: string;
}

type Ask = (path: string, body?: object) => Promise<number>;
/** Asks for nothing but statuses, of thousands of requests: for half the CPU time of a Caller. */
type Asker = Record<'get' | 'post' | 'put' | 'patch' | 'delete', Ask>;
type Call = (caller: Asker, scene: Scene) => Promise<number>;

/** Calls that leave the scene to the calls after them; what deletes comes last. */
const short = ({ workspace }: Scene) => ['/collections', workspace.query] as const;
const long = ({ workspace }: Scene) => [`${workspace.path}/collections`, ''] as const;
/** Of the page. */
const KEY = 'page';
const LONG = '/teams/:team_slug/workspaces/:workspace_slug/collections';
const onCollections = (
  prefix: string,
  at: (scene: Scene) => readonly [string, string],
  spare: 0 | 1,
): Record<string, Call> => ({
  [`${prefix} GET`]: (c, s) => c.get(at(s).join('')),
  [`${prefix} POST`]: (c, s) => c.post(at(s).join(''), {}),
  [`${prefix}/batch POST`]: (c, s) => c.post(at(s).join('/batch'), { items: [{}] }),
  [`${prefix}/reorder POST`]: (c, s) => c.post(at(s).join('/reorder'), { id: s.page, index: 0 }),
  [`${prefix}/order PUT`]: (c, s) =>
    c.put(at(s).join('/order'), { parent: s.shelf, children: [s.page] }),
  [`${prefix}/apply PUT`]: (c, s) =>
    c.put(at(s).join('/apply'), { items: [{ key: 'applied', name: 'Applied' }] }),
  [`${prefix}/by-slug/:slug GET`]: (c, s) => c.get(at(s).join(`/by-slug/${s.slug}`)),
  [`${prefix}/by-key GET`]: (c, s) => {
    const [path, query] = at(s);
    return c.get(`${path}/by-key${query || '?'}&key=${KEY}`);
  },
  [`${prefix}/search GET`]: (c, s) => {
    const [path, query] = at(s);
    return c.get(`${path}/search${query || '?'}&q=page`);
  },
  [`${prefix}/:id GET`]: (c, s) => c.get(`${at(s)[0]}/${s.page}`),
  [`${prefix}/:id PUT`]: (c, s) => c.put(`${at(s)[0]}/${s.page}`, { name: 'Page' }),
  [`${prefix}/:id/content PATCH`]: (c, s) =>
    c.patch(`${at(s)[0]}/${s.page}/content`, [{ op: 'add', path: '/x', value: 1 }]),
  [`${prefix}/:id/duplicate POST`]: (c, s) =>
    c.post(`${at(s)[0]}/${s.page}/duplicate`, { parent: null }),
  [`${prefix}/:id/transfer POST`]: (c, s) =>
    c.post(`${at(s)[0]}/${s.movable[spare]}/transfer`, { workspace_slug: s.archive }),
  [`${prefix}/:id/versions GET`]: (c, s) => c.get(`${at(s)[0]}/${s.page}/versions`),
  [`${prefix}/:id/versions/:version GET`]: (c, s) =>
    c.get(`${at(s)[0]}/${s.page}/versions/${s.version}`),
  [`${prefix}/:id/versions/:version/restore POST`]: (c, s) =>
    c.post(`${at(s)[0]}/${s.page}/versions/${s.version}/restore`),
  [`${prefix}/:id/versions DELETE`]: (c, s) => c.delete(`${at(s)[0]}/${s.spare[spare]}/versions`),
  [`${prefix}/:id DELETE`]: (c, s) => c.delete(`${at(s)[0]}/${s.spare[spare]}`),
  [`${prefix}/changes GET`]: (c, s) => c.get(at(s).join('/changes')),
  [`${prefix}/trash GET`]: (c, s) => c.get(at(s).join('/trash')),
  [`${prefix}/trash/:id/restore POST`]: (c, s) =>
    c.post(`${at(s)[0]}/trash/${s.restorable[spare]}/restore`, {}),
  [`${prefix}/trash/:id DELETE`]: (c, s) => c.delete(`${at(s)[0]}/trash/${s.purgeable[spare]}`),
});
const members = ({ workspace }: Scene) => `${workspace.path}/members`;
const webhook = ({ team, webhooks }: Scene) => `/teams/${team}/webhooks/${webhooks[0]}`;
const WORKSPACES = '/teams/:team_slug/workspaces';
const CALLS: Record<string, Call> = {
  '/me GET': (c) => c.get('/me'),
  '/teams GET': (c) => c.get('/teams'),
  '/teams POST': (c) => c.post('/teams', { name: 'Team', slug: freshSlug() }),
  '/teams/:team_slug GET': (c, s) => c.get(`/teams/${s.team}`),
  '/teams/:team_slug PUT': (c, s) => c.put(`/teams/${s.team}`, { name: 'Team' }),
  '/teams/:team_slug/audit-log GET': (c, s) => c.get(`/teams/${s.team}/audit-log`),
  '/teams/:team_slug/search GET': (c, s) => c.get(`/teams/${s.team}/search?q=page`),
  '/teams/:team_slug/webhooks GET': (c, s) => c.get(`/teams/${s.team}/webhooks`),
  '/teams/:team_slug/webhooks POST': (c, s) =>
    c.post(`/teams/${s.team}/webhooks`, { url: 'https://example.invalid' }),
  '/teams/:team_slug/webhooks/:webhook_id GET': (c, s) => c.get(webhook(s)),
  '/teams/:team_slug/webhooks/:webhook_id PUT': (c, s) =>
    c.put(webhook(s), { events: ['team.changed'] }),
  '/teams/:team_slug/webhooks/:webhook_id/deliveries GET': (c, s) =>
    c.get(`${webhook(s)}/deliveries`),
  '/teams/:team_slug/webhooks/:webhook_id/secret POST': (c, s) => c.post(`${webhook(s)}/secret`),
  '/teams/:team_slug/webhooks/:webhook_id/test POST': (c, s) => c.post(`${webhook(s)}/test`),
  '/teams/:team_slug/webhooks/:webhook_id DELETE': (c, s) =>
    c.delete(`/teams/${s.team}/webhooks/${s.webhooks[1]}`),
  '/teams/:team_slug/members GET': (c, s) => c.get(`/teams/${s.team}/members`),
  '/teams/:team_slug/members PUT': (c, s) =>
    c.put(`/teams/${s.team}/members`, { userId: s.bystander.id, role: 'member' }),
  '/teams/:team_slug/invites GET': (c, s) => c.get(`/teams/${s.team}/invites`),
  '/teams/:team_slug/invites POST': (c, s) =>
    c.post(`/teams/${s.team}/invites`, { invites: [{ email: 'x@example.com', role: 'member' }] }),
  '/teams/:team_slug/invites/:invite_id DELETE': (c, s) =>
    c.delete(`/teams/${s.team}/invites/${s.invite}`),
  '/teams/:team_slug/invite-code POST': (c, s) => c.post(`/teams/${s.team}/invite-code`),
  [`${WORKSPACES} GET`]: (c, s) => c.get(`/teams/${s.team}/workspaces`),
  [`${WORKSPACES} POST`]: (c, s) => c.post(`/teams/${s.team}/workspaces`, { name: 'Another' }),
  [`${WORKSPACES}/:workspace_slug GET`]: (c, s) => c.get(s.workspace.path),
  [`${WORKSPACES}/:workspace_slug PUT`]: (c, s) => c.put(s.workspace.path, { name: 'Workspace' }),
  // Who may do the first may do the second: what follows finds it as it was.
  [`${WORKSPACES}/:workspace_slug/archive POST`]: (c, s) => c.post(`${s.workspace.path}/archive`),
  [`${WORKSPACES}/:workspace_slug/unarchive POST`]: (c, s) =>
    c.post(`${s.workspace.path}/unarchive`),
  [`${WORKSPACES}/:workspace_slug/members GET`]: (c, s) => c.get(members(s)),
  [`${WORKSPACES}/:workspace_slug/members POST`]: (c, s) =>
    c.post(members(s), [{ email: s.bystander.person.email, role: 'reader' }]),
  [`${WORKSPACES}/:workspace_slug/members PUT`]: (c, s) =>
    c.put(members(s), { userId: s.reader.id, role: 'reader' }),
  ...onCollections('/collections', short, 0),
  ...onCollections(LONG, long, 1),
  '/collections/trash DELETE': (c, s) => c.delete(short(s).join('/trash')),
  [`${LONG}/trash DELETE`]: (c, s) => c.delete(long(s).join('/trash')),
  [`${WORKSPACES}/:workspace_slug/members DELETE`]: (c, s) =>
    c.delete(members(s), { userId: s.reader.id }),
  [`${WORKSPACES}/:workspace_slug DELETE`]: (c, s) => c.delete(s.workspace.path),
  '/teams/:team_slug/trash GET': (c, s) => c.get(`/teams/${s.team}/trash`),
  '/teams/:team_slug/trash/:workspace_id/restore POST': (c, s) =>
    c.post(`/teams/${s.team}/trash/${s.deleted[0]}/restore`),
  '/teams/:team_slug/trash/:workspace_id DELETE': (c, s) =>
    c.delete(`/teams/${s.team}/trash/${s.deleted[1]}`),
  '/teams/:team_slug/members DELETE': (c, s) =>
    c.delete(`/teams/${s.team}/members`, { userId: s.bystander.id }),
  '/invites GET': (c) => c.get('/invites'),
  '/invites/:invite_id/decline POST': (c, s) => c.post(`/invites/${s.mine[0]}/decline`),
  '/invites/:invite_id/accept POST': (c, s) => c.post(`/invites/${s.mine[1]}/accept`),
  '/teams/join POST': async (c, s) => c.post('/teams/join', { inviteCode: s.code }),
};

const aWebhook = async (team: string): Promise<string> =>
  (
    await ok<{ _id: string }>(
      owner.post(`/teams/${team}/webhooks`, { url: 'https://example.invalid' }),
    )
  )._id;

/** A team with a workspace, somebody with these roles, and things to act on. */
async function scene({ team: role, workspace: own, ...settings }: Context) {
  const team = await aTeam(owner);
  const workspace = await aWorkspace(owner, team, settings);
  const member = role === 'stranger' ? null : await aMember(service, team, role);
  if (member && own !== 'none') await giveRole(service, workspace.id, member, own);
  const archive = await aWorkspace(owner, team, settings);
  if (member && own !== 'none') await giveRole(service, archive.id, member, own);
  const deleted: string[] = [];
  for (let n = 0; n < 2; n++) {
    const gone = await aWorkspace(owner, team, settings);
    if (member && own !== 'none') await giveRole(service, gone.id, member, own);
    await ok(owner.delete(gone.path));
    deleted.push(gone.id);
  }
  const person = member?.person ?? somebody();
  const caller = askerFor(person);
  const bystander = await aMember(service, team, 'guest');
  const reader = await aMember(service, team, 'guest');
  await giveRole(service, workspace.id, reader, 'reader');
  const items = [
    { children: [{ object: 'item', key: KEY }] },
    ...Array(8).fill({ object: 'item' }),
  ];
  const [shelf, ...pages] = await ok<[ItemBody, ...ItemBody[]]>(
    owner.post(`/collections/batch${workspace.query}`, { items }),
  );
  const spare = pages.map(({ id }) => id) as string[];
  const page = shelf.children?.[0]?.id as string;
  const pair = (first: number) => spare.slice(first, first + 2) as [string, string];
  for (const id of spare.slice(4)) await ok(owner.delete(`/collections/${id}`));
  // Invites of the caller: into other teams, which they are in no role of yet.
  const [first, second] = elsewhere;
  const made: Scene = {
    team,
    workspace,
    bystander,
    reader,
    page,
    version: await aVersion(service, owner, page),
    shelf: shelf.id,
    slug: shelf.meta.slug,
    spare: pair(0),
    movable: pair(2),
    archive: archive.slug,
    restorable: pair(4),
    purgeable: pair(6),
    deleted: deleted as [string, string],
    webhooks: [await aWebhook(team), await aWebhook(team)],
    invite: (await anInvite(owner, team, somebody().email))._id,
    mine: [
      (await anInvite(owner, first, person.email))._id,
      (await anInvite(owner, second, person.email))._id,
    ],
    code,
  };
  return { caller, made };
}

function askerFor(person: Person): Asker {
  const authorization = `Bearer ${tokenOf(person)}`;
  const by =
    (method: string): Ask =>
    async (path, given) => {
      const body = given && JSON.stringify(given);
      // Node does not say how long the body of a DELETE is.
      const about = body && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      };
      const shot = { method, path, headers: { authorization, ...about }, ...(body && { body }) };
      return (await send(service.url, shot, connections)).response.statusCode ?? 0;
    };
  return {
    ...{ get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH') },
    delete: by('DELETE'),
  };
}

const CONTEXTS: Context[] = VISIBILITIES.flatMap((visibility) =>
  ACCESS_LEVELS.flatMap((defaultAccess) => [
    { team: 'stranger' as const, workspace: 'none' as const, visibility, defaultAccess },
    ...TEAM_ROLES.flatMap((team) =>
      (['none', ...WORKSPACE_ROLES] as const).map((workspace) => ({
        team,
        workspace,
        visibility,
        defaultAccess,
      })),
    ),
  ]),
);

/** Contexts share nothing: some at once, which takes half the time of one after the other. */
const AT_ONCE = 6;

/** The status of each route, asked in the order of CALLS. */
async function statusesIn(context: Context): Promise<Record<string, number>> {
  const { caller, made } = await scene(context);
  const statuses: Record<string, number> = {};
  for (const [route, call] of Object.entries(CALLS)) {
    statuses[route] = await call(caller, made);
  }
  return statuses;
}

test('every route is in the matrix', () => {
  const golden = new URL('./golden/routes.json', import.meta.url);
  const routes = JSON.parse(readFileSync(golden, 'utf8')) as Record<string, string>;
  // What /mcp calls has a matrix of its own: test/api/mcp/rights.test.ts.
  const taking = Object.keys(routes).filter(
    (route) => routes[route] !== 'public' && !route.startsWith('/mcp '),
  );
  expect(Object.keys(CALLS).sort()).toEqual(taking.sort());
});

/** The columns of the golden file: a group for each team role in each kind of workspace. */
const HEAD = `# The status that each route returns: 2 for 200, 3 for 403, 4 for 404.
# A group for each role in the team: stranger, guest, member, moderator, owner. Its columns: without a
# role in the workspace, as its editor, as its reader; a stranger has none.
`;
const CELLS: Record<number, string> = { 200: '2', 403: '3', 404: '4' };
const SETTINGS = VISIBILITIES.flatMap((visibility) =>
  ACCESS_LEVELS.map((access) => `${visibility} ${access}`.padEnd(17)),
);

test('every route returns the status of the golden matrix in every context', async () => {
  const together = pLimit(AT_ONCE);
  const statuses = await Promise.all(
    CONTEXTS.map((context) => together(() => statusesIn(context))),
  );
  const width = Math.max(...Object.keys(CALLS).map(({ length }) => length));
  const lineOf = (route: string): string => {
    const cells = CONTEXTS.map(({ workspace }, i) => {
      const gap = workspace === 'none' ? ' ' : '';
      return `${gap}${CELLS[statuses[i]?.[route] ?? 0] ?? statuses[i]?.[route]}`;
    });
    return `${route.padEnd(width)} ${cells.join('')}`.replace(/( \d( \d{3}){4})(?=.)/g, '$1  ');
  };
  const kinds = `${''.padEnd(width)}  ${SETTINGS.join('   ')}`.trimEnd();
  const lines = Object.keys(CALLS).map(lineOf);
  expectGoldenText('matrix.txt', `${HEAD}\n${[kinds, ...lines].join('\n')}\n`);
}, 400_000);
