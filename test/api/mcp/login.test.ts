import { somebody, startService, type TestService, tokenOf } from '../../support/app.js';
import { call, message, send } from '../../support/mcp.js';

const ISSUER = 'https://login.example.com/';
const WELL_KNOWN = '/.well-known/oauth-protected-resource';

let service: TestService;
const start = async (env: Record<string, string>) => {
  service = await startService({ PUBLIC_URL: 'https://teamspaces.example.com/', ...env });
};
afterEach(() => service.stop());

const challengeOf = async (token: string | null) => {
  const { status, headers, body } = await send(service.url, message('ping'), { token });
  expect([status, body.error.data.code]).toEqual([401, 'unauthorized']);
  return headers.get('www-authenticate');
};

test('a client learns where its user can log in', async () => {
  await start({ AUTH_ISSUER: ISSUER });
  const metadata = `https://teamspaces.example.com${WELL_KNOWN}/mcp`;
  expect(await challengeOf(null)).toBe(`Bearer resource_metadata="${metadata}"`);
  // This token is of no issuer.
  expect(await challengeOf(tokenOf(somebody()))).toBe(
    `Bearer error="invalid_token", resource_metadata="${metadata}"`,
  );
  const { status, headers } = await fetch(`${service.url}/teams`);
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
    const response = await fetch(service.url + path);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        resource: 'https://teamspaces.example.com/mcp',
        authorization_servers: [ISSUER],
        scopes_supported: [
          ...['teamspaces:read', 'teamspaces:write', 'teamspaces:manage', 'offline_access'],
        ],
        bearer_methods_supported: ['header'],
      },
    ]);
  }
});

test('without an issuer, nobody can log in: a client is given its token', async () => {
  await start({});
  expect(await challengeOf(null)).toBe('Bearer');
  expect(await challengeOf('x')).toBe('Bearer error="invalid_token"');
  for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
    expect((await fetch(service.url + path)).status).toBe(404);
  }
  const { status } = await send(service.url, message('ping'), { token: tokenOf(somebody()) });
  expect(status).toBe(200);
});

test('below a path that a proxy takes off, tools reach the service, too', async () => {
  await start({ PUBLIC_URL: 'https://example.com/teamspaces', AUTH_ISSUER: ISSUER });
  expect(await challengeOf(null)).toBe(
    `Bearer resource_metadata="https://example.com/teamspaces${WELL_KNOWN}/mcp"`,
  );
  await service.stop();
  await start({ PUBLIC_URL: 'https://example.com/teamspaces' });
  const called = await call(service.url, tokenOf(somebody()), 'list_teams', {});
  expect(called).toMatchObject({ isError: false, text: '{"teams":[]}' });
});
