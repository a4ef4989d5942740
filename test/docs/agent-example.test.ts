import { readFileSync } from 'node:fs';
import { SECRET, startService, type TestService } from '../support/app.js';
import { ended, runCommand } from '../support/command.js';
import { blocksOf } from './markdown.js';

const README = 'examples/agent/README.md';

let service: TestService;
let cleo: string;
beforeAll(async () => {
  service = await startService();
  const demo = await runCommand(['demo'], {
    AUTH_JWT_SECRET: SECRET,
    TEAMSPACES_URL: service.url,
  });
  cleo = /^CLEO=(\S+)$/m.exec(demo.output)?.[1] ?? '';
  expect(cleo).not.toBe('');
}, 240_000);
afterAll(() => service.stop());

const run = (env: Record<string, string>) =>
  ended('node', ['examples/agent/agent.js'], {
    env: { PATH: process.env.PATH, TEAMSPACES_URL: service.url, ...env },
  });

/** With … for what differs from run to run. */
const steady = (output: string): string =>
  output
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/[0-9a-f]{64}(\.[0-9a-f]{64})?/g, '…')
    .trim();

test('the agent prints what its page shows, also the second time', async () => {
  const shown = blocksOf(README).find(({ language }) => language === '')?.text;
  for (let time = 1; time <= 2; time++) {
    const { status, output } = await run({ TEAMSPACES_TOKEN: cleo });
    expect(steady(output)).toBe(shown);
    expect(status).toBe(0);
  }
});

test('the page names tools that the agent calls', () => {
  const rows = readFileSync(README, 'utf8').match(/^\| `\w+`/gm) ?? [];
  const code = readFileSync('examples/agent/agent.js', 'utf8');
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter((row) => !code.includes(`call('${row.slice(3, -1)}'`))).toEqual([]);
});

test('without a token, or with a wrong one, it says so', async () => {
  expect(await run({})).toEqual({ status: 2, output: 'Usage: TEAMSPACES_TOKEN=… node agent.js\n' });
  const { status, output } = await run({ TEAMSPACES_TOKEN: 'x' });
  expect([status, output]).toEqual([1, expect.stringContaining('401: the token is not valid')]);
});
