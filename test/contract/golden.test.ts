import { decide, decideTeam, standingOf } from '../../src/access/decide.js';
import {
  ACCESS_LEVELS,
  TEAM_ROLES,
  VISIBILITIES,
  WORKSPACE_ROLES,
} from '../../src/access/roles.js';
import {
  TEAM_ACTIONS,
  type TeamAction,
  WORKSPACE_ACTIONS,
  type WorkspaceAction,
} from '../../src/access/table.js';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { SECRET, startService } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { expectGolden } from '../support/golden.js';

test('the role × action table is the one that was agreed on', () => {
  const lines: Record<string, Record<string, string>> = {};
  const teamActions = Object.keys(TEAM_ACTIONS) as TeamAction[];
  const workspaceActions = Object.keys(WORKSPACE_ACTIONS) as WorkspaceAction[];
  for (const teamRole of [null, ...TEAM_ROLES]) {
    lines[`team role ${teamRole ?? 'none'}`] = Object.fromEntries(
      teamActions.map((action) => [action, decideTeam(action, teamRole)]),
    );
    for (const visibility of VISIBILITIES) {
      for (const defaultAccess of ACCESS_LEVELS) {
        // Nobody has a workspace role without being in the team: a foreign key sees to it.
        for (const workspaceRole of teamRole === null ? [null] : [null, ...WORKSPACE_ROLES]) {
          const facts = { teamRole, visibility, defaultAccess, workspaceRole };
          const name = `team role ${teamRole ?? 'none'}, workspace ${visibility} ${defaultAccess}, own role ${workspaceRole ?? 'none'}`;
          lines[name] = {
            standing: standingOf(facts),
            ...Object.fromEntries(
              workspaceActions.map((action) => [action, decide(action, facts)]),
            ),
          };
        }
      }
    }
  }
  expectGolden('access.json', lines);
});

test('the OpenAPI document is the one that was agreed on', async () => {
  const service = await startService();
  try {
    const { body } = await service.with(null).get('/openapi.json');
    expectGolden('openapi.json', body);
  } finally {
    await service.stop();
  }
});

test('every route is known, and asks for a token unless it is public', async () => {
  const database = await createTestDatabase();
  const app = await createApp(
    loadConfig({ DATABASE_URL: database.url, AUTH_JWT_SECRET: SECRET, LOG_LEVEL: 'silent' }),
  );
  try {
    const fastify = app.getHttpAdapter().getInstance();
    const routes: [method: string, path: string][] = [];
    fastify.addHook('onRoute', ({ method, url }: { method: string | string[]; url: string }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.push([one, url]);
    });
    await app.listen(0, '127.0.0.1');
    const base = await app.getUrl();
    const known: Record<string, string> = {};
    for (const [method, path] of routes.sort()) {
      if (path.startsWith('/docs') || path.includes('*')) continue;
      const url = path.replace(/:\w+/g, 'x');
      const { status } = await fetch(base + url, { method });
      known[`${method} ${path}`] = status === 401 ? 'token' : 'public';
    }
    expectGolden('routes.json', known);
  } finally {
    await app.close();
    await database.drop();
  }
});
