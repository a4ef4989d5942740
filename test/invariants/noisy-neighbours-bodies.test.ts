import { until } from '../operate/process.js';
import { type InsideService, somebody, startServiceInside, tokenOf } from '../support/app.js';
import { anItem } from '../support/builders.js';
import { testInside } from '../support/inside.js';
import { openRaw, parseResponse, type RawConnection } from '../support/raw-socket.js';
import { scene } from '../support/scene.js';

// Patient callers: they begin to send bodies, and then are slow. With more than one instance, each has its own bounds.

const MIB = 1024 * 1024;

const at = scene({ once: 'workspace', verify: true });
let page: string;
let open: RawConnection[];
beforeEach(async () => {
  open = [];
  page = (await anItem(at.ada, at.query, { object: 'item' })).id;
});
afterEach(() => {
  for (const connection of open) connection.destroy();
});

/** Sends the head of a save of a page, for which the caller has no rights: they are asked after the body. */
function beginBody(token: string, length: number | null, url = at.url): RawConnection {
  const connection = openRaw(url);
  open.push(connection);
  const body = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const head = [
    `PUT /collections/${page} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    body,
    'Expect: 100-continue',
  ];
  connection.send(`${head.join('\r\n')}\r\n\r\n`);
  return connection;
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** The same, until the service begins to receive the body. */
async function inReceipt(token: string, length: number | null): Promise<RawConnection> {
  const connection = beginBody(token, length);
  await connection.hears(CONTINUE);
  return connection;
}

const manyInReceipt = (token: string, count: number, length: number | null = 2 * MIB) =>
  Promise.all(Array.from({ length: count }, () => inReceipt(token, length)));

/** What ends a connection, without the 100 before it. */
async function refusalOf(connection: RawConnection) {
  const { status, headers, body } = parseResponse(
    (await connection.closed()).replace(CONTINUE, ''),
  );
  return [status, headers['retry-after'], headers.connection, JSON.parse(body).error.message];
}

/** What a neighbour saves: of 1 MiB, and of less than 64 KiB. */
async function neighbourSaves(): Promise<number[]> {
  const statuses: number[] = [];
  for (const bytes of [MIB, 64 * 1024]) {
    const text = 'x'.repeat(bytes - 100);
    statuses.push((await at.ada.put(`/collections/${page}`, { content: { text } })).status);
  }
  return statuses;
}

const TOO_MUCH = [
  429,
  '1',
  'close',
  'your request bodies that are being received exceed 16 MiB: send fewer at once',
];

describe('bodies that are announced and not sent', () => {
  testInside.each([
    ['of 2 MiB', 2 * MIB],
    ['of which nothing is announced', null],
  ])('%s: of the ninth of one caller, nothing is asked for', async (_, length) => {
    const token = tokenOf(somebody('Eve'));
    await manyInReceipt(token, 8, length);
    const ninth = beginBody(token, length);
    expect(await ninth.closed()).not.toContain('100 Continue');
    expect(await refusalOf(ninth)).toEqual(TOO_MUCH);
    // Nor for a small one of the same caller.
    expect(await refusalOf(beginBody(token, 100_000))).toEqual(TOO_MUCH);
    expect(await neighbourSaves()).toEqual([200, 200]);
  });

  testInside('give their room back when they break off, end, or are refused', async () => {
    const token = tokenOf(somebody('Eve'));
    const retried = async () => {
      // The service may hear of the end of the others only now.
      for (;;) {
        const connection = beginBody(token, null);
        if (
          await connection.hears(CONTINUE).then(
            () => true,
            () => false,
          )
        )
          return connection;
      }
    };
    const broken = await manyInReceipt(token, 8, null);
    for (const connection of broken) connection.destroy();
    const large = await Promise.all(Array.from({ length: 8 }, retried));
    const chunk = `200001\r\n${'x'.repeat(2 * MIB + 1)}\r\n`;
    for (const connection of large) {
      connection.send(chunk);
      expect((await refusalOf(connection))[0]).toBe(400);
    }
    const ended = await manyInReceipt(token, 8, null);
    for (const connection of ended) {
      connection.send('2\r\n{}\r\n0\r\n\r\n');
      await connection.hears('HTTP/1.1 403');
    }
    await manyInReceipt(token, 8, null);
  });
});

describe('96 MiB of bodies that are announced and not sent', () => {
  testInside('cost those of the caller with the most, which stand still', async () => {
    const counts = [8, 7, 7, 7, 7, 7, 5];
    const [most = [], ...others] = await Promise.all(
      counts.map((count) => manyInReceipt(tokenOf(somebody()), count)),
    );
    await at.advance(1_000);
    expect(await neighbourSaves()).toEqual([200, 200]);
    const refusals = await Promise.all(most.map(refusalOf));
    const message = 'the body stood still for a second while others needed its room: send it again';
    expect(refusals).toEqual(Array(8).fill([429, '1', 'close', message]));
    // Those of the others are still received.
    for (const [connection] of others as [RawConnection][]) {
      connection.send(`{}${' '.repeat(2 * MIB - 2)}`);
      await connection.hears('HTTP/1.1 403');
    }
  });
});

describe('a body that trickles', () => {
  testInside('is cut, and the connection closed, also if it is small', async () => {
    const token = tokenOf(somebody('Eve'));
    const slow = await Promise.all([2 * MIB, 100, null].map((length) => inReceipt(token, length)));
    // One byte; of chunked encoding, a chunk of one byte begins.
    for (const connection of slow) connection.send('1');
    await at.advance(10_000);
    const message = 'the body arrived too slowly: it must arrive with at least 16 KiB a second';
    const refusals = await Promise.all(slow.map(refusalOf));
    expect(refusals).toEqual(Array(3).fill([400, undefined, 'close', message]));
    await manyInReceipt(token, 8);
  });
});

describe('a body in chunks of one byte', () => {
  let inside: InsideService;
  beforeAll(async () => {
    inside = await startServiceInside();
  });
  afterAll(() => inside.stop());

  testInside('holds little more than its bytes', async () => {
    const bodies = inside.provider<{ open: Set<{ received: number }> }>('BodiesInReceipt').open;
    const connection = beginBody(tokenOf(somebody('Eve')), null, inside.url);
    await connection.hears(CONTINUE);
    const before = held();
    connection.send('1\r\n \r\n'.repeat(MIB));
    await until(() => [...bodies].some(({ received }) => received === MIB));
    expect((held() - before) / MIB).toBeLessThan(32);
  });

  const held = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
});
