import { until } from '../operate/process.js';
import { tokenOf } from '../support/app.js';
import { ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { startReceiver, WEBHOOK_ENV, type WebhookBody } from '../support/receiver.js';
import { scene } from '../support/scene.js';

const at = scene({ env: WEBHOOK_ENV, once: 'workspace' });

const webhooks = (...args: string[]) =>
  runCommand(['webhooks', ...args, '--team', at.team, '--url', at.url], {
    TEAMSPACES_TOKEN: tokenOf(at.ada.person),
  });

test('webhooks lists the webhooks of a team, sends a test, and shows what came of it', async () => {
  expect((await webhooks('list')).output).toBe('The team has no webhooks.\n');
  const receiver = await startReceiver();
  try {
    const { _id } = await ok<WebhookBody>(
      at.ada.post(`/teams/${at.team}/webhooks`, {
        url: receiver.url,
        events: ['workspace.changed'],
      }),
    );
    const listed = await webhooks('list');
    expect(listed.output.split('\n')[1]).toBe(
      [_id, receiver.url, 'workspace.changed', 'all         enabled'].join('  '),
    );
    expect((await webhooks('deliveries', _id)).output).toBe('Nothing was sent yet.\n');
    const tested = await webhooks('test', _id);
    expect([tested.status, tested.output]).toEqual([
      0,
      'A test message will be sent: its deliveries show the result.\n',
    ]);
    const lines = async () => (await webhooks('deliveries', _id)).output.split('\n');
    await until(async () => (await lines())[1]?.includes('webhook.test') === true);
    expect((await lines())[1]).toMatch(/Z {2}webhook\.test {2}200 /);
  } finally {
    await receiver.stop();
  }
});
