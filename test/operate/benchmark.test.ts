import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aFolder, removeFolders } from '../support/folders.js';

interface Row {
  operation: { name: string };
  servers: Record<string, { rate: number; errors: number }>;
}

afterAll(removeFolders);

test('the benchmark compares a read, a write and a read over a slow network', async () => {
  const file = join(await aFolder(), 'results.json');
  const rows = ['getTeamInfo', 'createCollection', 'getTeamInfoFar'];
  const options = ['--only', rows.join(), '--rounds', '1', '--seconds', '0.2', '--json', file];
  await promisify(execFile)('npm', ['run', 'bench', '--', ...options], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const { results } = JSON.parse(await readFile(file, 'utf8')) as { results: Row[] };
  expect(results.map(({ operation }) => operation.name)).toEqual(rows);
  for (const { servers } of results) {
    expect(Object.keys(servers)).toEqual(['service', 'light', 'fair']);
    for (const { rate, errors } of Object.values(servers)) {
      expect([rate > 0, errors]).toEqual([true, 0]);
    }
  }
}, 240_000);
