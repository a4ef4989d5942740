import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { aFolder, removeFolders } from '../../../test/support/folders.js';
import { sql } from '../../../test/support/sql.js';
import { startEmbeddedPostgres } from '../src/embedded-postgres.js';

// initdb takes seconds, and much longer on a machine that has other things to do.
jest.setTimeout(120_000);

afterAll(removeFolders);

const isRunning = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'postgres', 'postmaster.pid'));

describe('the embedded PostgreSQL', () => {
  test('is shared by those who start it at once, and stopped by the last of them', async () => {
    const dataDir = await aFolder();
    const start = () => startEmbeddedPostgres({ dataDir });
    const [one, two, three] = await Promise.all([start(), start(), start()]);
    expect(new Set([one.url, two.url, three.url]).size).toBe(1);
    await sql(one.url, 'CREATE TABLE kept (id int)');
    await Promise.all([one.stop(), two.stop()]);
    await sql(three.url, 'INSERT INTO kept VALUES (1)');
    expect(isRunning(dataDir)).toBe(true);
    await Promise.all([three.stop(), three.stop()]);
    expect(isRunning(dataDir)).toBe(false);

    const again = await start();
    expect(await sql(again.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    await again.stop();
  });

  test('can be started while its last user stops it', async () => {
    const dataDir = await aFolder();
    let last = await startEmbeddedPostgres({ dataDir });
    for (let n = 0; n < 10; n++) {
      const [next] = await Promise.all([startEmbeddedPostgres({ dataDir }), last.stop()]);
      expect(await sql(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      last = next;
    }
    await last.stop();
    expect(isRunning(dataDir)).toBe(false);
  });
});
