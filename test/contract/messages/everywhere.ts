import { operations, type Place, properties, requestOf } from './fields.js';
import type { Request, World } from './world.js';

/** What nothing and nobody is called. */
const NOWHERE = 'nobody-has-this';

/** Every operation by people who may not do it, on what does not exist, and on what has changed. */
export function* refusedEverywhere(world: World): Generator<Request> {
  for (const operation of operations) {
    const send = (place: Place, own: Partial<Request> = {}): Request => ({
      ...requestOf(operation, world, place),
      ...own,
    });
    for (const as of ['stranger', 'gus', 'max'] as const) yield send({}, { as });
    const ids = { id: NOWHERE, slug: NOWHERE, invite_id: NOWHERE, webhook_id: NOWHERE };
    for (const place of [{ team_slug: NOWHERE }, { workspace_slug: NOWHERE }, ids]) {
      const request = send(place);
      if (request.route !== send({}).route) yield request;
    }
    // An item is found without its workspace.
    if (/^\/collections(?!.*\{id\})/.test(operation.path)) yield send({ team_slug: null });
    const names = operation.parameters.map(({ name }) => name);
    if (names.includes('If-Match')) yield send({}, { headers: { 'if-match': '"old"' } });
    const fields = { parent: world.ids.page, newParent: world.ids.page, userId: NOWHERE };
    for (const [name, value] of Object.entries(fields)) {
      if (!(name in properties(operation))) continue;
      const { body, ...request } = send({});
      for (const wrong of new Set([NOWHERE, value])) {
        yield { ...request, body: { ...(body as object), [name]: wrong } };
      }
    }
  }
}

/** Every operation that writes content, while its workspace is archived. */
export async function archived(world: World): Promise<void> {
  const { send, at } = world;
  const handbook = '/teams/acme/workspaces/handbook';
  const { id } = await send<{ id: string }>({ route: `POST /collections${at}`, body: {} });
  await send({ route: `DELETE /collections/${id}` });
  await send({ route: `POST ${handbook}/archive` });
  for (const operation of operations) {
    const { method, path } = operation;
    if (method === 'GET' || !path.startsWith('/collections')) continue;
    const place = path.startsWith('/collections/trash') ? { id } : {};
    await send(requestOf(operation, world, place));
  }
  await send({ route: `POST ${handbook}/unarchive` });
  await send({ route: `DELETE /collections/trash/${id}` });
}

/** Every operation on webhooks. */
export const onWebhooks = (world: World): Request[] =>
  operations
    .filter(({ path }) => path.includes('/webhooks'))
    .map((operation) => requestOf(operation, world));
