import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Person, tokenOf } from '../support/app.js';
import { anItem, type ItemBody, ok } from '../support/builders.js';
import { describeAlone } from '../support/inside.js';
import { aMember } from '../support/members.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, pagesOf, putRows, type RowToPut } from '../support/tree.js';

describe('large lists', () => {
  type PageBody = ItemBody & { content: { n?: number; text?: string } };

  const MiB = 1024 * 1024;
  /** Of 32 characters: nearly the largest content. */
  const REPEATS = 32_000;
  /** Milliseconds in which the service looks twice at who reads. */
  const TWO_LOOKS = 2_100;

  const at = scene({ env: { PLAN_LIMITS: '{"free":{"pages":0,"users":0}}' }, once: 'workspace' });
  let path: string;
  beforeAll(async () => {
    path = `${at.workspace.path}/collections`;
    // Two collections in the midst of pages, one in the other; the deeper one is empty.
    const rows: RowToPut[] = Array.from({ length: 40 }, () => ({ object: 'item' }));
    rows[5] = { object: 'collection' };
    rows[9] = { object: 'collection', parent: 5 };
    for (const n of [6, 7, 8, 10]) rows[n] = { object: 'item', parent: 5 };
    const ids = await putRows(at.databaseUrl, at.workspace.id, rows);
    await sql(
      at.databaseUrl,
      `UPDATE collections SET content = json_build_object('text', repeat(md5(n::text), $2), 'n', n)
     FROM unnest($1::uuid[]) WITH ORDINALITY AS given (given_id, n)
     WHERE id = given_id AND object = 'item'`,
      [ids, REPEATS],
    );
  });

  /** Sends a request and reads nothing of what comes back. */
  function unread(as: Person, of: string): Socket {
    const { hostname, port } = new URL(at.url);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${tokenOf(as)}`;
    socket.write(`GET ${of} HTTP/1.1\r\n${headers}\r\n\r\n`);
    return socket;
  }

  /** Reads to the end of what is left. @returns the bytes */
  async function readRest(socket: Socket): Promise<number> {
    let bytes = 0;
    socket.on('data', (data) => {
      bytes += data.length;
    });
    socket.resume();
    await once(socket, 'close');
    return bytes;
  }

  /** What is being read for callers who read slowly. */
  const reads = () =>
    sql<{ pid: number }>(
      at.databaseUrl,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
     AND wait_event = 'ClientWrite' AND query LIKE '%WITH RECURSIVE tree%'`,
    );

  async function untilReads(count: number): Promise<void> {
    for (let polls = 0; (await reads()).length !== count; polls++) {
      if (polls === 200) throw new Error(`not ${count} large reads: ${(await reads()).length}`);
      await sleep(50);
    }
  }

  describeAlone('GET /collections of more than 8 MiB', () => {
    test('arrives whole, nested and in order, as a plain list has it', async () => {
      const plain = await ok<ItemBody[]>(at.ada.get(path));
      const whole = await at.ada.get(`${path}?include=content`).expect(200);
      expect(whole.headers['transfer-encoding']).toBe('chunked');
      expect(whole.headers['cache-control']).toBe('private, no-cache');
      const list = whole.body as PageBody[];
      const without = JSON.parse(whole.text, (key, value) =>
        key === 'content' ? undefined : value,
      );
      expect(without).toEqual(plain);
      const pages = everyItem(list).filter(({ object }) => object === 'item') as PageBody[];
      expect(pages).toHaveLength(38);
      for (const { name, content } of pages) {
        expect(name).toBe(`Row ${content.n}`);
        expect(content.text).toHaveLength(REPEATS * 32);
      }
      expect(list[5]?.children?.map(({ name }) => name)).toEqual(
        [7, 8, 9, 10, 11].map((n) => `Row ${n}`),
      );
      const again = at.ada
        .get(`${path}?include=content`)
        .set('if-none-match', String(whole.headers.etag));
      expect((await again).status).toBe(304);
    });

    test('pages, and is cut, like any other', async () => {
      const plain = await ok<ItemBody[]>(at.ada.get(path));
      const names: string[] = [];
      for await (const page of pagesOf(at.ada, `${path}?include=content&limit=20`)) {
        names.push(...page.map(({ name }) => name));
      }
      expect(names).toEqual(plain.map(({ name }) => name));
      const cut = await ok<ItemBody[]>(at.ada.get(`${path}?include=content&depth=1`));
      expect(cut[5]).not.toHaveProperty('children');
      expect(cut.map(({ name }) => name)).toEqual(names);
    });

    test('shows one moment, however slowly it is read', async () => {
      // From now on the service knows that it is large, and does not try to hold it first.
      await at.ada.get(`${path}?include=content`).expect(200);
      const socket = unread(at.ada.person, `${path}?include=content`);
      await untilReads(1);
      const later = await anItem(at.ada, at.query, { name: 'Later', object: 'item' });
      let text = '';
      socket.setEncoding('latin1').on('data', (data) => {
        text = (text + data).slice(-100_000);
        if (text.endsWith('0\r\n\r\n')) socket.destroy();
      });
      socket.resume();
      await once(socket, 'close');
      expect(text).toContain('"n" : 40');
      expect(text).not.toContain('Later');
      await untilReads(0);
      await ok(at.ada.delete(`/collections/${later.id}`));
    });

    test('a caller who leaves frees the connection to the database', async () => {
      const socket = unread(at.ada.person, `${path}?include=content`);
      await untilReads(1);
      socket.destroy();
      await untilReads(0);
    });

    test('a caller who does not read has two at a time, and others theirs; after 30 seconds they end', async () => {
      const eve = await aMember(at, at.team, 'member');
      const page = (await ok<ItemBody[]>(at.ada.get(path)))[0] as ItemBody;
      const start = performance.now();
      const sockets = [1, 2].map(() => unread(at.ada.person, `${path}?include=content`));
      // Small enough to be held; many, so that the system does not take all of it.
      const pipelined = `GET /collections/${page.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf(at.ada.person)}\r\n\r\n`;
      const small = unread(at.ada.person, `/collections/${page.id}`);
      small.write(pipelined.repeat(19));
      await untilReads(2);
      const third = await at.ada.get(`${path}?include=content`);
      expect(third.status).toBe(429);
      expect(third.headers['retry-after']).toBe('5');
      expect(third.body.error.message).toContain('more than 8 MiB');
      const others = await eve.get(`${path}?include=content`).expect(200);
      expect(others.text.length).toBeGreaterThan(30 * MiB);
      await at.ada.get(path).expect(200);
      // On a busy machine much of the time has passed already.
      await at.advance(Math.max(0, 20_000 - (performance.now() - start)));
      await sleep(TWO_LOOKS);
      expect(await reads()).toHaveLength(2);
      await at.advance(10_000);
      await untilReads(0);
      for (const socket of sockets) expect(await readRest(socket)).toBeLessThan(30 * MiB);
      // Its time began when the system had taken what it takes, which was later.
      await at.advance(20_000);
      await sleep(TWO_LOOKS);
      expect(await readRest(small)).toBeLessThan(19 * MiB);
      await at.ada.get(`${path}?include=content`).expect(200);
    });
  });
});
