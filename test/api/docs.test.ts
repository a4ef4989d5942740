import { mkdir, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiOkResponse, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import request from 'supertest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { ErrorsFilter } from '../../src/errors/error-response.js';
import { isAtThisMachine } from '../../src/openapi/docs.js';
import type { TeamRef } from '../../src/teams/team.js';
import { Team } from '../../src/teams/team-ref.js';
import type { WorkspaceRef } from '../../src/workspaces/workspace.js';
import { Workspace } from '../../src/workspaces/workspace-ref.js';
import { SECRET, somebody, startService } from '../support/app.js';
import { ok } from '../support/builders.js';
import { testInside } from '../support/inside.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

const TOKEN = 'a.development.token';

const at = scene();

const get = (path: string, headers: Record<string, string> = {}) =>
  at.with(null).get(path).set(headers).redirects(0);

describe('GET /', () => {
  test('leads people to the reference', async () => {
    const { status, headers } = await get('/', { accept: 'text/html,application/xml;q=0.9' });
    expect([status, headers.location, headers.vary]).toEqual([302, '/reference', 'accept']);
  });

  test('leads programs to the document', async () => {
    const wrong = await offenders(['*/*', 'application/json'], async (accept) => {
      const { status, headers } = await get('/', { accept });
      expect([status, headers.location]).toEqual([302, '/openapi.json']);
    });
    expect(wrong).toEqual([]);
  });
});

test('GET / stays below the path of PUBLIC_URL', async () => {
  const other = await startService({ PUBLIC_URL: 'https://example.com/spaces/' });
  try {
    const locationFor = async (accept: string) => {
      const { headers } = await other.with(null).get('/').set({ accept }).redirects(0);
      return headers.location;
    };
    expect(await locationFor('text/html')).toBe('/spaces/reference');
    expect(await locationFor('*/*')).toBe('/spaces/openapi.json');
  } finally {
    await other.stop();
  }
});

describe('GET /docs and GET /reference, also with a slash at the end', () => {
  const PAGES = ['/docs', '/docs/', '/reference', '/reference/'];

  test('is a page for every screen, whose files are all here', async () => {
    const wrong = await offenders(PAGES, async (path) => {
      const page = await get(path);
      expect(page.status).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.text).toContain('<meta name="viewport" content="width=device-width');
      const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => `${file}`);
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) {
        const { pathname, search, host } = new URL(file, `http://service${path}`);
        expect([file, host]).toEqual([file, 'service']);
        const { status } = await get(pathname + search);
        expect([file, status]).toEqual([file, 200]);
      }
    });
    expect(wrong).toEqual([]);
  });

  test('has no scripts in it, so that a strict Content-Security-Policy may stay on', async () => {
    const wrong = await offenders(PAGES, async (path) => {
      const { text } = await get(path);
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/);
      expect(text).not.toMatch(/<style|style=| on\w+=/);
    });
    expect(wrong).toEqual([]);
  });

  test('holds no token where the secret is not one of development', async () => {
    const wrong = await offenders(PAGES, async (path) => {
      expect((await get(path)).text).toContain('&quot;token&quot;:null');
    });
    expect(wrong).toEqual([]);
  });
});

