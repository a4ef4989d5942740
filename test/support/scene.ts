import { startService, startServiceInside, type TestService } from './app.js';
import { aTeam, aWorkspace } from './builders.js';
import { createTestDatabase } from './database.js';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.js';
import { type Known, someone } from './members.js';

export type Workspace = Awaited<ReturnType<typeof aWorkspace>>;

interface SceneOptions {
  /** Variables of the service; a function is called when the service starts, after earlier hooks. */
  env?: Env | (() => Env | Promise<Env>);
  /** What all tests share: a team of Ada's, or a team and a workspace in it. */
  once?: Level;
  /** What is new for each test. A workspace is made in the shared team, if there is one. */
  each?: Level;
  /** Verifies the database's invariants at the end; nightly, after each test. */
  verify?: true;
  /** Puts a proxy between the service and PostgreSQL. */
  proxied?: boolean;
  /** Runs the service in the test's own process, for a test that measures that process. */
  inside?: boolean;
  /** false: nobody is known, for services that do not accept the tests' own tokens. */
  ada?: false;
}

type Env = Record<string, string>;
type Level = 'team' | 'workspace';

/** A running service with what most tests need. It has what the options name, from the first test on. */
export interface Scene extends TestService {
  /** She owns the team and the workspace. */
  readonly ada: Known;
  /** The slug of the team. */
  readonly team: string;
  readonly workspace: Workspace;
  /** Names the workspace: `?team_slug=…&workspace_slug=…`. */
  readonly query: string;
  readonly proxy: DatabaseProxy;
  /** Makes what is new for each test, but only in the `describe` that calls this. */
  eachTest(level: Level): void;
}

/**
 * Registers the hooks that start a service on a database of its own, and stop it: for the tests of the
 * file, or of the `describe`, that calls this.
 */
export function scene(options: SceneOptions = {}): Scene {
  const at = {} as { -readonly [Name in keyof Scene]: Scene[Name] };
  const makeTeam = async () => {
    at.team = await aTeam(at.ada);
  };
  const makeWorkspace = async () => {
    at.workspace = await aWorkspace(at.ada, at.team);
    at.query = at.workspace.query;
  };
  at.eachTest = (level) => {
    if (!(options.once && level === 'workspace')) beforeEach(makeTeam);
    if (level === 'workspace') beforeEach(makeWorkspace);
  };
  let stop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const env = typeof options.env === 'function' ? await options.env() : options.env;
    const start = options.inside ? startServiceInside : startService;
    stop = options.proxied ? await startProxied(at, env) : startPlain(at, await start(env));
    if (options.ada !== false) at.ada = await someone(at);
    if (options.once) await makeTeam();
    if (options.once === 'workspace') await makeWorkspace();
  });
  if (options.each) at.eachTest(options.each);
  if (options.verify && process.env.NIGHTLY === '1') afterEach(() => verify(at));
  afterAll(async () => {
    try {
      if (options.verify && at.databaseUrl) await verify(at);
    } finally {
      await stop();
    }
  });
  return at;
}

function startPlain(at: Partial<Scene>, service: TestService) {
  Object.assign(at, service);
  return service.stop;
}

async function startProxied(at: Partial<Scene>, env?: Env) {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.url);
  const release = async () => {
    await proxy.stop();
    await database.drop();
  };
  try {
    // No job sends statements beside those of requests.
    const service = await startService({ SEARCH_CONTENT: 'off', ...env }, proxy.url);
    Object.assign(at, service, { proxy, databaseUrl: database.url });
    return () => service.stop().finally(release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function verify({ databaseUrl }: TestService): Promise<void> {
  // Not at the top: it loads the database client of the service.
  const { assertInvariants } = await import('./invariants.js');
  await assertInvariants(databaseUrl);
}
