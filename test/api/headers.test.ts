import { somebody, startService } from '../support/app.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

const ORIGIN = 'https://app.example.com';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

const at = scene({ env: { CORS_ORIGINS: `${ORIGIN},https://other.example.com` } });

const ada = somebody();
const call = (path: string, init: RequestInit = {}) => fetch(at.url + path, init);
const words = (header: string | null) => (header ?? '').toLowerCase().split(/, */);

describe('a preflight', () => {
  const preflight = (origin: string, method: string, headers = 'authorization') =>
    call('/teams/acme/workspaces/handbook', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      },
    });

  test('of every method is allowed for an origin in CORS_ORIGINS', async () => {
    const wrong = await offenders(METHODS, async (method) => {
      const answer = await preflight(ORIGIN, method);
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(words(answer.headers.get('access-control-allow-methods'))).toContain(
        method.toLowerCase(),
      );
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    });
    expect(wrong).toEqual([]);
  });

  test('allows the headers that callers send', async () => {
    const answer = await preflight(ORIGIN, 'PUT');
    expect(words(answer.headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'if-match',
        'if-none-match',
        'idempotency-key',
        'x-request-id',
        'traceparent',
      ]),
    );
  });

  test('of another origin is allowed nothing', async () => {
    const wrong = await offenders(
      ['https://evil.example.com', 'null', `${ORIGIN}.evil.example.com`, 'http://app.example.com'],
      async (origin) => {
        const answer = await preflight(origin, 'PUT');
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      },
    );
    expect(wrong).toEqual([]);
  });

  test('needs an origin and a method: any other OPTIONS is 404', async () => {
    for (const headers of [{}, { origin: ORIGIN }, { 'access-control-request-method': 'GET' }]) {
      const answer = await call('/teams', { method: 'OPTIONS', headers: new Headers(headers) });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
    }
  });
});

describe('an answer to another origin', () => {
  test('may be read by an origin in CORS_ORIGINS, with the headers that matter', async () => {
    const answer = await call('/teams', { headers: { origin: ORIGIN } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(words(answer.headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining([
        'etag',
        'link',
        'retry-after',
        'ratelimit',
        'ratelimit-policy',
        'x-request-id',
        'idempotent-replayed',
        'www-authenticate',
      ]),
    );
    expect(words(answer.headers.get('vary'))).toContain('origin');
  });

  test('may not be read by others', async () => {
    const answer = await call('/teams', { headers: { origin: 'https://evil.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('every answer', () => {
  const paths = [
    '/teams',
    '/nothing',
    '/teams/%zz',
    '/docs',
    '/openapi.json',
    '/api-reference/errors',
  ];

  test('protects browsers and names no software', async () => {
    const wrong = await offenders(paths, async (path) => {
      const answer = await call(path, { headers: { origin: ORIGIN } });
      const { headers } = answer;
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      // The public address is plain HTTP here.
      expect(headers.get('strict-transport-security')).toBeNull();
    });
    expect(wrong).toEqual([]);
  });

  test('with data may load nothing', async () => {
    const answer = await at.as(ada).get('/teams');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
  });

  test('that is a page of Swagger UI may load all that the page names', async () => {
    const page = await call('/docs');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    const html = await page.text();
    // Scripts and styles come from the service itself; nothing runs inline.
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    for (const [, address = ''] of html.matchAll(/(?:src|href)=["']([^"'#]+)["']/g)) {
      const { origin, href } = new URL(address, `${at.url}/docs`);
      expect(origin).toBe(at.url);
      expect((await fetch(href)).status).toBe(200);
    }
  });
});

test('HSTS is sent where the public address is https', async () => {
  const secure = await startService({ PUBLIC_URL: 'https://spaces.example.com' });
  try {
    const answer = await secure.with(null).get('/teams');
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  } finally {
    await secure.stop();
  }
});

test('without CORS_ORIGINS a preflight is a request like any other', async () => {
  const closed = await startService();
  try {
    const answer = await fetch(`${closed.url}/teams`, {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'PUT' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  } finally {
    await closed.stop();
  }
});
