import { signToken } from '../../../clients/cli/src/token.js';
import { TEAM_ROLES, WORKSPACE_ROLES } from '../../../src/access/roles.js';
import { type Caller, SECRET, somebody, tokenOf } from '../../support/app.js';
import { anItem, aWorkspace, freshSlug, type ItemBody, ok } from '../../support/builders.js';
import { call, message, send } from '../../support/mcp.js';
import { aMember, giveRole } from '../../support/members.js';
import { scene, type Workspace } from '../../support/scene.js';
import { aVersion } from '../../support/versions.js';

const at = scene({ once: 'team' });

/** Of a page in each workspace; nothing else has it. */
const TITLE = 'Lighthouse';

/** What the tools are tried on. */
interface Place {
  workspace: Workspace;
  /** A workspace with the same settings, to be archived. */
  other: Workspace;
  /** In a collection, with a version. */
  page: ItemBody;
  version: number;
  /** A page to be deleted and one in the trash, for the tool and for the operation. */
  spare: [string, string];
  trashed: [string, string];
  /** The page has changed since. */
  cursor: string;
}

interface Row {
  /** What the tool is called with, beside the workspace. */
  input?: (place: Place) => object;
  /** The same over REST. */
  rest(caller: Caller, place: Place): ReturnType<Caller['get']>;
}

const tree = ({ workspace }: Place, rest = '') => `${workspace.path}/collections${rest}`;
const page = ({ page }: Place, rest = '') => `/collections/${page.id}${rest}`;
const id = ({ page }: Place) => ({ id: page.id });
const operations = [{ op: 'add', path: '/x', value: 1 }];

/** Each tool, and after a comma what it is called with if that calls another operation. */
const ROWS: Record<string, Row> = {
  list_teams: { rest: (c) => c.get('/teams?limit=100') },
  list_workspaces: { rest: (c) => c.get(`/teams/${at.team}/workspaces`) },
  search: {
    input: () => ({ workspace: null, query: TITLE }),
    rest: (c) => c.get(`/teams/${at.team}/search?q=${TITLE}`),
  },
  'search, in a workspace': {
    input: () => ({ query: TITLE }),
    rest: (c, p) => c.get(tree(p, `/search?q=${TITLE}`)),
  },
  read_tree: { rest: (c, p) => c.get(tree(p, '?limit=500')) },
  read_page: { input: id, rest: (c, p) => c.get(page(p)) },
  find_by_slug: {
    input: (p) => ({ slug: p.page.meta.slug }),
    rest: (c, p) => c.get(tree(p, `/by-slug/${p.page.meta.slug}`)),
  },
  list_versions: { input: id, rest: (c, p) => c.get(page(p, '/versions')) },
  read_version: {
    input: (p) => ({ ...id(p), version: p.version }),
    rest: (c, p) => c.get(page(p, `/versions/${p.version}`)),
  },
  list_trash: { rest: (c, p) => c.get(tree(p, '/trash?limit=100')) },
  read_changes: {
    input: ({ cursor }) => ({ cursor }),
    rest: (c, p) => c.get(tree(p, `/changes?limit=200&cursor=${p.cursor}`)),
  },
  create_item: {
    input: () => ({ kind: 'page', title: 'New' }),
    rest: (c, p) => c.post(tree(p), { object: 'item', title: 'New' }),
  },
  update_item: {
    input: (p) => ({ ...id(p), title: TITLE }),
    rest: (c, p) => c.put(page(p), { title: TITLE }),
  },
  patch_page: {
    input: (p) => ({ ...id(p), operations }),
    rest: (c, p) => c.patch(page(p, '/content'), operations),
  },
  restore_version: {
    input: (p) => ({ ...id(p), version: p.version }),
    rest: (c, p) => c.post(page(p, `/versions/${p.version}/restore`)),
  },
  publish_tree: {
    input: () => ({ items: [{ key: 'k', kind: 'page', title: 'Published' }] }),
    rest: (c, p) =>
      c.put(tree(p, '/apply'), { items: [{ key: 'k', object: 'item', title: 'Published' }] }),
  },
  move_item: {
    input: (p) => ({ ...id(p), index: 0 }),
    rest: (c, p) => c.post(tree(p, '/reorder'), { id: p.page.id, index: 0 }),
  },
  delete_item: {
    input: ({ spare }) => ({ id: spare[0] }),
    rest: (c, { spare }) => c.delete(`/collections/${spare[1]}`),
  },
  restore_item: {
    input: ({ trashed }) => ({ id: trashed[0] }),
    rest: (c, { trashed }) => c.post(`/collections/trash/${trashed[1]}/restore`, {}),
  },
  archive_workspace: {
    input: ({ other }) => ({ workspace: other.slug }),
    rest: (c, { other }) => c.post(`${other.path}/archive`),
  },
  unarchive_workspace: {
    input: ({ other }) => ({ workspace: other.slug }),
    rest: (c, { other }) => c.post(`${other.path}/unarchive`),
  },
};
const toolOf = (row: string): string => row.split(',')[0] as string;

