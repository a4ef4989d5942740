import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { holdWorkspace } from '../support/locks.js';
import { aMember, type Known } from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

// Every operation of the document that writes content is refused in each state of its workspace, and by each lack of
// rights. A new operation is in it without anybody's doing.

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}', RATE_LIMIT_PER_MINUTE: '0' },
  once: 'team',
});

interface Media {
  examples?: Record<string, { value: unknown }>;
  schema?: { $ref?: string };
}

interface Documented {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Media> } }>>;
  components: { schemas: Record<string, { example?: unknown }> };
}

/** An operation that writes content, in its short form. */
interface Operation {
  method: 'post' | 'put' | 'patch' | 'delete';
  path: string;
  body: unknown;
}

const LONG_FORM = '/teams/{team_slug}/workspaces/{workspace_slug}/collections';
let operations: Operation[];
let bob: Known;
beforeAll(async () => {
  const { body: document } = await at.with(null).get('/openapi.json');
  operations = writesIn(document as Documented);
  bob = await aMember(at, at.team, 'member');
});

function writesIn({ paths, components }: Documented): Operation[] {
  const isContent = (path: string) => path.startsWith('/collections');
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => isContent(path) && method !== 'get')
      .map(([method, { requestBody }]) => {
        const [media] = Object.values(requestBody?.content ?? {});
        const [example] = Object.values(media?.examples ?? {});
        const schema = components.schemas[media?.schema?.$ref?.split('/').at(-1) ?? ''];
        const body = example ? example.value : schema?.example;
        return { method: method as Operation['method'], path, body };
      }),
  );
}

/** A workspace with all that an operation may be about, and the operation on it. */
interface Target {
  workspace: Awaited<ReturnType<typeof aWorkspace>>;
  /** Another one of the team. */
  other: Target['workspace'];
  shelf: ItemBody;
  page: ItemBody;
  /** After the page. */
  next: ItemBody;
  deleted: ItemBody;
}

async function aTarget(): Promise<Target> {
  const workspace = await aWorkspace(at.ada, at.team);
  const other = await aWorkspace(at.ada, at.team);
  const { query } = workspace;
  const shelf = await anItem(at.ada, query, { name: 'Shelf' });
  const content = { text: 'Before' };
  const page = await anItem(at.ada, query, { object: 'item', parent: shelf.id, content });
  await ok(at.ada.put(`/collections/${page.id}`, { content: { text: 'After' } }));
  const next = await anItem(at.ada, query, { object: 'item', parent: shelf.id });
  const deleted = await anItem(at.ada, query, { name: 'Deleted' });
  await ok(at.ada.delete(`/collections/${deleted.id}`));
  return { workspace, other, shelf, page, next, deleted };
}

/** The members of a body that name something, as something that is there. */
function namesIn(body: unknown, { other, shelf, page, next }: Target): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const named: Record<string, unknown> = {
    ...{ id: page.id, parent: shelf.id, newParent: null, workspace_slug: other.slug },
  };
  const isOrder = Object.keys(body).sort().join() === 'children,parent';
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (isOrder && name === 'children') return [name, [next.id, page.id]];
      return [name, name in named ? named[name] : value];
    }),
  );
}

/** The ways to call an operation: in the short form, in the long form and, on one item, by its id alone. */
function callsOf({ method, path, body }: Operation, target: Target): ((by: Known) => Sent)[] {
  const { workspace, page, deleted } = target;
  const id = path.startsWith('/collections/trash/') ? deleted.id : page.id;
  const fill = (text: string) =>
    text
      .replace('{team_slug}', at.team)
      .replace('{workspace_slug}', workspace.slug)
      .replace('{id}', id)
      .replace('{version}', '1');
  const forms = [
    `${fill(path)}${workspace.query}`,
    fill(path.replace('/collections', LONG_FORM)),
    ...(path.includes('{id}') ? [fill(path)] : []),
  ];
  return forms.map((form) => (by) => by[method](form, namesIn(body, target)));
}
type Sent = ReturnType<Known['get']>;

