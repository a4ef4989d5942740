import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BadRequestError,
  type Collection,
  ConflictError,
  createClient,
  ForbiddenError,
  InviteExpiredError,
  NoResponseError,
  NotFoundError,
  RateLimitError,
  type RetryOptions,
  type TeamspacesClient,
  TeamspacesError,
  UnauthorizedError,
  UnprocessableEntityError,
} from '../../clients/typescript/src/client.js';
import { nextCursor } from '../../clients/typescript/src/lists.js';
import { retryAfter } from '../../clients/typescript/src/retry.js';
import { somebody, tokenOf } from '../support/app.js';
import { freshSlug } from '../support/builders.js';
import { aMember } from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

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

describe('changes', () => {
  test('all items first, then what has changed since; the cursor comes after its changes', async () => {
    const { api, query } = await aPlace();
    for (let n = 0; n < 5; n++) await api.POST('/collections', { params: { query }, body: {} });
    const seen: string[] = [];
    let cursor: string | undefined;
    const follow = async () => {
      const onCursor = (next: string, more: boolean) => {
        cursor = next;
        seen.push(more ? 'more' : 'end');
      };
      for await (const { id, deleted } of api.changes(query, { cursor, limit: 2, onCursor })) {
        seen.push(deleted ? `-${id}` : id);
      }
      return seen.splice(0);
    };
    const tree = await api.GET('/collections', { params: { query } });
    const ids = tree.map(({ id }) => id).sort();
    const inPages = [...ids.slice(0, 2), 'more', ...ids.slice(2, 4), 'more', ids[4], 'end'];
    expect(await follow()).toEqual(inPages);
    await api.DELETE('/collections/{id}', { params: { path: { id: ids[1] as string } } });
    expect(await follow()).toEqual([`-${ids[1]}`, 'end']);
    expect(await follow()).toEqual(['end']);
  });

  test('with wait, it goes on until the signal aborts', async () => {
    const { api, query } = await aPlace();
    const leaving = new AbortController();
    const names: (string | undefined)[] = [];
    const following = (async () => {
      for await (const { item } of api.changes(query, { wait: 25, signal: leaving.signal })) {
        names.push(item?.name);
        if (names.length === 2) leaving.abort();
      }
    })();
    for (const name of ['One', 'Two']) {
      await api.POST('/collections', { params: { query }, body: { name } });
    }
    await expect(following).rejects.toThrow(/abort/i);
    expect(names).toEqual(['One', 'Two']);
  });

  test('a cursor that is too old: ConflictError; of another feed: BadRequestError', async () => {
    const { api, query } = await aPlace();
    let cursor = '';
    const onCursor = (next: string) => {
      cursor = next;
    };
    for await (const _ of api.changes(query, { onCursor }));
    await sql(at.databaseUrl, 'UPDATE workspaces SET tree_stamp = gen_random_uuid()');
    await expect(api.changes(query, { cursor }).next()).rejects.toThrow(ConflictError);
    await expect(api.changes(query, { cursor: 'x' }).next()).rejects.toThrow(BadRequestError);
  });
});

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

