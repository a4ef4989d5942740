import {
  ConflictError,
  createClient,
  type TeamspacesClient,
} from '../../clients/typescript/src/client.js';
import { startHaproxy } from '../instances/haproxy.js';
import { tokenOf } from '../support/app.js';
import { freshSlug } from '../support/builders.js';
import { ownServer } from '../support/model-client.js';
import { startCompressingNginx } from '../support/nginx.js';
import { describeWith } from '../support/programs.js';
import { scene } from '../support/scene.js';

const at = scene({ once: 'team', each: 'workspace' });

const PROXIES = {
  // As docs/deploy.md says, but short responses are compressed, too.
  nginx: () => startCompressingNginx(at.url, { minLength: 1 }),
  haproxy: () => startHaproxy([Number(new URL(at.url).port)]),
};

const content = { text: 'word '.repeat(1000) };

describe.each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])(
  'behind %s, which compresses',
  (name) => {
    describeWith(name)('', () => {
      let proxy: { url: string; stop(): Promise<void> };
      /** Of all responses so far: those that were compressed, and the ETags of those. */
      let compressed = 0;
      const etags: string[] = [];
      let client: TeamspacesClient;

      beforeAll(async () => {
        proxy = await PROXIES[name]();
        client = createClient({
          ...{ baseUrl: proxy.url, token: tokenOf(at.ada.person) },
          fetch: async (request) => {
            const response = await fetch(request);
            if (response.headers.get('content-encoding') === 'gzip') compressed++;
            if (response.status === 200) etags.push(response.headers.get('etag') ?? '');
            return response;
          },
        });
      });
      afterAll(() => proxy?.stop());
      beforeEach(() => {
        compressed = 0;
        etags.length = 0;
      });

      // Otherwise the test shows nothing.
      afterEach(() => {
        expect(compressed).toBeGreaterThan(0);
        expect(etags.filter((etag) => etag !== '' && !etag.startsWith('W/'))).toEqual([]);
      });

      const place = () => client.workspace(at.team, at.workspace.slug);
      const aPage = () => place().pages.create({ name: 'Page', content });

      test('a list is compressed, and is 304 for its ETag', async () => {
        const items = Array.from({ length: 446 }, (_, n) => ({ name: `Page ${n}` }));
        await place().tree.createMany({ items });
        const path = '/collections';
        const query = { team_slug: at.team, workspace_slug: at.workspace.slug };
        const { data, response } = await client.raw.GET(path, { params: { query } });
        expect(data).toHaveLength(446);
        const etag = String(response.headers.get('etag'));
        const header = { 'If-None-Match': etag };
        const again = await client.raw.GET(path, { params: { query, header } });
        expect(again.response.status).toBe(304);
      });

      test('each write of an item accepts the ETag that its record remembers, once', async () => {
        const { pages, tree } = place();
        const shelf = await place().collections.create({ name: 'Shelf' });
        const other = await client.team(at.team).workspaces.create({ name: freshSlug() });
        const page = await aPage();
        const writes: Record<string, () => Promise<unknown>> = {
          update: () => pages.update(page, { name: 'Renamed' }),
          patch: () => pages.patch(page, [{ op: 'add', path: '/n', value: 1 }]),
          restore: async () => {
            const [version] = await pages.versions(page);
            return pages.restore(page, Number(version?.version));
          },
          move: () => pages.move(page, { index: 0, newParent: shelf.id }),
          duplicate: () => pages.duplicate(page, {}),
          transfer: () => pages.transfer(page, { workspace_slug: other.meta.slug }),
          delete: () => client.items.delete(page),
        };
        const offenders: unknown[] = [];
        for (const [write, run] of Object.entries(writes)) {
          Object.assign(page, await client.items.get(page.id));
          // Somebody else saves.
          await client.items.update(page.id, { content: { ...content, write } });
          const stale = await run().catch((error: unknown) => error);
          if (!(stale instanceof ConflictError)) offenders.push([write, 'stale', stale]);
          Object.assign(page, await client.items.get(page.id));
          await run().catch((error: unknown) => offenders.push([write, error]));
        }
        expect(offenders).toEqual([]);
        expect(await tree.list()).toMatchObject([{ name: 'Shelf' }]);
      });

      test('so do writes of teams, of workspaces, and of a whole order', async () => {
        const teams = client.teams;
        const slug = freshSlug();
        const team = await teams.create({ name: 'Acme', slug });
        const renamed = await teams.update(team, { name: 'Acme Inc.' });
        await expect(teams.update(team, { name: 'Acme Ltd.' })).rejects.toThrow(ConflictError);
        await teams.update(renamed, { name: 'Acme & Co.' });

        const { workspaces } = client.team(slug);
        const workspace = await workspaces.create({ name: 'Handbook' });
        const described = await workspaces.update(workspace, { description: 'How we work' });
        await expect(workspaces.delete(workspace)).rejects.toThrow(ConflictError);
        await workspaces.delete(described);

        const made = [await aPage(), await aPage()].map(({ id }) => id);
        const query = { team_slug: at.team, workspace_slug: at.workspace.slug };
        const list = await client.raw.GET('/collections', { params: { query } });
        const order = (children: string[]) => {
          const header = { 'If-Match': String(list.response.headers.get('etag')) };
          return client.PUT('/collections/order', {
            params: { query, header },
            body: { parent: null, children },
          });
        };
        await order(made.toReversed());
        await expect(order(made)).rejects.toThrow(ConflictError);
      });

      test('the tools of a model change what the model has read', async () => {
        const model = await ownServer(client);
        const { id } = await aPage();
        const call = async (tool: string, input: object) => {
          const workspace = { team: at.team, workspace: at.workspace.slug };
          const result = await model.callTool({
            name: tool,
            arguments: { ...workspace, id, ...input },
          });
          return [tool, result.isError ?? false];
        };
        const patch = { operations: [{ op: 'add', path: '/n', value: 1 }] };
        expect([
          await call('read_page', {}),
          await call('update_item', { name: 'Renamed' }),
          await call('patch_page', patch),
          await call('move_item', { index: 0 }),
        ]).toEqual(['read_page', 'update_item', 'patch_page', 'move_item'].map((t) => [t, false]));
        await client.items.update(id, { content: { text: 'of somebody else' } });
        expect(await call('patch_page', patch)).toEqual(['patch_page', true]);
        expect(await call('delete_item', {})).toEqual(['delete_item', true]);
        await model.close();
      });
    });
  },
);
