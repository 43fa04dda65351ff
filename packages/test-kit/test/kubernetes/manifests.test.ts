import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IService } from 'kubernetes-models/v1';
import {
  describeWithKustomize,
  HOSTED,
  type Manifest,
  OVERLAYS,
  ofKind,
  parseManifests,
  workloadsOf,
} from './render.ts';
import { errorsOf } from './schema.ts';

const RESTRICTED_POD = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: expect.any(Number),
    runAsGroup: expect.any(Number),
    fsGroup: expect.any(Number),
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
  },
};
const RESTRICTED_CONTAINER = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const RESTRICTED_NAMESPACE = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/audit': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
};
const OWN_IMAGE = /^ghcr\.io\/OWNER\/REPOSITORY\/([\w-]+):2\.1\.0$/;
const PROCESSES = ['access-api', 'data-api', 'data-worker', 'worker'];
const PROCESSES_IN = {
  development: PROCESSES,
  staging: PROCESSES,
  production: PROCESSES,
};

describeWithKustomize('the manifests', (manifestsOf) => {
  describe.each(OVERLAYS)('of %s', (overlay) => {
    const namespace = `vcds-${overlay}`;

    test('have only fields and values of the published schemas', async () => {
      const errors: string[] = [];
      const components = ['traces', 'clickhouse'].flatMap((each) => manifestsOf(overlay, each));
      for (const manifest of components) {
        errors.push(...(await errorsOf(manifest)));
      }
      expect(manifestsOf(overlay).length).toBeGreaterThan(40);
      expect(errors).toEqual([]);
    });

    test('are in one namespace, which enforces restricted pods', () => {
      const [own, ...others] = ofKind(manifestsOf(overlay), 'Namespace');
      expect(others).toEqual([]);
      expect(own?.metadata).toMatchObject({ name: namespace, labels: RESTRICTED_NAMESPACE });
      const outside = manifestsOf(overlay).filter(
        ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace,
      );
      expect(outside).toEqual([]);
    });

    test('restrict every pod, and give each a service account of its own', () => {
      const manifests = manifestsOf(overlay, 'clickhouse');
      const workloads = workloadsOf(manifests);
      const accounts = ofKind(manifests, 'ServiceAccount');
      for (const { name, spec, containers } of workloads) {
        expect(spec).toMatchObject({ ...RESTRICTED_POD, serviceAccountName: name });
        expect(spec.securityContext?.runAsUser).toBeGreaterThan(0);
        expect(spec.containers).toHaveLength(1);
        for (const { securityContext, resources } of containers) {
          expect(securityContext).toEqual(RESTRICTED_CONTAINER);
          expect(resources).toEqual({
            requests: { cpu: expect.anything(), memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          });
        }
        expect([spec.hostNetwork, spec.hostPID, spec.hostIPC]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
        expect((spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined)).toEqual([]);
      }
      expect(accounts.map(({ metadata }) => metadata.name).sort()).toEqual(
        workloads.map(({ name }) => name).sort(),
      );
      for (const account of accounts) {
        expect(account).toMatchObject({ automountServiceAccountToken: false });
      }
    });

    test('divide ClickHouse into three shards of two replicas, which data-api and the data worker reach', () => {
      const manifests = manifestsOf(overlay, 'clickhouse');
      const [config] = ofKind<{ data: Record<string, string> } & Manifest>(
        manifests,
        'ConfigMap',
      ).filter(({ metadata }) => metadata.name?.startsWith('clickhouse-server'));
      const text = config?.data['server.xml'] ?? '';
      const hosts = (of: string) =>
        [...of.matchAll(/<host>(clickhouse-\d)\.clickhouse-servers</g)].map(([, name]) => name);
      expect(text.split('<shard>').slice(1).map(hosts)).toEqual([
        ['clickhouse-0', 'clickhouse-1'],
        ['clickhouse-2', 'clickhouse-3'],
        ['clickhouse-4', 'clickhouse-5'],
      ]);
      const [servers] = ofKind<IStatefulSet>(manifests, 'StatefulSet').filter(
        ({ metadata }) => metadata?.name === 'clickhouse',
      );
      expect(servers?.spec).toMatchObject({ replicas: 6, serviceName: 'clickhouse-servers' });
      for (const { name, containers } of workloadsOf(manifests)) {
        const names = containers.flatMap(({ env = [] }) => env.map((each) => each.name));
        const isClient = name === 'data-api' || name === 'data-worker';
        expect([name, names.includes('CLICKHOUSE_URL')]).toEqual([name, isClient]);
      }
    });

    test('probe the internal listener of each process, and spread its pods', () => {
      const deployments = ofKind<IDeployment>(manifestsOf(overlay), 'Deployment');
      expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(
        PROCESSES_IN[overlay],
      );
      for (const { metadata, spec } of deployments) {
        const { containers, topologySpreadConstraints = [] } = spec?.template.spec ?? {
          containers: [],
        };
        const [container] = containers;
        const pathOf = (probe: keyof NonNullable<typeof container>) =>
          container?.[probe] as { httpGet?: object } | undefined;
        expect(pathOf('startupProbe')?.httpGet).toEqual({ path: '/live', port: 'internal' });
        expect(pathOf('readinessProbe')?.httpGet).toEqual({ path: '/ready', port: 'internal' });
        expect(pathOf('livenessProbe')?.httpGet).toEqual({ path: '/live', port: 'internal' });
        // A check of /ready takes up to 2 s.
        expect(container?.readinessProbe?.timeoutSeconds).toBeGreaterThan(2);
        expect(topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
          'topology.kubernetes.io/zone',
          'kubernetes.io/hostname',
        ]);
        for (const { labelSelector } of topologySpreadConstraints) {
          expect(labelSelector).toEqual(spec?.selector);
        }
        expect(spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0);
        const budget = ofKind<IPodDisruptionBudget>(
          manifestsOf(overlay),
          'PodDisruptionBudget',
        ).find((other) => other.metadata.name === metadata.name);
        expect(budget?.spec).toMatchObject({ maxUnavailable: 1, selector: spec?.selector });
      }
    });

    test('make nothing public but the public ports of the two services', () => {
      const services = ofKind<IService>(manifestsOf(overlay), 'Service');
      const [ingress, ...others] = ofKind<IIngress>(manifestsOf(overlay), 'Ingress');
      expect(others).toEqual([]);
      const backends = ingress?.spec?.rules?.flatMap(({ http }) =>
        (http?.paths ?? []).map(({ backend }) => backend.service),
      );
      expect(backends).toEqual(
        ['data-api', 'access-api'].map((name) => ({ name, port: { name: 'http' } })),
      );
      for (const name of ['data-api', 'access-api']) {
        const service = services.find(({ metadata }) => metadata.name === name);
        expect(service?.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(['http']);
      }
      expect(services.filter(({ spec }) => (spec?.type ?? 'ClusterIP') !== 'ClusterIP')).toEqual(
        [],
      );
      for (const { spec, metadata } of services) {
        const target = workloadsOf(manifestsOf(overlay)).filter(({ labels }) =>
          Object.entries(spec?.selector ?? { none: '' }).every(
            ([key, value]) => labels[key] === value,
          ),
        );
        const ports = target
          .flatMap(({ container }) => container.ports ?? [])
          .map(({ name }) => name);
        expect([metadata.name, target.length]).toEqual([metadata.name, 1]);
        for (const { targetPort } of spec?.ports ?? []) expect(ports).toContain(targetPort);
      }
    });
  });

  test.each(HOSTED)('of %s run released images of one version', (overlay) => {
    const images = workloadsOf(manifestsOf(overlay)).flatMap(({ name, containers }) =>
      containers.map(({ image = '' }) => `${name} ${image.replace(OWN_IMAGE, '$1')}`),
    );
    const processes = [...PROCESSES_IN[overlay], 'ingest', 'migrate'];
    expect(images.sort()).toEqual(
      [
        ...processes.map((name) => `${name} ${name}`),
        'backup access-api',
        'restore access-api',
        'backup postgres:18.0',
        'restore postgres:18.0',
        'restore postgres:18.0',
      ].sort(),
    );
  });

  test('back up and restore by the scripts of compose', async () => {
    const scripts = workloadsOf(manifestsOf('production')).flatMap(({ name, containers }) =>
      containers.flatMap(({ command, args = [] }) =>
        command?.[0] === 'bash' ? [[name, ...args]] : [],
      ),
    );
    const script = (name: string) =>
      readFile(new URL(`../../../../docker/backup/${name}.sh`, import.meta.url), 'utf8');
    expect(scripts.sort()).toEqual(
      [
        ['backup', await script('backup')],
        ['restore', await script('check')],
        ['restore', await script('restore')],
      ].sort(),
    );
  });

  test.each(HOSTED)('of %s contain no secret', (overlay) => {
    expect(ofKind(manifestsOf(overlay), 'Secret')).toEqual([]);
  });
});

describe('the check of fields', () => {
  const service: Manifest = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80, targetPort: 'http' }] },
  };

  test.each<readonly [object, readonly string[]]>([
    [{}, []],
    [{ kind: 'Servise' }, ["Cannot find module 'kubernetes-models/v1/Servise'"]],
    [{ spec: { ports: [{ port: 80, targetport: 1 }] } }, ['/spec/ports/0/targetport: unknown']],
    [{ spec: { ports: [{ port: '80' }] } }, ['/spec/ports/0/port must be integer']],
    [{ sepc: {} }, ['/sepc: unknown field']],
    [{ metadata: { name: 'a', label: {} } }, ['/metadata/label: unknown field']],
  ])('of %j finds %j', async (change, errors) => {
    const found = await errorsOf({ ...service, ...change });
    expect(found).toEqual(errors.map((error) => expect.stringContaining(error)));
  });

  test('reads on as true, as Kubernetes does', () => {
    expect(parseManifests('kind: x\nspec:\n  value: on\n')).toEqual([
      { kind: 'x', spec: { value: true } },
    ]);
  });
});