/** The tools that a caller is offered, sorted. */
async function offered(token: string): Promise<string[]> {
  const { body } = await send(at.url, message('tools/list'), { token });
  return body.result.tools.map(({ name }: { name: string }) => name).sort();
}

/** What there is to find: a read shows the same of it in both ways. */
let known: string[];
const SHOWS = /^(list|search|read|find)/;
const success = (row: string, text: string): string =>
  `ok: ${known.filter((one) => SHOWS.test(row) && text.includes(`"${one}"`))}`;

/** Follows the sentence of a conflict. */
const HINT = '. If the item has changed, read it again.';

/** What a token gets of each row: from the tool, and from the operation. */
async function outcomes(token: string, place: Place) {
  const byTool: Record<string, string> = {};
  const byRest: Record<string, string> = {};
  const caller = at.with(`Bearer ${token}`);
  for (const [row, { input, rest }] of Object.entries(ROWS)) {
    const given = { team: at.team, workspace: place.workspace.slug, ...input?.(place) };
    const { isError, text } = await call(at.url, token, toolOf(row), given);
    byTool[row] = isError ? text.replace(HINT, '') : success(row, text);
    const { status, text: body, body: failed } = await rest(caller, place);
    const { code, message } = failed.error ?? {};
    byRest[row] = status === 200 ? success(row, body) : `${code}: ${message}`;
  }
  return { byTool, byRest };
}

/** In a private workspace, the default access is nobody's. */
const KINDS = [
  { visibility: 'public', defaultAccess: 'full' },
  { visibility: 'public', defaultAccess: 'read-only' },
  { visibility: 'private', defaultAccess: 'full' },
];
const ROLES = TEAM_ROLES.flatMap((team) =>
  [null, ...WORKSPACE_ROLES].map((workspace) => ({ team, workspace })),
);

/** A place of each kind, in which the same people have the same roles; and their tokens. */
const places: Place[] = [];
const tokens: string[] = [];
beforeAll(async () => {
  for (const kind of KINDS) places.push(await aPlace(kind));
  known = [at.team, ...places.flatMap((p) => [p.workspace.slug, p.other.slug, p.page.id])];
  tokens.push(tokenOf(somebody()));
  for (const { team, workspace } of ROLES) {
    const member = await aMember(at, at.team, team);
    tokens.push(tokenOf(member.person));
    if (workspace === null) continue;
    for (const { id } of places.flatMap((place) => [place.workspace, place.other])) {
      await giveRole(at, id, member, workspace);
    }
  }
});

