import { connect } from 'node:net';
import { SECRET, somebody, startService, tokenOf } from '../support/app.js';
import { aTeam, aWorkspace } from '../support/builders.js';
import { testInside } from '../support/inside.js';
import { offenders } from '../support/offenders.js';
import { parseAnswer, sendRaw } from '../support/raw-socket.js';
import { scene } from '../support/scene.js';

const at = scene();

const MIB = 1024 * 1024;
const ada = somebody();
const known = `Bearer ${tokenOf(ada)}`;

/** A request line and headers. */
const head = (line: string, headers: Record<string, string | number>) =>
  `${line} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const json = { 'content-type': 'application/json' };

/** The answer to bytes after which the caller goes silent, with the connection left open. */
function answerTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(at.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(4000, () => {
      socket.destroy();
      reject(new Error('no answer'));
    });
    socket.on('error', reject);
    socket.once('data', (data) => {
      resolve(data.toString('utf8'));
      socket.destroy();
    });
  });
}

// A balancer reads bodies itself.
describe('before a byte of the body has come', () => {
  testInside('the answer is there', async () => {
    const wrong = await offenders<[string, string, Record<string, string>, number]>(
      [
        ['no token', 'POST /teams', {}, 401],
        ['a token that is none', 'POST /teams', { authorization: 'Bearer x' }, 401],
        ['a route that is none', 'POST /nothing', { authorization: known }, 404],
        ['an OPTIONS', 'OPTIONS /teams', { authorization: known }, 404],
        ['a GET', 'GET /me', { authorization: known }, 200],
        ['no JSON', 'POST /teams', { authorization: known, 'content-type': 'text/plain' }, 400],
      ],
      async ([, line, headers, status]) => {
        const heard = await answerTo(
          head(line, { ...json, ...headers, 'content-length': 2 * MIB }),
        );
        expect(parseAnswer(heard).status).toBe(status);
      },
    );
    expect(wrong).toEqual([]);
  });

  testInside('a body beyond 2 MiB is refused', async () => {
    const length = 2 * MIB + 1;
    const headers = { ...json, authorization: known, 'content-length': length };
    const answer = parseAnswer(await answerTo(head('POST /teams', headers)));
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('at most 2 MiB')]);
  });

  testInside('only callers with a token are asked for it (Expect: 100-continue)', async () => {
    const expecting = { ...json, expect: '100-continue', 'content-length': 2 };
    expect(await answerTo(head('POST /teams', expecting))).toMatch(/^HTTP\/1.1 401 /);
    const mine = head('POST /teams', { ...expecting, authorization: known });
    expect(await answerTo(mine)).toMatch(/^HTTP\/1.1 100 Continue/);
  });
});

describe('a body that nobody reads', () => {
  testInside('is thrown away: the next request on the connection begins behind it', async () => {
    const inside = 'GET /me HTTP/1.1\r\nhost: x\r\n\r\n';
    const refused = head('POST /teams', { ...json, 'content-length': inside.length });
    const next = head('GET /me', { authorization: known, connection: 'close' });
    const heard = await sendRaw(at.url, `${refused}${inside}${next}`);
    const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d+) [A-Z]/g)].map(([, status]) => status);
    expect(statuses).toEqual(['401', '200']);
  });

  testInside('and that goes on ends the connection, after the answer', async () => {
    const wrong = await offenders(
      [
        ['of no end', { 'transfer-encoding': 'chunked' }],
        ['of a gigabyte', { 'content-length': 1024 * MIB }],
        ['of 2 MiB', { 'content-length': 2 * MIB }],
      ],
      async ([, length]) => {
        const { hostname, port } = new URL(at.url);
        const socket = connect(Number(port), hostname);
        let heard = '';
        let sent = 0;
        socket.on('data', (data) => {
          heard += data.toString('utf8');
        });
        socket.on('error', () => undefined);
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.write(head('POST /teams', { ...json, ...length }));
        const piece = `10000\r\n${'['.repeat(0x10000)}\r\n`;
        // What the kernels hold on the way comes on top of what the service takes.
        while (!socket.destroyed && sent < 200 * MIB) {
          await new Promise((resolve) => socket.write(piece, resolve));
          sent += piece.length;
        }
        socket.destroy();
        await closed;
        const { status, headers } = parseAnswer(heard);
        expect([status, headers.connection]).toEqual([401, 'close']);
        expect(sent).toBeLessThan(20 * MIB);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('content that comes twice', () => {
  test('is as deep as its dropped part', async () => {
    const wrong = await offenders(
      [
        [5000, 400, 'the body must be nested at most 200 objects and 200 lists deep'],
        [150, 200, '"content":{"a":-0}'],
      ],
      async ([levels, status, says]) => {
        const caller = at.as(ada);
        const { path } = await aWorkspace(caller, await aTeam(caller));
        const dropped = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
        const answer = await caller
          .post(`${path}/collections`)
          .set('content-type', 'application/json')
          .send(`{"object":"item","content":${dropped},"content":{"a":-0}}`);
        expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(says)]);
      },
    );
    expect(wrong).toEqual([]);
  });
});

test('each application verifies tokens with its own secret, also after another was made', async () => {
  const other = await startService({ AUTH_JWT_SECRET: `other ${SECRET}` });
  try {
    expect((await at.as(somebody()).get('/me')).status).toBe(200);
    expect((await other.as(somebody()).get('/me')).status).toBe(401);
  } finally {
    await other.stop();
  }
});
