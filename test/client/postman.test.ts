import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { tokenOf } from '../support/app.js';
import { freshSlug } from '../support/builders.js';
import { WEBHOOK_ENV } from '../support/receiver.js';
import { scene } from '../support/scene.js';

const at = scene({ env: WEBHOOK_ENV });

interface Item {
  name: string;
  item?: Item[];
  event?: { script: { exec: string[] } }[];
  request: {
    method: string;
    header: { key: string; value: string }[];
    url: { raw: string };
    body?: { raw: string };
  };
}

const collection = JSON.parse(
  readFileSync('examples/postman/teamspaces.postman_collection.json', 'utf8'),
) as { item: Item[]; variable: { key: string; value: string }[] };

const requestsOf = (items: Item[]): Item[] =>
  items.flatMap((item) => (item.item ? requestsOf(item.item) : [item]));
const requests = requestsOf(collection.item);

// Postman's own command line, newman, would add 150 packages.
test('every request of the collection succeeds, in its order', async () => {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set('baseUrl', at.url).set('token', tokenOf(at.ada.person)).set('team', freshSlug());
  const filled = (text: string) =>
    text.replace(/\{\{(\$?\w+)\}\}/g, (_, name) =>
      name === '$guid' ? crypto.randomUUID() : `${variables.get(name)}`,
    );
  const bodies = new Map<string, unknown>();
  for (const { name, request, event = [] } of requests) {
    const { method, header, url, body } = request;
    const headers = new Headers({ authorization: filled('Bearer {{token}}') });
    for (const { key, value } of header) headers.set(key, filled(value));
    if (body) headers.set('content-type', 'application/json');
    const init = { method, headers, ...(body && { body: filled(body.raw) }) };
    const response = await fetch(filled(url.raw), init);
    const text = await response.text();
    expect([name, response.status, text]).toEqual([name, 200, text]);
    bodies.set(name, JSON.parse(text));
    const pm = {
      response: {
        code: response.status,
        json: () => JSON.parse(text),
        headers: response.headers,
      },
      collectionVariables: variables,
    };
    for (const { script } of event) runInNewContext(script.exec.join('\n'), { pm });
  }
  for (const place of ['workspace', 'team']) {
    expect(bodies.get(`Search the pages of the ${place} by their text`)).toMatchObject([
      {
        name: 'Travel',
        snippet: [{ match: false }, { text: 'Trains first', match: true }, { text: '.' }],
      },
    ]);
  }
});

test('each POST and PATCH has a new Idempotency-Key, no other request has one', () => {
  for (const { name, request } of requests) {
    const key = request.header.find((header) => header.key === 'Idempotency-Key')?.value;
    const takesKey = ['POST', 'PATCH'].includes(request.method);
    expect([name, key]).toEqual([name, takesKey ? '{{$guid}}' : undefined]);
  }
});
