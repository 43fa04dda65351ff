import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1';
import { repositoryRoot } from '@vcds/local-stack';
import type { IContainer, IEnvVar } from 'kubernetes-models/v1';
import { readAccessConfig, readWorkerConfig } from '../../../../services/access-api/src/config.ts';
import { readDataApiConfig } from '../../../../services/data-api/src/config.ts';
import { readDataWorkerConfig } from '../../../../services/data-api/src/worker/config.ts';
import { STOP_MS_MAX } from '../../../service-kit/src/service.ts';
import { testRsaKey } from '../../src/rsa-keys.ts';
import {
  describeWithKustomize,
  type Manifest,
  OVERLAYS,
  ofKind,
  type Workload,
  workloadsOf,
} from './render.ts';

/** How each process reads its variables, and its ports by name. */
const PROCESSES = {
  'data-api': [readDataApiConfig, { http: 'DATA_API_PORT', internal: 'DATA_API_INTERNAL_PORT' }],
  'access-api': [
    readAccessConfig,
    { http: 'ACCESS_API_PORT', internal: 'ACCESS_API_INTERNAL_PORT' },
  ],
  worker: [readWorkerConfig, { internal: 'WORKER_INTERNAL_PORT' }],
  'data-worker': [readDataWorkerConfig, { internal: 'DATA_WORKER_INTERNAL_PORT' }],
} as const;
const NAMES = Object.keys(PROCESSES) as (keyof typeof PROCESSES)[];

const DOCUMENTATION = ['configuration', 'kubernetes']
  .map((page) => readFileSync(join(repositoryRoot, `docs/${page}.md`), 'utf8'))
  .join('\n');

