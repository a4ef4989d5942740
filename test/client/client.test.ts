import {
  BadRequestError,
  type Collection,
  ConflictError,
  createClient,
  ForbiddenError,
  InviteExpiredError,
  NotFoundError,
  type TeamspacesClient,
  TeamspacesError,
  UnauthorizedError,
  UnprocessableEntityError,
} from '../../clients/typescript/src/client.js';
import { somebody, tokenOf } from '../support/app.js';
import { freshSlug } from '../support/builders.js';
import { scene } from '../support/scene.js';

const at = scene({ env: { INVITE_TTL_SECONDS: '1' } });

const optionsOf = (person = somebody()) => ({
  baseUrl: at.url,
  token: async () => tokenOf(person),
});
const clientOf = (person = somebody()) => createClient(optionsOf(person));
const clientIn = (teamId: string, person = somebody()) =>
  createClient({ ...optionsOf(person), teamId });

/** A team with a workspace, and a client whose default team it is. */
async function aPlace() {
  const person = somebody();
  const api = clientOf(person);
  const slug = freshSlug();
  const team = await api.POST('/teams', { body: { name: 'Acme', slug } });
  const path = { team_slug: slug };
  await api.POST('/teams/{team_slug}/workspaces', {
    params: { path },
    body: { name: 'Handbook' },
  });
  const query = { workspace_slug: 'handbook' };
  return { person, slug, team, query, api: clientIn(team._id, person) };
}

describe('a default team', () => {
  test('finds the workspace of calls on collections', async () => {
    const { api, team, query } = await aPlace();
    const item = await api.POST('/collections', { params: { query }, body: {} });
    expect(item).toMatchObject({ name: 'Untitled', object: 'collection', team: team._id });
    expect(await api.GET('/collections', { params: { query } })).toHaveLength(1);
  });

  test('gives way to the team that a call names', async () => {
    const { person, query, slug } = await aPlace();
    const other = clientIn((await aPlace()).team._id, person);
    const named = { params: { query: { ...query, team_slug: slug } } };
    expect(await other.GET('/collections', named)).toEqual([]);
  });

  test('leaves calls alone that are about no team, or have it in the path', async () => {
    const { api, slug } = await aPlace();
    expect(await api.GET('/teams')).toHaveLength(1);
    const params = { path: { team_slug: slug } };
    expect(await api.GET('/teams/{team_slug}/workspaces', { params })).toHaveLength(1);
  });
});

describe('a call that the service refuses for what it lacks', () => {
  test('does not compile without the workspace, or without a team that anything names', async () => {
    const { person, slug, team, query, api } = await aPlace();
    const none = clientOf(person);
    const calls: (() => Promise<unknown>)[] = [
      // @ts-expect-error: neither team nor workspace
      () => none.GET('/collections'),
      // @ts-expect-error: no team
      () => none.GET('/collections', { params: { query } }),
      // @ts-expect-error: no workspace
      () => none.POST('/collections', { params: { query: { team_slug: slug } }, body: {} }),
      // @ts-expect-error: no team
      () => none.POST('/collections/batch', { params: { query }, body: { items: [{}] } }),
      // @ts-expect-error: no team
      () => none.POST('/collections/reorder', { params: { query }, body: { id: '1', index: 0 } }),
      // @ts-expect-error: no team
      () => none.PUT('/collections/order', { params: { query }, body: { children: [] } }),
      () =>
        none.GET('/collections/by-slug/{slug}', {
          // @ts-expect-error: no team
          params: { path: { slug: 'first-day' }, query },
        }),
      // @ts-expect-error: no workspace, whatever the team
      () => api.GET('/collections'),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(BadRequestError);
    // @ts-expect-error: no team
    expect((await none.raw.GET('/collections', { params: { query } })).response.status).toBe(400);
    // @ts-expect-error: no team
    await expect(none.list('/collections', { params: { query } }).next()).rejects.toThrow();

    const item = await api.POST('/collections', { params: { query }, body: {} });
    const named = { params: { query: { team_slug: slug, ...query } } };
    expect(await none.GET('/collections', named)).toHaveLength(1);
    expect(await api.raw.GET('/collections', { params: { query } })).toHaveProperty('data');
    // An item is found by its id alone, and a client with a default team can do what others can.
    const params = { path: { id: item.id } };
    const anyClient: TeamspacesClient = api;
    expect(await anyClient.GET('/collections/{id}', { params })).toMatchObject({ team: team._id });
  });
});

describe('list', () => {
  test('walks over every element, page after page', async () => {
    const { api, query } = await aPlace();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) {
      await api.POST('/collections', { params: { query }, body: { name } });
    }
    const walk = async (limit: number) => {
      const found: string[] = [];
      const params = { query: { ...query, limit } };
      for await (const item of api.list('/collections', { params })) found.push(item.name);
      return found;
    };
    expect(await walk(2)).toEqual(names);
    expect(await walk(5)).toEqual(names);
  });

  test('walks over lists of people', async () => {
    const { api, slug } = await aPlace();
    const params = { path: { team_slug: slug } };
    const roles: string[] = [];
    for await (const member of api.list('/teams/{team_slug}/members', { params })) {
      roles.push(member.role);
    }
    expect(roles).toEqual(['owner']);
  });
});