describe('a file of the documentation', () => {
  const PACKED = 'node_modules/@teamspaces/manual-site/dist/packed';
  const BUNDLE = '/docs/swagger-ui-bundle.js';

  test('is sent packed', async () => {
    const wrong = await offenders(['br', 'gzip'], async (encoding) => {
      const [whole, packed] = [await bytes(BUNDLE), await bytes(BUNDLE, encoding)];
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.headers.vary).toContain('accept-encoding');
      expect(packed.length).toBeLessThan(whole.length / 2);
    });
    expect(wrong).toEqual([]);
  });

  testInside('is sent as the build has compressed it', async () => {
    const file = '/docs/oauth2-redirect.js';
    const { headers, text } = await get(file, { 'accept-encoding': 'identity' });
    const version = /^"(.+)-identity"$/.exec(`${headers.etag}`)?.[1];
    // Unlike what the service would make of it now.
    const built = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } });
    const folder = join(`${process.env.TEST_SOURCES}`, PACKED);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${version}.br`), built);
    const sent = await bytes(file, 'br');
    expect([sent.headers['content-encoding'], sent.length]).toEqual(['br', built.length]);
  });

  test('is cached for ever under its version, and asked for again otherwise', async () => {
    const { text } = await get('/docs');
    const versioned = /"\.(\/docs\/swagger-ui-bundle\.js\?v=[^"]+)"/.exec(text)?.[1];
    const cached = await get(`${versioned}`);
    expect(cached.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const plain = await get(BUNDLE);
    expect(plain.headers['cache-control']).toBe('public, no-cache');
    const again = await get(BUNDLE, { 'if-none-match': `${plain.headers.etag}` });
    expect(again.status).toBe(304);
  });

  test('is 404 in the usual envelope where there is none', async () => {
    const { status, body } = await get('/docs/none.js');
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });
});

describe('an unknown route', () => {
  const ROUTES = ['/nothing', '/nothing/', '/teams/acme/nothing', '/docs/none.js', '/a/b/c/d/e'];

  test('is a page for a browser, with files and links that are here', async () => {
    const wrong = await offenders(ROUTES, async (path) => {
      const page = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect([page.status, page.headers['content-type']]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(page.headers.vary).toContain('accept');
      expect(page.headers['content-security-policy']).toContain("default-src 'self'");
      const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => `${file}`);
      expect(files.length).toBeGreaterThan(5);
      for (const file of files) {
        const { pathname, search } = new URL(file, `http://service${path}`);
        expect([file, (await get(pathname + search)).status]).toEqual([file, 200]);
      }
    });
    expect(wrong).toEqual([]);
  });

  test('is an error in the usual envelope for everyone else', async () => {
    const programs = ['*/*', 'application/json', 'application/json, text/html;q=0.5'];
    const wrong = await offenders(programs, async (accept) => {
      const { status, headers, body } = await get('/nothing', { accept });
      expect([status, headers.vary, body.error.code]).toEqual([404, 'accept', 'not_found']);
    });
    expect(wrong).toEqual([]);
    const known = await get('/teams/acme', { accept: 'text/html' });
    expect([known.status, known.body.error.code]).toEqual([401, 'unauthorized']);
    const deep = await get(`/${'a/'.repeat(100)}`, { accept: 'text/html' });
    expect(deep.body.error.code).toBe('not_found');
  });
});

test('the icons are there', async () => {
  const wrong = await offenders(
    [
      ['/favicon.ico', 'image/x-icon'],
      ['/favicon.svg', 'image/svg+xml'],
    ],
    async ([path, type]) => {
      const { status, headers } = await get(path);
      expect([status, headers['content-type']]).toEqual([200, type]);
    },
  );
  expect(wrong).toEqual([]);
});

// Before the tests that start another application: passport asks the last one, and that one ends.
test('what the pages send with the examples of required parameters works', async () => {
  const ada = at.as(somebody());
  await ok(ada.post('/teams', { name: 'Acme', slug: 'acme' }));
  await ok(ada.post('/teams/acme/workspaces', { name: 'Handbook' }));
  await ok(
    ada.post('/teams/acme/workspaces/handbook/collections', { name: 'First day', object: 'item' }),
  );
  const { paths } = JSON.parse((await get('/openapi.json')).text) as {
    paths: Record<string, { get?: { parameters: Parameter[] } }>;
  };
  interface Parameter {
    name: string;
    in: string;
    required: boolean;
    example?: string;
    schema?: { example?: string };
  }
  const lists = Object.entries(paths).filter(([path]) => /^\/collections(\/by-slug|$)/.test(path));
  expect(lists).toHaveLength(2);
  for (const [path, { get: operation }] of lists) {
    const required = operation?.parameters.filter((parameter) => parameter.required) ?? [];
    const exampleOf = ({ example, schema }: Parameter) => String(example ?? schema?.example);
    const inPath = path.replace(/\{slug\}/, 'first-day');
    const query = required
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => `${parameter.name}=${exampleOf(parameter)}`);
    const { status } = await ada.get(`${inPath}?${query.join('&')}`);
    expect([path, status]).toEqual([path, 200]);
  }
});

test('the server and the manual of the document are at PUBLIC_URL; on the pages, first the host that served them', async () => {
  const other = await startService({ PUBLIC_URL: 'https://teamspaces.example.com/' });
  const servers = async (path: string) => {
    const { body } = await other.with(null).get(path);
    expect(body.externalDocs.url).toBe('https://teamspaces.example.com/manual');
    return (body.servers as { url: string }[]).map(({ url }) => url);
  };
  try {
    expect(await servers('/openapi.json')).toEqual(['https://teamspaces.example.com']);
    expect(await servers('/openapi-3.0.json')).toEqual(['https://teamspaces.example.com']);
    expect(await servers('/docs/openapi.json')).toEqual(['/', 'https://teamspaces.example.com']);
  } finally {
    await other.stop();
  }
});