describeWithKustomize('the settings of the manifests', (manifestsOf) => {
  test.each(OVERLAYS.flatMap((overlay) => NAMES.map((name) => [overlay, name] as const)))(
    'of %s suffice for %s, which reads each of them',
    (overlay, name) => {
      const manifests = manifestsOf(overlay);
      const { container, spec } = workloadNamed(manifests, name);
      const [readConfig, portVariables] = PROCESSES[name];
      const config: object = readConfig(environmentOf(container, manifests));
      const value = (variable: string): unknown => Reflect.get(config, variable);
      const own = (container.env ?? []).map((variable) => variable.name);
      expect(own.filter((variable) => !(variable in config))).toEqual([]);
      // Variables with a host are addresses to listen on: every other default is this pod alone.
      const hosts = Object.keys(config).filter((variable) => variable.endsWith('_HOST'));
      expect(hosts.map(value)).toEqual(hosts.map(() => '0.0.0.0'));
      const ports = Object.entries(portVariables).map(([port, variable]) => ({
        name: port,
        containerPort: value(variable),
      }));
      expect(container.ports).toEqual(ports);
      const drainMs = Number(value('DRAIN_MS') ?? 0);
      const graceMs = (spec.terminationGracePeriodSeconds ?? 30) * 1_000;
      expect(graceMs).toBeGreaterThan(drainMs + STOP_MS_MAX);
      // The ingress controller and the probes must see /ready fail while the process still serves.
      const { periodSeconds = 10, failureThreshold = 3 } = container.readinessProbe ?? {};
      if ('http' in portVariables) {
        expect(drainMs).toBeGreaterThanOrEqual(periodSeconds * failureThreshold * 1_000);
      }
    },
  );

  test.each(OVERLAYS)('of %s, with traces, name the collector to every process', (overlay) => {
    const manifests = manifestsOf(overlay, 'traces');
    const traced = workloadsOf(manifests).filter(({ kind }) => kind === 'Deployment');
    for (const { name, container } of traced) {
      const endpoint = literalsOf(container, manifests).OTEL_EXPORTER_OTLP_ENDPOINT;
      expect([name, endpoint]).toEqual([name, expect.stringMatching(/^http:\/\/.*:4318$/)]);
    }
  });

  test.each(OVERLAYS)('of %s are described in the documentation', (overlay) => {
    const manifests = manifestsOf(overlay, 'traces');
    const names = workloadsOf(manifests)
      .filter(({ kind }) => kind !== 'StatefulSet')
      .flatMap(({ containers }) => containers)
      .flatMap((container) => [
        ...(container.env ?? []).map((variable) => variable.name),
        ...Object.keys(literalsOf(container, manifests)),
      ]);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !DOCUMENTATION.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(OVERLAYS)('of %s refer to secrets that exist, and use each', (overlay) => {
    const manifests = manifestsOf(overlay);
    const referred = workloadsOf(manifests)
      .flatMap(({ containers }) => containers)
      .flatMap(({ env = [] }) => env)
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
      .map(({ name = '', key, optional = false }) => ({ id: `${name}/${key}`, optional }));
    const existing = new Set(secretKeysOf(manifests));
    const required = referred.filter(({ optional }) => !optional).map(({ id }) => id);
    expect(required.filter((id) => !isIn(existing)(id))).toEqual([]);
    const used = referred.flatMap(({ id }) => [id, id.replace(/\/.*/, '/*')]);
    expect([...existing].filter((id) => !used.includes(id))).toEqual([]);
  });

  test.each(OVERLAYS)('of %s have no secret as a plain value', (overlay) => {
    const manifests = manifestsOf(overlay);
    const literals = workloadsOf(manifests)
      .flatMap(({ containers }) => containers)
      .flatMap((container) => Object.entries(literalsOf(container, manifests)));
    expect(
      literals.filter(
        ([name, value]) =>
          /SECRET|PASSWORD|TOKEN|API_KEY|SIGNING/.test(name) || /:\/\/[^/]*@/.test(value),
      ),
    ).toEqual([]);
  });
});

function workloadNamed(manifests: readonly Manifest[], name: string): Workload {
  const found = workloadsOf(manifests).find((workload) => workload.name === name);
  if (found === undefined) throw new Error(`${name} is not in the manifests.`);
  return found;
}

/** The variables of a container: its literal ones, and a valid value for each secret. */
function environmentOf(
  container: IContainer,
  manifests: readonly Manifest[],
): Record<string, string> {
  const secrets = (container.env ?? []).flatMap(({ name, valueFrom }) =>
    valueFrom?.secretKeyRef === undefined ? [] : [[name, exampleOf(name)]],
  );
  return { ...literalsOf(container, manifests), ...Object.fromEntries(secrets) };
}

function literalsOf(
  { env = [], envFrom = [] }: IContainer,
  manifests: readonly Manifest[],
): Record<string, string> {
  const dataOf = (name: string | undefined) => {
    const map = ofKind<{ data: Record<string, string> }>(manifests, 'ConfigMap').find(
      ({ metadata }) => metadata.name === name,
    );
    if (map === undefined) throw new Error(`The ConfigMap ${name} does not exist.`);
    return map.data;
  };
  const own = env.flatMap(({ name, value, valueFrom }: IEnvVar) => {
    const { configMapKeyRef } = valueFrom ?? {};
    const literal = configMapKeyRef
      ? dataOf(configMapKeyRef.name)[configMapKeyRef.key ?? '']
      : value;
    return literal === undefined ? [] : [[name, literal]];
  });
  const maps = envFrom.map(({ configMapRef }) => dataOf(configMapRef?.name));
  return Object.assign({}, ...maps, Object.fromEntries(own));
}

function exampleOf(name: string): string {
  if (name === 'LEGACY_SIGNING_KEY') return testRsaKey(0).pem;
  if (/DATABASE_(DIRECT_|REPLICA_)?URL$/.test(name)) return 'postgresql://a/b';
  return name.endsWith('REDIS_URL') ? 'redis://a' : 'a-secret-of-the-examples-'.repeat(2);
}

/**
 * `name/key` of each Secret of the manifests, or `name/*` of one that an ExternalSecret makes of all
 * properties of the entry with its name.
 */
function secretKeysOf(manifests: readonly Manifest[]): readonly string[] {
  const secrets = ofKind<{ data: Record<string, string> }>(manifests, 'Secret');
  const external = ofKind<IExternalSecret>(manifests, 'ExternalSecret');
  return [
    ...secrets.flatMap(({ metadata, data }) =>
      Object.keys(data).map((key) => `${metadata.name}/${key}`),
    ),
    ...external.flatMap(({ metadata, spec }) => {
      expect(spec?.dataFrom).toEqual([{ extract: { key: metadata?.name } }]);
      return `${spec?.target?.name}/*`;
    }),
  ];
}

/** Whether a reference is to a Secret: by its key, or to one that has all keys. */
const isIn = (secrets: ReadonlySet<string>) => (id: string) =>
  secrets.has(id) || secrets.has(id.replace(/\/.*/, '/*'));
