import jwt from 'jsonwebtoken';
import type request from 'supertest';
import { type InsideService, SECRET, somebody, startServiceInside } from '../support/app.js';
import { expectGolden } from '../support/golden.js';

let service: InsideService;
beforeAll(async () => {
  service = await startServiceInside();
});
afterAll(() => service.stop());

interface Route {
  method: string;
  path: string;
}

/** Every route that the running router knows, as it prints them: a tree of parts of paths. */
function routes(): Route[] {
  const printed = service.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const found: Route[] = [];
  const path: string[] = [];
  for (const line of printed.split('\n').filter(Boolean)) {
    const [, indent = '', part = '', methods] =
      /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    expect({ line, part }).not.toEqual({ line, part: '' });
    path.length = indent.length / 4;
    path.push(part);
    for (const method of methods?.split(', ') ?? []) found.push({ method, path: path.join('') });
  }
  // The router handles HEAD wherever it handles GET.
  return found.filter(({ method }) => method !== 'HEAD');
}

/** The response of a route to a caller with this Authorization header, or without one. */
function ask({ method, path }: Route, authorization: string | null): request.Test {
  const url = path.replace(/:\w+|\*/g, 'x');
  const caller = service.with(authorization);
  switch (method) {
    case 'GET':
      return caller.get(url);
    case 'POST':
      return caller.post(url);
    case 'PUT':
      return caller.put(url);
    case 'PATCH':
      return caller.patch(url);
    case 'DELETE':
      return caller.delete(url);
    default:
      throw new Error(`no route is to have the method ${method}`);
  }
}

const asKey = ({ method, path }: Route): string => `${path} ${method}`;

/** A token that is narrowed to nothing: every route says which scope it takes. */
const narrowed = `Bearer ${jwt.sign({ ...somebody(), scope: 'teamspaces:' }, SECRET, { expiresIn: 600 })}`;

/** The scope that a route takes of a token that is narrowed at all, or `public`. */
async function accessOf(route: Route): Promise<string> {
  if ((await ask(route, null)).status !== 401) return 'public';
  const { headers } = await ask(route, narrowed);
  return /scope="(\S+)"/.exec(headers['www-authenticate'] ?? '')?.[1] ?? 'any token';
}

async function routesByAccess(): Promise<Record<string, string>> {
  const table: Record<string, string> = {};
  for (const route of routes().sort((a, b) => (asKey(a) < asKey(b) ? -1 : 1))) {
    table[asKey(route)] = await accessOf(route);
  }
  return table;
}

test('the routes, and what each takes of the caller, are the golden ones', async () => {
  expectGolden('routes.json', await routesByAccess());
});

/** They call the routes that the document describes. */
const OF_ANOTHER_PROTOCOL = /^\/mcp /;

test('the OpenAPI document describes exactly the routes that take a token', async () => {
  const { body } = await service.with(null).get('/openapi.json');
  const { paths } = body as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => {
      const ours = path.replace(/\{(\w+)\}/g, ':$1');
      return asKey({ method: method.toUpperCase(), path: ours });
    }),
  );
  const table = Object.entries(await routesByAccess());
  const taking = table
    .filter(([key, access]) => access !== 'public' && !OF_ANOTHER_PROTOCOL.test(key))
    .map(([key]) => key);
  expect(described.sort()).toEqual(taking);
});
