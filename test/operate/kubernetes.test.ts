import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  PodMonitor,
  PrometheusRule,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { testWith } from '../support/programs.js';
import { KUSTOMIZATION, kustomizations, type Manifest, manifests, parseFile } from './manifests.js';

const BASE = 'deploy/kubernetes';
const RULE = 'deploy/components/monitoring/prometheus-rule.yaml';

type Model = new (manifest: never) => { validate(): void };
const KINDS: Record<string, Model> = {
  ConfigMap,
  Namespace,
  Service,
  Deployment,
  Job,
  PodDisruptionBudget,
  NetworkPolicy,
  Ingress,
  HorizontalPodAutoscaler,
  PodMonitor,
  PrometheusRule,
};

test('every Kubernetes manifest is valid by its schema', async () => {
  const all = await manifests();
  expect(new Set(all.map(([, { kind }]) => kind))).toEqual(new Set(Object.keys(KINDS)));
  for (const [file, manifest] of all) {
    const Kind = KINDS[manifest.kind] as Model;
    const { apiVersion, kind } = new Kind(manifest as never) as unknown as Manifest;
    expect([file, manifest.apiVersion, manifest.kind]).toEqual([file, apiVersion, kind]);
    try {
      new Kind(manifest as never).validate();
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`);
    }
    if (kind !== 'Namespace') expect(manifest.metadata.namespace).toBe('teamspaces');
  }
});

test('each kustomization names every manifest of its folder, and folders that have one', async () => {
  const all = await manifests();
  for (const [folder, { resources = [], components = [] }] of await kustomizations()) {
    const files = all.map(([file]) => file).filter((file) => dirname(file) === folder);
    const named = resources.map((path) => join(folder, path));
    expect(named.filter((path) => path.endsWith('.yaml')).sort()).toEqual(files.sort());
    const folders = named.filter((path) => !path.endsWith('.yaml'));
    for (const other of [...folders, ...components.map((path) => join(folder, path))]) {
      expect([other, existsSync(join(other, KUSTOMIZATION))]).toEqual([other, true]);
    }
  }
});

test('each patch names a manifest, and a path that it has', async () => {
  const all = (await manifests()).map(([, manifest]) => manifest);
  const patches = (await kustomizations()).flatMap(([, { patches = [] }]) => patches);
  expect(patches.length).toBeGreaterThan(2);
  for (const { target, patch } of patches) {
    const found = all.find(
      ({ kind, metadata }) => kind === target.kind && metadata.name === target.name,
    );
    for (const { path } of parse(patch) as { path: string }[]) {
      const keys = path.split('/').slice(1);
      const value = keys.reduce<unknown>(
        (at, key) => (at as Record<string, unknown> | undefined)?.[key],
        found,
      );
      expect([target, path, value]).toEqual([target, path, expect.anything()]);
    }
  }
});

testWith('kubectl')(
  'kubectl builds the overlay: every manifest, its host name, this image',
  async () => {
    const { stdout } = await promisify(execFile)('kubectl', [
      'kustomize',
      'deploy/overlays/production',
    ]);
    const built = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const names = (all: Manifest[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const all = (await manifests()).map(([, manifest]) => manifest);
    expect(names(built).sort()).toEqual(names(all).sort());
    expect(built.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({
      data: { PUBLIC_URL: 'https://teamspaces.example.com' },
    });
    const { version } = await parseFile<{ version: string }>('package.json');
    for (const { spec } of built.filter(({ kind }) => /^(Deployment|Job)$/.test(kind)) as Run[]) {
      for (const { image } of spec.template.spec.containers) {
        expect(image).toBe(`ghcr.io/teamspaces/teamspaces:${version}`);
      }
    }
  },
);

interface Run extends Manifest {
  spec: { template: { spec: { containers: { image: string }[] } } };
}

test('every container runs the image of this version, and no kustomization replaces it', async () => {
  const { version } = await parseFile<{ version: string }>('package.json');
  const images = (await pods()).flatMap(([, { spec }]) =>
    spec.containers.map(({ image }) => image),
  );
  const own = `ghcr.io/teamspaces/teamspaces:${version}`;
  expect(images).toEqual([own, own]);
  expect((await kustomizations()).filter(([, { images }]) => images)).toEqual([]);
});

test('the PrometheusRule has the alerts of deploy/prometheus, and the PodMonitor their job', async () => {
  const { groups } = await parseFile<{ groups: object[] }>('deploy/prometheus/alerts.yml');
  if (process.env.UPDATE_GOLDEN === '1') {
    const text = await readFile(RULE, 'utf8');
    const head = text.slice(0, text.indexOf('  groups:'));
    const body = stringify({ groups }, { lineWidth: 0 }).replace(/^(?=.)/gm, '  ');
    await writeFile(RULE, head + body);
  }
  const rule = await parseFile<{ spec: object }>(RULE);
  expect(rule.spec).toEqual({ groups });

  interface Labelled {
    spec: { jobLabel: string; template: { metadata: { labels: Record<string, string> } } };
  }
  const { spec } = await parseFile<Labelled>('deploy/components/monitoring/pod-monitor.yaml');
  const deployment = await parseFile<Labelled>(join(BASE, 'deployment.yaml'));
  // `{job="teamspaces"}` of the alerts.
  expect(deployment.spec.template.metadata.labels[spec.jobLabel]).toBe('teamspaces');
});

test('the Ingress sends no request twice: it cannot tell which ones are safe to repeat', async () => {
  const { metadata } = await parseFile<{ metadata: { annotations: Record<string, string> } }>(
    'deploy/components/ingress/ingress.yaml',
  );
  expect(metadata.annotations['nginx.ingress.kubernetes.io/proxy-next-upstream']).toBe('off');
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
    containers: { image: string; securityContext?: object }[];
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
