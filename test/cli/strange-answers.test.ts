import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportWorkspace } from '../../src/cli/markdown/exporter.js';
import { waitFor } from '../../src/cli/markdown/retry-after.js';
import { WorkspaceClient } from '../../src/cli/markdown/workspace-client.js';
import { aFolder, filesIn, removeFolders } from '../support/folders.js';

// What a proxy in front of the service, or another server, may answer.

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await removeFolders();
});

async function aClientOf(answer: RequestListener): Promise<WorkspaceClient> {
  const server = createServer(answer);
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  stops.push(() => new Promise((closed) => server.close(closed)));
  const { port } = server.address() as AddressInfo;
  return new WorkspaceClient(`http://127.0.0.1:${port}`, 'token', 'acme', 'docs', 1);
}

describe('429 with a Retry-After', () => {
  const NOW = Date.parse('2026-01-31T12:00:00Z');

  test.each([
    ['seconds', '7', 7000],
    ['a date', 'Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
    ['a date that has passed', 'Sat, 31 Jan 2026 11:59:00 GMT', 1000],
    ['no wait at all', '0', 1000],
    ['a year', '31536000', 3_600_000],
    ['words', 'soon', 1000],
    ['nothing', '', 1000],
    ['no header', null, 1000],
  ])('of %s waits between a second and an hour', (_, header, wait) => {
    expect(waitFor(header, NOW)).toBe(wait);
  });

  test('that is a date is not asked again and again until then', async () => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000);
    let requests = 0;
    const client = await aClientOf((_, reply) => {
      requests++;
      const isEarly = Date.now() < date.getTime();
      reply.writeHead(isEarly ? 429 : 200, isEarly ? { 'retry-after': date.toUTCString() } : {});
      reply.end(isEarly ? '{}' : '[]');
    });
    expect(await client.tree()).toEqual([]);
    expect(requests).toBeLessThan(5);
  });
});

test('an export writes nothing outside its folder, whatever ids an answer has', async () => {
  const page = (id: string, name: string) => ({ id, name, object: 'item', content: { a: 1 } });
  const pages = [page('../../../evil', 'a'), page('../tree/x', 'b'), page('no/folder', 'c')];
  const client = await aClientOf((_, reply) => reply.end(JSON.stringify(pages)));
  const root = await aFolder();
  await exportWorkspace(client, join(root, 'in', 'here', 'out'));
  const text = '{\n  "a": 1\n}\n';
  expect(await filesIn(root)).toEqual({
    'in/here/out/a.json': text,
    'in/here/out/b.json': text,
    'in/here/out/c.json': text,
  });
});
