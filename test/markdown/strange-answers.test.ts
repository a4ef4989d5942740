import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient } from 'teamspaces-client';
import { exportFolder } from 'teamspaces-markdown';
import { aFolder, filesIn, removeFolders } from '../support/folders.js';

// What a proxy in front of the service, or another server, may answer.

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await removeFolders();
});

/** Exports from a server with these answers; resolves to what is in the folder above then. */
async function exportFrom(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  stops.push(() => new Promise((closed) => server.close(closed)));
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'token' });
  const root = await aFolder();
  const folder = join(root, 'in', 'here', 'out');
  await exportFolder(client, { team: 'acme', workspace: 'docs', folder });
  return filesIn(root);
}

const json = (body: unknown): RequestListener => {
  return (_, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };
};

test('an export writes nothing outside its folder, whatever ids an answer has', async () => {
  const page = (id: string, name: string) => ({ id, name, object: 'item', content: { a: 1 } });
  const pages = [page('../../../evil', 'a'), page('../tree/x', 'b'), page('no/folder', 'c')];
  const text = '{\n  "a": 1\n}\n';
  expect(await exportFrom(json(pages))).toEqual({
    'in/here/out/a.json': text,
    'in/here/out/b.json': text,
    'in/here/out/c.json': text,
  });
});

test('a page to log in is no workspace', async () => {
  const login: RequestListener = (_, reply) => {
    reply.setHeader('content-type', 'text/html').end('<h1>Log in</h1>');
  };
  await expect(exportFrom(login)).rejects.toThrow(
    "the answer has status 200 and is not one of the service's",
  );
});
