// Prints what has changed when a webhook is called. Node only, no packages.
//
//   WEBHOOK_SECRET=whsec_… TEAMSPACES_TOKEN=… PORT=8080 node examples/receiver/receiver.js
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { WEBHOOK_SECRET, TEAMSPACES_TOKEN, TEAMSPACES_URL, PORT } = process.env;
if (!WEBHOOK_SECRET || !TEAMSPACES_TOKEN) {
  console.error('Usage: WEBHOOK_SECRET=whsec_… TEAMSPACES_TOKEN=… node receiver.js');
  process.exit(2);
}
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const base = TEAMSPACES_URL ?? 'http://localhost:3000';
const headers = { authorization: `Bearer ${TEAMSPACES_TOKEN}` };
/** Seconds that a message may be old. */
const MAX_AGE = 300;
/** How far each workspace was read. */
const cursors = new Map();

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => null);
  if (body === null || !isValid(request.headers, body)) return response.writeHead(400).end();
  // First the response: a receiver has 15 seconds.
  response.writeHead(204).end();
  const { type, data } = JSON.parse(body);
  console.log(`message: ${type}`);
  if (type === 'workspace.changed') await follow(data).catch((error) => console.error(error));
});
server.listen(Number(PORT ?? 8080), () => console.log(`listening on ${server.address().port}`));

/** Standard Webhooks: one of the signatures is that of our secret. */
function isValid(given, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = given;
  if (!id || !signatures || !(Math.abs(Date.now() / 1000 - Number(time)) < MAX_AGE)) return false;
  const hmac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  const expected = Buffer.from(`v1,${hmac}`);
  return signatures.split(' ').some((one) => {
    const signature = Buffer.from(one);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

/** Reads the feed from where the last message led, or else from where this one begins. */
async function follow({ team, workspace, cursor }) {
  const feed = `${base}/teams/${team.slug}/workspaces/${workspace.slug}/collections/changes`;
  let page = { cursor: cursors.get(workspace._id) ?? cursor, more: true };
  while (page.more) {
    const response = await fetch(`${feed}?cursor=${page.cursor}`, { headers });
    if (!response.ok) throw new Error(await response.text());
    page = await response.json();
    for (const { id, item } of page.changes) {
      console.log(item ? `changed: ${item.meta.title}` : `deleted: ${id}`);
    }
    cursors.set(workspace._id, page.cursor);
  }
}