test('raw returns headers, and a changed item rejects an older If-Match', async () => {
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

describe('the address', () => {
  test('without http:// or https:// is refused at once, in a sentence that quotes it', async () => {
    const rows = [
      'localhost:3000',
      'teamspaces.example.com',
      '//teamspaces.example.com',
      '/api',
      '',
      'https://',
      'https://teamspaces example.com',
      'https://teamspaces.example.com ',
      'ftp://teamspaces.example.com',
      'file:///srv/teamspaces',
      'https://teamspaces.example.com?a=1',
      'https://teamspaces.example.com/api#a',
    ];
    const wrong = await offenders(rows, async (baseUrl) => {
      const message = `baseUrl must be an address that begins with http:// or https:// and has no query, such as https://teamspaces.example.com; it is "${baseUrl}"`;
      expect(() => createClient({ baseUrl, token: 'x' })).toThrow(new TypeError(message));
    });
    expect(wrong).toEqual([]);
  });

  test('may have a path, a slash at the end, and capital letters', async () => {
    const sentTo = async (baseUrl: string) => {
      const sent: string[] = [];
      const fetch = async ({ url }: Request) => {
        sent.push(url);
        return Response.json({});
      };
      await createClient({ baseUrl, token: 'x', fetch }).me();
      return sent.join();
    };
    expect(await sentTo('http://localhost:3000')).toBe('http://localhost:3000/me');
    expect(await sentTo('http://[::1]:3000/')).toBe('http://[::1]:3000/me');
    expect(await sentTo('https://example.com/api')).toBe('https://example.com/api/me');
    expect(await sentTo('HTTPS://Example.com/api/')).toBe('https://example.com/api/me');
  });
});

describe('a path parameter that would lead to another resource', () => {
  const BAD = ['', '.', '..'];

  test('is refused before a request leaves', async () => {
    const sent: string[] = [];
    const fetch = async (request: Request) => {
      sent.push(`${request.method} ${request.url}`);
      return Response.json({});
    };
    const client = createClient({ baseUrl: at.url, token: 'x', fetch });
    const rows = BAD.flatMap((bad): [string, string, () => PromiseLike<unknown>][] => {
      const { members, pages, trash } = client.workspace('acme', bad);
      const path = { team_slug: 'acme', invite_id: bad };
      const invite = '/teams/{team_slug}/invites/{invite_id}';
      return [
        ['workspace_slug', bad, () => members.remove({ userId: 'x' })],
        ['workspace_slug', bad, () => trash.empty()],
        ['workspace_slug', bad, () => members.list()],
        ['workspace_slug', bad, () => pages.get('x')],
        ['team_slug', bad, () => client.teams.get(bad)],
        ['id', bad, () => client.workspace('acme', 'docs').pages.delete(bad)],
        ['invite_id', bad, () => client.raw.DELETE(invite, { params: { path } })],
      ];
    });
    const refused = await offenders(rows, async ([name, , call]) => {
      await expect(call()).rejects.toThrow(new TypeError(`${name} must not be empty, "." or ".."`));
    });
    expect([refused, sent]).toEqual([[], []]);
  });

  test('is sent as it is where it only looks like one', async () => {
    const { slug, person } = await aPlace();
    const client = clientOf(person);
    const { id: userId } = await aMember(at, slug, 'member');
    const others = ['%2e%2e', '..%2f..', '../..', '%2E', '..\\..', '.\t.', '..;', '...', '..\0'];
    const wrong = await offenders(others, (other) =>
      expect(client.workspace(slug, other).members.remove({ userId })).rejects.toBeInstanceOf(
        TeamspacesError,
      ),
    );
    expect(wrong).toEqual([]);
    const members = await client.team(slug).members.list();
    expect(members.map(({ _id }) => _id)).toContain(userId);
  });
});

describe('retries', () => {
  type Handler = (request: IncomingMessage, response: ServerResponse) => void;

  interface Seen {
    method: string;
    key: string | undefined;
    body: string;
  }

  let stop: (() => void) | undefined;
  afterEach(() => stop?.());

  /** A server that gives these responses, one a request, and then 200; and what it was sent. */
  async function serverOf(...handlers: Handler[]) {
    const seen: Seen[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const key = request.headers['idempotency-key'] as string | undefined;
      seen.push({ method: `${request.method}`, key, body });
      const handler = handlers.shift() ?? reply(200, { _id: '1' });
      handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stop = () => server.close().closeAllConnections();
    const { port } = server.address() as AddressInfo;
    const api = (retry?: RetryOptions) =>
      createClient({
        baseUrl: `http://127.0.0.1:${port}`,
        token: 'token',
        ...(retry && { retry }),
      });
    return { seen, api };
  }

  const reply =
    (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
    (_, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));

  const failed = (code: string) => ({ error: { code, message: code } });
  const busy = (after: string) =>
    reply(429, failed('rate_limit_exceeded'), { 'retry-after': after });
  const drop: Handler = (request) => request.socket.destroy();

  const team = { body: { name: 'Acme', slug: 'acme' } };
  const item = { params: { path: { id: '1' } }, body: { name: 'Guides' } };
  const underMatch = { params: { path: { id: '1' }, header: { 'If-Match': '"1"' } }, body: {} };

  describe('a request is sent again', () => {
    test('after 429, when Retry-After has passed: in seconds or as a date', async () => {
      const { seen, api } = await serverOf(busy('0'), busy(new Date().toUTCString()));
      await api().GET('/me');
      expect(seen).toHaveLength(3);
    });

    test('with the same body and the same Idempotency-Key, where it is a POST', async () => {
      const { seen, api } = await serverOf(drop, reply(500, failed('internal_server_error')));
      await api().POST('/teams', team);
      expect(seen.map(({ body }) => JSON.parse(body))).toEqual([team.body, team.body, team.body]);
      expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    });

    test('while the same Idempotency-Key is at work', async () => {
      const { seen, api } = await serverOf(reply(409, failed('conflict'), { 'retry-after': '0' }));
      await api().POST('/teams', { ...team, headers: { 'Idempotency-Key': 'mine' } });
      expect(seen.map(({ key }) => key)).toEqual(['mine', 'mine']);
    });

    test('after a conflict with Retry-After, under If-Match and as a PATCH, too', async () => {
      const held = () => reply(409, failed('conflict'), { 'retry-after': '0' });
      const { seen, api } = await serverOf(held(), reply(200, {}), held());
      await api().PUT('/collections/{id}', underMatch);
      const patch = {
        params: { path: { id: '1' } },
        body: [],
        headers: { 'Idempotency-Key': 'x' },
      };
      await api().PATCH('/collections/{id}/content', patch);
      expect(seen.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'PATCH', 'PATCH']);
    });

    test('after a lost connection, where it is a PUT', async () => {
      const { seen, api } = await serverOf(drop);
      await api().PUT('/collections/{id}', item);
      expect(seen).toHaveLength(2);
    });

    test('after a response that breaks off, and says why', async () => {
      const broken: Handler = (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
        response.write('{"_id":', () => response.destroy());
      };
      const { seen, api } = await serverOf(broken);
      const told: string[] = [];
      const onRetry = (reason: string) => told.push(reason);
      expect(await api({ onRetry }).POST('/teams', team)).toEqual({ _id: '1' });
      expect(seen).toHaveLength(2);
      expect(told).toEqual([expect.stringMatching(/^http:.* does not respond: /)]);
    });

    test('after 503 of the balancer: no instance is ready, and nothing was done', async () => {
      const away = reply(503, failed('internal_server_error'), { 'retry-after': '0' });
      const { seen, api } = await serverOf(away, away);
      await api().DELETE('/collections/{id}', { params: { path: { id: '1' } } });
      expect(seen).toHaveLength(3);
    });

    test('after 502 of the balancer, where it has a key', async () => {
      const lost = reply(502, failed('internal_server_error'), { 'retry-after': '0' });
      const { seen, api } = await serverOf(lost);
      await api().POST('/teams', team);
      expect(seen).toHaveLength(2);
    });

    test('under If-Match only where nothing was done', async () => {
      const { seen, api } = await serverOf(busy('0'), drop);
      await expect(api().PUT('/collections/{id}', underMatch)).rejects.toBeInstanceOf(
        NoResponseError,
      );
      expect(seen).toHaveLength(2);
    });
  });

  describe('a request is not sent again', () => {
    test('after 502 of the balancer, where it is a DELETE', async () => {
      const lost = reply(502, failed('internal_server_error'), { 'retry-after': '0' });
      const { seen, api } = await serverOf(lost);
      const deletion = api().DELETE('/collections/{id}', { params: { path: { id: '1' } } });
      await expect(deletion).rejects.toMatchObject({ code: 'internal_server_error', status: 502 });
      expect(seen).toHaveLength(1);
    });

    test('after a lost connection, where it is a DELETE', async () => {
      const { seen, api } = await serverOf(drop);
      const deletion = api().DELETE('/collections/{id}', { params: { path: { id: '1' } } });
      await expect(deletion).rejects.toBeInstanceOf(NoResponseError);
      expect(seen).toHaveLength(1);
    });

    test('after a conflict', async () => {
      const { seen, api } = await serverOf(reply(409, failed('conflict')));
      await expect(api().POST('/teams', team)).rejects.toThrow('conflict');
      expect(seen).toHaveLength(1);
    });

    test('more often than attempts allow', async () => {
      const { seen, api } = await serverOf(busy('0'), busy('0'), busy('0'));
      await expect(api({ attempts: 2 }).GET('/me')).rejects.toBeInstanceOf(RateLimitError);
      expect(seen).toHaveLength(2);
    });

    test('when the wait is longer than longestWait', async () => {
      const { seen, api } = await serverOf(busy('120'));
      await expect(api().GET('/me')).rejects.toBeInstanceOf(RateLimitError);
      expect(seen).toHaveLength(1);
    });

    test('once its signal is aborted', async () => {
      const { seen, api } = await serverOf(busy('30'));
      const aborting = new AbortController();
      const call = api().GET('/me', { signal: aborting.signal });
      while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      aborting.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      expect(seen).toHaveLength(1);
    });
  });

  test('a response of a proxy is an error without a code', async () => {
    const { api } = await serverOf((_, response) => response.writeHead(502).end('<h1>Bad</h1>'));
    const call = api({ attempts: 1 }).GET('/me');
    await expect(call).rejects.toMatchObject({ code: null, status: 502 });
    await expect(call).rejects.toBeInstanceOf(TeamspacesError);
  });

  test('a success that is no JSON is an error without a code', async () => {
    const { api } = await serverOf((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>'),
    );
    await expect(api().GET('/me')).rejects.toMatchObject({ code: null, status: 200 });
  });

  test('Retry-After determines the wait', async () => {
    const wrong = await offenders(
      [
        ['0', 0],
        ['7', 7_000],
        ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
        ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
        ['soon', null],
        ['', null],
        [null, null],
      ],
      ([header, wait]) => {
        expect(retryAfter(header, Date.UTC(2026, 0, 1))).toBe(wait);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('the Link leads to a cursor', async () => {
    const wrong = await offenders(
      [
        ['</collections?limit=2&cursor=abc>; rel="next"', 'abc'],
        [
          '<https://elsewhere.example/?cursor=x>; rel=prev, <https://a.example/?cursor=y>; rel=next',
          'y',
        ],
        ['<https://a.example/?cursor=x>; rel="prev"', null],
        [null, null],
      ],
      ([link, cursor]) => {
        expect(nextCursor(link)).toBe(cursor);
      },
    );
    expect(wrong).toEqual([]);
  });
});
