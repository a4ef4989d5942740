import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { tokenOf } from '../support/app.js';
import { anItem } from '../support/builders.js';
import { selfSigned } from '../support/certificate.js';
import { type Nginx, startHttp2Nginx } from '../support/nginx.js';
import { testWith } from '../support/programs.js';
import { openRaw } from '../support/raw-socket.js';
import { changesOf } from '../support/replica.js';
import { scene } from '../support/scene.js';

const at = scene({ once: 'team', each: 'workspace' });
const open: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

/** A GET over HTTP/2. */
async function get(session: ClientHttp2Session, path: string) {
  const authorization = `Bearer ${tokenOf(at.ada.person)}`;
  const stream = session.request({ ':path': path, authorization });
  const [headers] = await once(stream, 'response');
  return { status: headers[':status'], body: JSON.parse(await text(stream)) };
}

testWith('nginx')(
  'behind the nginx of docs/deploy.md, requests that wait for changes share one connection with others',
  async () => {
    const certificate = selfSigned();
    if (!certificate) throw new Error('openssl is missing');
    const nginx: Nginx = await startHttp2Nginx(at.url, certificate);
    open.push(nginx);
    const session = connect(nginx.url, { ca: certificate.cert, rejectUnauthorized: false });
    open.push({ stop: () => session.destroy() });

    const { cursor } = await changesOf(at.ada, at.query);
    // More than a browser has connections.
    const waiting = Array.from({ length: 8 }, () =>
      get(session, `/collections/changes${at.query}&cursor=${cursor}&wait=25`),
    );
    const { status } = await get(session, `/collections${at.query}`);
    await anItem(at.ada, at.query, { name: 'Page' });
    const heard = await Promise.all(waiting);
    expect([session.alpnProtocol, status]).toEqual(['h2', 200]);
    expect(heard.map(({ status: one, body }) => [one, body.changes.length])).toEqual(
      Array(8).fill([200, 1]),
    );
  },
);

test('the service itself answers HTTP/2 by 400 in HTTP/1.1, and closes the connection', async () => {
  const connection = openRaw(at.url);
  connection.send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 400 .*"bad_request"/s);
});

test('and answers an upgrade to HTTP/2 by HTTP/1.1', async () => {
  const connection = openRaw(at.url);
  open.push({ stop: () => connection.destroy() });
  connection.send(
    'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n' +
      'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n',
  );
  await connection.hears('HTTP/1.1 200 OK');
});