async function aPlace(kind: object): Promise<Place> {
  // A name, and so a slug, that is no word of a response.
  const made = () => aWorkspace(at.ada, at.team, { name: freshSlug(), ...kind });
  const [workspace, other] = [await made(), await made()];
  const children = [{ title: TITLE, object: 'item', content: { text: 'x' } }];
  const [shelf] = await ok<[ItemBody]>(
    at.ada.post(`/collections/batch${workspace.query}`, { items: [{ name: 'Shelf', children }] }),
  );
  const [child] = shelf.children as [ItemBody];
  const { cursor } = await ok<{ cursor: string }>(
    at.ada.get(`${workspace.path}/collections/changes?limit=1000`),
  );
  const version = await aVersion(at, at.ada, child.id);
  return { workspace, other, page: child, version, spare: ['', ''], trashed: ['', ''], cursor };
}

/** The place, with what a caller may delete and restore. */
async function prepared(place: Place): Promise<Place> {
  const items = Array(4).fill({ object: 'item', title: 'Spare' });
  const made = await ok<ItemBody[]>(
    at.ada.post(`/collections/batch${place.workspace.query}`, { items }),
  );
  const [a, b, c, d] = made.map(({ id }) => id) as [string, string, string, string];
  for (const gone of [c, d]) await ok(at.ada.delete(`/collections/${gone}`));
  return { ...place, spare: [a, b], trashed: [c, d] };
}

test('every tool has a row', async () => {
  const named = [...new Set(Object.keys(ROWS).map(toolOf))];
  expect(await offered(tokenOf(at.ada.person))).toEqual(named.sort());
});

describe('a tool has the outcome of its operation', () => {
  test('for each role, in each kind of workspace', async () => {
    const inPlace = async (kind: object, place: Place) => {
      for (const [n, token] of tokens.entries()) {
        const about = { kind, caller: ROLES[n - 1] };
        const { byTool, byRest } = await outcomes(token, await prepared(place));
        expect({ ...about, ...byTool }).toEqual({ ...about, ...byRest });
      }
    };
    await Promise.all(KINDS.map((kind, i) => inPlace(kind, places[i] as Place)));
  });

  test('in an archived workspace', async () => {
    const place = await prepared(await aPlace({}));
    await ok(at.ada.post(`${place.workspace.path}/archive`));
    const { byTool, byRest } = await outcomes(tokenOf(at.ada.person), place);
    expect(byTool).toEqual(byRest);
    expect(byRest.create_item).toMatch(/ is archived: /);
  });

  test.each([
    ['without a scope', undefined],
    ['with another scope', 'openid email'],
    ['with teamspaces:read', 'openid teamspaces:read'],
    ['with teamspaces:write', 'teamspaces:write'],
    ['with teamspaces:manage', 'teamspaces:manage teamspaces:read'],
    ['with an unknown scope', 'teamspaces:everything'],
  ])('%s, and is offered if the scope suffices', async (_, scope) => {
    const token = signToken(SECRET, at.ada.person, { scope });
    const { byTool, byRest } = await outcomes(token, await prepared(places[0] as Place));
    expect(byTool).toEqual(byRest);
    const lacking = Object.keys(byRest).filter((row) => / lacks the scope /.test(`${byRest[row]}`));
    const others = Object.keys(byRest).filter((row) => `${byRest[row]}`.startsWith('ok: '));
    expect(lacking.length + others.length).toBe(Object.keys(ROWS).length);
    expect(await offered(token)).toEqual([...new Set(others.map(toolOf))].sort());
  });
});

test('the title of a page that is hidden from the caller names nothing', async () => {
  const { workspace } = places[2] as Place;
  await anItem(at.ada, workspace.query, { title: 'Hidden' });
  const textOf = async (token: string, id: string) =>
    (await call(at.url, token, 'read_page', { id })).text.replace(id, '');
  expect(await textOf(tokenOf(at.ada.person), 'Hidden')).toContain('"title":""');
  for (const token of tokens.slice(0, 2)) {
    expect(await textOf(token, 'Hidden')).toBe(await textOf(token, 'Nothing'));
  }
});