test('the token of a service under development is filled in, for callers on the same machine', async () => {
  const env = { DATABASE_URL: at.databaseUrl, AUTH_JWT_SECRET: SECRET, LOG_LEVEL: 'fatal' };
  const app = await createApp(loadConfig(env), TOKEN);
  try {
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const paths = ['/docs', '/docs/', '/reference', '/reference/'];
    const ask = async (headers: Record<string, string>) => {
      const answers = await Promise.all(paths.map((path) => request(url).get(path).set(headers)));
      return answers.map(({ text }) => text.includes(TOKEN));
    };
    expect(await ask({})).toEqual([true, true, true, true]);
    const others = {
      origin: 'https://elsewhere.example',
      'x-forwarded-for': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      via: '1.1 proxy',
      'x-real-ip': '203.0.113.7',
    };
    for (const [name, value] of Object.entries(others)) {
      expect([name, await ask({ [name]: value })]).toEqual([name, [false, false, false, false]]);
    }
  } finally {
    await app.close();
  }
});

test('a caller sits at the machine if the connection and the headers say so', async () => {
  const wrong = await offenders(
    [
      ['127.0.0.1', { host: 'localhost:3000' }, true],
      ['::ffff:127.0.0.1', { host: '127.0.0.1' }, true],
      ['::1', { host: '[::1]:3000' }, true],
      ['192.168.1.7', { host: 'localhost:3000' }, false],
      ['127.0.0.1', { host: 'elsewhere.example:3000' }, false],
      ['127.0.0.1', { host: 'localhost:3000', origin: 'null' }, false],
      ['127.0.0.1', { host: 'localhost:3000', 'x-forwarded-for': '127.0.0.1' }, false],
      ['127.0.0.1', { host: 'localhost:3000', forwarded: '' }, false],
      ['127.0.0.1', { host: 'localhost:3000', via: '1.1 proxy' }, false],
      ['127.0.0.1', { host: 'localhost:3000', 'x-real-ip': '203.0.113.7' }, false],
    ],
    ([address, headers, is]) => {
      expect(isAtThisMachine(address, headers)).toBe(is);
    },
  );
  expect(wrong).toEqual([]);
});

/** An answer's bytes as they came; supertest would unpack them. */
function bytes(path: string, encoding?: string) {
  const headers = encoding ? { 'accept-encoding': encoding } : {};
  return new Promise<{ headers: IncomingHttpHeaders; length: number }>((resolve, reject) => {
    const sent = httpGet(`${at.url}${path}`, { headers }, async (response) => {
      let length = 0;
      for await (const chunk of response) length += (chunk as Buffer).length;
      resolve({ headers: response.headers, length });
    });
    sent.once('error', reject);
  });
}

describe('parameters of paths', () => {
  @Controller('teams/:team_slug')
  class EchoController {
    @Get()
    @ApiOkResponse()
    team(@Team() team: TeamRef): TeamRef {
      return team;
    }

    @Get('workspaces/:workspace_slug')
    @ApiOkResponse()
    workspace(@Workspace() workspace: WorkspaceRef): WorkspaceRef {
      return workspace;
    }
  }

  @Module({ controllers: [EchoController] })
  class EchoModule {}

  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await NestFactory.create(EchoModule, new FastifyAdapter(), { logger: false });
    app.useGlobalFilters(new ErrorsFilter('http://localhost:3000'));
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch((await app.getUrl()) + path);
    const body: unknown = await answer.json();
    return answer.status === 200 ? body : [answer.status, body];
  };

  test('@Team() takes the slug of the path and the id of the query', async () => {
    expect(await get('/teams/acme')).toEqual({ slug: 'acme' });
    expect(await get('/teams/acme?teamId=7&other=x')).toEqual({ slug: 'acme', id: '7' });
  });

  test('@Workspace() takes both slugs of the path and the id of the query', async () => {
    expect(await get('/teams/acme/workspaces/handbook?teamId=7')).toEqual({
      team: { slug: 'acme', id: '7' },
      slug: 'handbook',
    });
  });

  test('an empty or repeated teamId is 400', async () => {
    const wrong = await offenders(
      [
        ['teamId=', 'teamId must be at least 1 character'],
        ['teamId=1&teamId=2', 'teamId must be given once'],
      ],
      async ([query, message]) => {
        for (const path of ['/teams/acme', '/teams/acme/workspaces/handbook']) {
          expect(await get(`${path}?${query}`)).toMatchObject([
            400,
            { error: { code: 'bad_request', message } },
          ]);
        }
      },
    );
    expect(wrong).toEqual([]);
  });

  test('they document the parameters of the path, each once', () => {
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const names = Object.values(document.paths).map((path) =>
      path.get?.parameters?.map((parameter) => 'name' in parameter && parameter.name),
    );
    expect(names).toEqual([['team_slug'], ['team_slug', 'workspace_slug']]);
  });
});
