import { describeWith } from '../support/programs.js';
import {
  type Connect,
  currentClient,
  type Exchange,
  Login,
  type Model,
  previousClient,
} from './mcp-clients.js';
import { logged, type McpScene, startMcpScene } from './mcp-scene.js';

const CLIENTS: [string, string, Connect][] = [
  ['the official client', '2026-07-28', currentClient('auto')],
  [
    'the official client, which asks for the revision before,',
    '2025-11-25',
    currentClient('legacy'),
  ],
  ['the official client of the generation before', '2025-11-25', previousClient],
];

const SCOPES = 'teamspaces:read teamspaces:write teamspaces:manage offline_access';

const ORIGIN = 'https://chat.example.com';

describeWith('haproxy')('models behind the balancer', () => {
  let at: McpScene;
  beforeAll(async () => {
    at = await startMcpScene([ORIGIN]);
  }, 300_000);
  afterAll(() => at?.stop(), 60_000);

  describe.each(CLIENTS)('%s', (name, revision, connect) => {
    const login = new Login();
    const heard: Exchange[] = [];
    let model: Model;
    beforeAll(async () => {
      model = await connect(at.url, login, { provider: at.provider, heard });
    });
    afterAll(() => model?.close());

    test('is told where its user logs in, with PKCE, for this service alone', () => {
      const metadata = `${at.publicUrl}/.well-known/oauth-protected-resource/mcp`;
      expect(heard[0]).toMatchObject({
        answer: 'POST 401',
        challenge: `Bearer resource_metadata="${metadata}"`,
      });
      expect(login.addresses).toHaveLength(1);
      const [address] = login.addresses as [URL];
      expect(address.origin).toBe(at.provider.issuer);
      expect(Object.fromEntries(address.searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        resource: at.url.href,
        scope: SCOPES,
      });
    });

    test(`speaks revision ${revision}, finds the tools, and calls them as its user`, async () => {
      expect(model.revision).toBe(revision);
      expect(await model.tools()).toEqual(
        expect.arrayContaining(['list_teams', 'search', 'read_page', 'create_item', 'delete_item']),
      );
      expect(await model.call('list_teams', {})).toMatchObject({
        teams: [{ name: 'Acme', slug: 'acme', role: 'owner' }],
      });
      const docs = { team: 'acme', workspace: 'docs' };
      const title = `Written by ${name} ${revision}`;
      const page = { ...docs, kind: 'page', title, content: { text: 'Hello' } };
      const { id, slug } = (await model.call('create_item', page)) as { id: string; slug: string };
      expect(await model.call('search', { ...docs, query: title })).toMatchObject({
        items: [{ id, title }],
      });
      const address = `teamspaces://acme/docs/${slug}`;
      expect(JSON.parse(await model.read(address))).toMatchObject({
        id,
        content: { text: 'Hello' },
      });
    });

    test('is told by a sentence what a call has got wrong', async () => {
      await expect(model.call('list_workspaces', { team: 'nobodys' })).rejects.toThrow(
        /^not_found: /,
      );
    });

    test('uses both instances, each call another one, and no change is lost', async () => {
      const before = at.requests();
      const docs = { team: 'acme', workspace: 'docs' };
      const head = async (tool: string, input: object) =>
        (await model.call(tool, input)) as { id: string; etag: string };
      for (let n = 0; n < 10; n++) {
        const { id } = await head('create_item', { ...docs, kind: 'page', title: `Page ${n}` });
        const { etag } = await head('read_page', { id });
        await head('update_item', { id, etag, content: { text: 'first' } });
        await expect(
          head('update_item', { id, etag, content: { text: 'of one who has not seen it' } }),
        ).rejects.toThrow(/^conflict: /);
        const page = await head('read_page', { id });
        expect(page).toMatchObject({ title: `Page ${n}`, content: { text: 'first' } });
        await model.call('delete_item', { id, etag: page.etag });
      }
      await logged(at, before.reduce((sum, some) => sum + some, 0) + 60);
      const each = at.requests().map((count, n) => count - (before[n] ?? 0));
      expect(each.filter((count) => count < 20)).toEqual([]);
    });

    test('keeps its user logged in: an expired token is refreshed', async () => {
      login.expire();
      expect(await model.call('list_teams', {})).toMatchObject({ teams: [{ slug: 'acme' }] });
      expect(login.addresses).toHaveLength(1);
    });

    test('hears JSON, and that there is neither a stream nor a session', () => {
      const types = (of: string) =>
        new Set(heard.filter(({ answer }) => answer === of).map(({ type }) => type));
      const answers = new Set(heard.map(({ answer }) => answer));
      // A notification has no answer, whatever its type.
      const expected = ['POST 200', 'POST 202', 'POST 401', 'GET 405'];
      expect([...answers].filter((answer) => !expected.includes(answer))).toEqual([]);
      for (const answer of ['POST 200', 'POST 401'])
        expect([...types(answer)]).toEqual([expect.stringMatching(/^application\/json\b/)]);
      expect(heard.filter(({ session }) => session !== null)).toEqual([]);
    });

    test('may run in a web page of an allowed origin: each header that it sends is allowed', async () => {
      const sent = [...new Set(heard.flatMap(({ sent: names }) => names))];
      const preflight = await fetch(at.url, {
        method: 'OPTIONS',
        headers: {
          origin: ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': sent.join(','),
        },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      const listed = `${preflight.headers.get('access-control-allow-headers')}`.toLowerCase();
      const allowed = [...listed.split(/, */), 'accept'];
      expect(sent.filter((name) => !allowed.includes(name))).toEqual([]);
    });
  });
});