/** What the operation answers in each form. */
const statuses = async (operation: Operation, target: Target, by: Known): Promise<number[]> => {
  const answers: number[] = [];
  for (const call of callsOf(operation, target)) answers.push((await call(by)).status);
  return answers;
};

type State = (target: Target) => Promise<{ by: Known; status: number }>;

const update = (body: object) => (target: Target) => ok(at.ada.put(target.workspace.path, body));
const remove = ({ workspace }: Target) => ok(at.ada.delete(workspace.path));

const STATES: Record<string, State> = {
  'a reader': async (target) => {
    await update({ defaultAccess: 'read-only' })(target);
    return { by: bob, status: 403 };
  },
  'no access': async (target) => {
    await update({ visibility: 'private' })(target);
    return { by: bob, status: 404 };
  },
  archived: async ({ workspace }) => {
    await ok(at.ada.post(`${workspace.path}/archive`));
    return { by: at.ada, status: 409 };
  },
  'in the trash': async (target) => {
    await remove(target);
    return { by: at.ada, status: 404 };
  },
  purged: async (target) => {
    await remove(target);
    await ok(at.ada.delete(`/teams/${at.team}/trash/${target.workspace.id}`));
    return { by: at.ada, status: 404 };
  },
};

test('the document has operations that write content, and each is possible', async () => {
  expect(operations.length).toBeGreaterThan(14);
  const refused = await offenders(operations, async (operation) => {
    const target = await aTarget();
    const [call] = callsOf(operation, target) as [(by: Known) => Sent];
    await ok(call(at.ada));
  });
  expect(refused).toEqual([]);
});

test.each(Object.entries(STATES))(
  'every operation that writes content is refused: %s',
  async (_name, enter) => {
    const target = await aTarget();
    const { by, status } = await enter(target);
    const before = await contentOf(target);
    const wrong = await offenders(operations, async (operation) => {
      const answers = await statuses(operation, target, by);
      expect(answers).toEqual(answers.map(() => status));
    });
    expect(wrong).toEqual([]);
    expect(await contentOf(target)).toEqual(before);
  },
);

test('what comes from or goes to an archived workspace is refused as what is written in it', async () => {
  const between = operations.filter(({ body }) => 'workspace_slug' in ((body ?? {}) as object));
  expect(between.map(({ path }) => path)).toContain('/collections/{id}/transfer');
  const target = await aTarget();
  await ok(at.ada.post(`${target.other.path}/archive`));
  const wrong = await offenders(between, async (operation) => {
    expect(new Set(await statuses(operation, target, at.ada))).toEqual(new Set([409]));
  });
  expect(wrong).toEqual([]);
});

test('a write that began before its workspace was archived is refused, too, if it is not done by then', async () => {
  const wrong = await offenders(operations, async (operation) => {
    const target = await aTarget();
    const { workspace } = target;
    const before = await contentOf(target);
    const lock = await holdWorkspace(at.databaseUrl, workspace.id);
    const archive = Promise.resolve(at.ada.post(`${workspace.path}/archive`));
    await lock.waiting(1);
    const [call] = callsOf(operation, target) as [(by: Known) => Sent];
    const write = Promise.resolve(call(at.ada));
    await lock.waiting(2);
    await lock.release();
    expect([(await archive).status, (await write).status]).toEqual([200, 409]);
    expect((await write).body.error.message).toBe(
      'workspace Workspace is archived: unarchive it to change its content',
    );
    expect(await contentOf(target)).toEqual(before);
  });
  expect(wrong).toEqual([]);
});

/** The tree, its version and the trash; null where there is none any more. */
async function contentOf({ workspace }: Target) {
  const { ada } = at;
  const { status, body } = await ada.get(workspace.path);
  if (status !== 200) return null;
  const trash = await ok(ada.get(`/collections/trash${workspace.query}`));
  return { version: body.version, tree: await theTree(ada, workspace.query), trash };
}