describe('errors', () => {
  test('are of the class that belongs to their code', async () => {
    const { api, slug, query } = await aPlace();
    const stranger = clientOf();
    const page = await api.POST('/collections', { params: { query }, body: { object: 'item' } });
    const params = { path: { team_slug: slug } };
    const body = { name: 'Acme', slug };
    const cases: [() => Promise<unknown>, typeof TeamspacesError][] = [
      [() => api.POST('/teams', { body: { name: '', slug: 'acme' } }), BadRequestError],
      [() => createClient({ baseUrl: at.url, token: 'none' }).GET('/me'), UnauthorizedError],
      [() => stranger.GET('/teams/{team_slug}', { params }), ForbiddenError],
      [() => api.GET('/collections/{id}', { params: { path: { id: 'none' } } }), NotFoundError],
      [() => api.POST('/teams', { body }), ConflictError],
      [
        () => api.POST('/collections', { params: { query }, body: { parent: page.id } }),
        UnprocessableEntityError,
      ],
    ];
    for (const [call, Class] of cases) await expect(call()).rejects.toBeInstanceOf(Class);
  });

  test('carry what the service says', async () => {
    const { api, slug } = await aPlace();
    const error = await failure(api.POST('/teams', { body: { name: 'Acme', slug } }));
    expect(error).toMatchObject({
      name: 'ConflictError',
      code: 'conflict',
      status: 409,
      message: `slug ${slug} is already taken: choose another one`,
      docUrl: 'http://localhost:3000/api-reference/errors#conflict',
    });
  });

  test('say that an invite has expired', async () => {
    const { api, slug } = await aPlace();
    const guest = somebody();
    const { users } = await api.POST('/teams/{team_slug}/invites', {
      params: { path: { team_slug: slug } },
      body: { invites: [{ email: guest.email, role: 'member' }] },
    });
    const path = { invite_id: `${users[0]?._id}` };
    const expires = Date.parse(`${users[0]?.expires}`);
    await new Promise((resolve) => setTimeout(resolve, expires - Date.now() + 50));
    const accept = clientOf(guest).POST('/invites/{invite_id}/accept', { params: { path } });
    await expect(accept).rejects.toBeInstanceOf(InviteExpiredError);
  });
});

test('raw answers headers, and a changed item refuses an older If-Match', async () => {
  const { api, query } = await aPlace();
  const item: Collection = await api.POST('/collections', { params: { query }, body: {} });
  const path = { id: item.id };
  const { response } = await api.raw.GET('/collections/{id}', { params: { path } });
  const header = { 'If-Match': response.headers.get('etag') ?? '' };
  const rename = (name: string) =>
    api.PUT('/collections/{id}', { params: { path, header }, body: { name } });
  expect((await rename('Guides')).name).toBe('Guides');
  await expect(rename('Later')).rejects.toBeInstanceOf(ConflictError);
});

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => Promise.reject(new Error('the call went through')),
    (error: unknown) => error,
  );
}
