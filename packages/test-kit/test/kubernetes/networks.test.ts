import { describe, expect, test } from '@jest/globals';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { isPublicAddress } from '../../../site-facts/src/outbound-http/public-address.ts';
import { type Endpoint, inBlock, openPorts } from './network.ts';
import {
  describeWithKustomize,
  HOSTED,
  type Manifest,
  OVERLAYS,
  type Overlay,
  ofKind,
  workloadsOf,
} from './render.ts';

const PORTS = [22, 53, 80, 443, 4318, 5353, 5432, 6379, 8080, 8081, 9080, 9081, 9082, 9083, 26379];
const WEB = ['public:80', 'public:443', 'publicIPv6:80', 'publicIPv6:443'];
const HTTPS = ['public:443', 'publicIPv6:443'];
const KEY_CHECK = 'access-api:9081';
const COLLECTOR = 'collector:4318';

/** Addresses that no overlay but its own stores may reach, and two public ones. */
const ADDRESSES: Readonly<Record<string, string>> = {
  public: '93.184.215.14',
  publicIPv6: '2606:4700:4700::1111',
  private: '10.0.0.1',
  cloudMetadata: '169.254.169.254',
  nodeLocalDns: '169.254.20.10',
  loopback: '127.0.0.1',
  uniqueLocalIPv6: 'fd00::1',
};

/** Pods of others, by namespace and label. */
const OTHER_PODS = {
  ingressController: ['ingress', 'haproxy'],
  prometheus: ['monitoring', 'prometheus'],
  grafana: ['monitoring', 'grafana'],
  collector: ['monitoring', 'opentelemetry-collector'],
  otherCollector: ['default', 'opentelemetry-collector'],
  otherPrometheus: ['default', 'prometheus'],
  dns: ['kube-system', ''],
  openshiftDns: ['openshift-dns', ''],
  kubeSystem: ['kube-system', 'metrics-server'],
} as const;

/** All connections that are allowed; `postgresql` and `redis` are pods or addresses. */
type Table = Readonly<Record<string, readonly string[]>>;

const DNS = ['dns:53', 'nodeLocalDns:53', 'openshiftDns:5353'];
const EXPECTED: Table = {
  'data-api': [...DNS, KEY_CHECK, 'postgresql:5432', 'redis:6379', ...WEB],
  'access-api': [...DNS, 'postgresql:5432', 'redis:6379', ...WEB],
  worker: [...DNS, 'postgresql:5432', 'redis:6379', ...HTTPS],
  'data-worker': [...DNS, 'postgresql:5432', 'redis:6379', ...WEB],
  migrate: [...DNS, 'postgresql:5432'],
  ingest: [...DNS, 'postgresql:5432'],
  // A pod that somebody starts in the namespace.
  unlabelled: [...DNS],
  ingressController: ['data-api:8080', 'access-api:8081'],
  prometheus: ['data-api:9080', KEY_CHECK, 'worker:9082', 'data-worker:9083'],
};
/** With the backup. */
const EXPECTED_HOSTED: Table = {
  ...EXPECTED,
  backup: [...DNS, 'postgresql:5432', 'redis:6379'],
  restore: [...DNS, 'postgresql:5432', 'redis:6379'],
};
/** Outside the cluster, Redis may be a Sentinel group. */
function withSentinel(table: Table): Table {
  const entries = Object.entries(table).map(([source, to]) => [
    source,
    to.flatMap((each) => (each === 'redis:6379' ? [each, 'redis:26379'] : [each])),
  ]);
  return Object.fromEntries(entries);
}
/** Stores in the cluster call nothing. */
const EXPECTED_IN: Readonly<Record<Overlay, Table>> = {
  development: {
    ...EXPECTED,
    demo: [...DNS, 'postgresql:5432'],
    postgresql: [...DNS],
    redis: [...DNS],
  },
  staging: withSentinel(EXPECTED_HOSTED),
  production: withSentinel(EXPECTED_HOSTED),
};
const TRACED = ['data-api', 'access-api', 'worker', 'data-worker'];

const STORE_ADDRESSES: Readonly<Record<Overlay, Readonly<Record<string, string>>>> = {
  development: {},
  staging: { postgresql: '10.20.0.7', redis: '10.20.1.7' },
  production: { postgresql: '10.30.0.7', redis: '10.30.1.7' },
};

describeWithKustomize('the networks of the manifests', (manifestsOf) => {
  const policiesOf = (manifests: readonly Manifest[]) =>
    ofKind<INetworkPolicy>(manifests, 'NetworkPolicy');
  const connectionsOf = (overlay: Overlay, manifests: readonly Manifest[]): Table => {
    const policies = policiesOf(manifests);
    const endpoints = endpointsOf(overlay, manifests);
    const isOurs = (endpoint: Endpoint) =>
      'namespace' in endpoint && endpoint.namespace === `vcds-${overlay}`;
    const connections = Object.entries(endpoints).flatMap(([source, from]) => {
      const reached = Object.entries(endpoints).flatMap(([target, to]) =>
        target !== source && (isOurs(from) || isOurs(to))
          ? openPorts(policies, from, to, PORTS).map((port) => `${target}:${port}`)
          : [],
      );
      return reached.length === 0 ? [] : [[source, reached] as const];
    });
    return sorted(Object.fromEntries(connections));
  };

  test.each(OVERLAYS)('allow in %s the connections of the table, and no other', (overlay) => {
    const connections = connectionsOf(overlay, manifestsOf(overlay));
    expect(connections).toEqual(sorted(EXPECTED_IN[overlay]));
  });

  test.each(OVERLAYS)(
    'with traces, allow in %s also each process to reach the collector',
    (overlay) => {
      const manifests = manifestsOf(overlay, 'traces');
      const expected = Object.entries(EXPECTED_IN[overlay]).map(([source, to]) => [
        source,
        TRACED.includes(source) ? [...to, COLLECTOR] : to,
      ]);
      expect(connectionsOf(overlay, manifests)).toEqual(sorted(Object.fromEntries(expected)));
    },
  );

  test('let /find and the mail worker reach exactly the public addresses', () => {
    for (const name of ['sites', 'mail']) {
      const policy = policiesOf(manifestsOf('production')).find(
        ({ metadata }) => metadata.name === name,
      );
      const blocks = (policy?.spec?.egress ?? [])
        .flatMap(({ to }) => to ?? [])
        .flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock]));
      expect(blocks.flatMap(({ except }) => except ?? []).length).toBeGreaterThan(20);
      const wrong = addressesAround(blocks.flatMap(({ except }) => except ?? [])).filter(
        (address) =>
          blocks.some(({ cidr, except }) => inBlock(cidr, except ?? [], address)) !==
          isPublicAddress(address),
      );
      expect(wrong).toEqual([]);
    }
  });

  test.each(HOSTED)('deny everything by default in %s', (overlay) => {
    const deny = policiesOf(manifestsOf(overlay)).find(
      ({ metadata }) => metadata.name === 'default-deny',
    );
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });
});

describe('the check of networks', () => {
  const policy = {
    apiVersion: 'networking.k8s.io/v1' as const,
    kind: 'NetworkPolicy' as const,
    metadata: { name: 'p', namespace: 'n' },
    spec: {
      podSelector: { matchLabels: { app: 'a' } },
      policyTypes: ['Ingress' as const],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'b' } } }], ports: [{ port: 80 }] }],
    },
  };
  const pod = (app: string, namespace = 'n') => ({ namespace, labels: { app } });

  test.each([
    [pod('b'), pod('a'), 80, true],
    [pod('b'), pod('a'), 81, false],
    [pod('c'), pod('a'), 80, false],
    [pod('b', 'other'), pod('a'), 80, false],
    [pod('c'), pod('b'), 80, true],
    [{ address: '192.0.2.1' }, pod('a'), 80, false],
  ])('evaluates %j to %j at port %i as %s', (from, to, port, allowed) => {
    expect(openPorts([policy], from, to, [port])).toEqual(allowed ? [port] : []);
  });
});

const sorted = (table: Table): Table =>
  Object.fromEntries(Object.entries(table).map(([source, to]) => [source, [...to].sort()]));

function endpointsOf(overlay: Overlay, manifests: readonly Manifest[]): Record<string, Endpoint> {
  const namespace = `vcds-${overlay}`;
  const pods = workloadsOf(manifests).map(({ name, labels, container }) => {
    const named = (container.ports ?? []).map((port) => [port.name, port.containerPort]);
    return [name, { namespace, labels, ports: Object.fromEntries(named) }] as const;
  });
  const addresses = Object.entries({ ...ADDRESSES, ...STORE_ADDRESSES[overlay] });
  const otherPods = Object.entries(OTHER_PODS).map(([name, [other, app]]) => {
    const labels = {
      'app.kubernetes.io/name': app,
      ...(name === 'dns' && { 'k8s-app': 'kube-dns' }),
      ...(name === 'openshiftDns' && { 'dns.operator.openshift.io/daemonset-dns': 'default' }),
    };
    return [name, { namespace: other, labels }] as const;
  });
  return {
    ...Object.fromEntries(pods),
    unlabelled: { namespace, labels: {} },
    ...Object.fromEntries(otherPods),
    ...Object.fromEntries(addresses.map(([name, address]) => [name, { address }])),
  };
}

/** The first and last address of blocks and their neighbours, and others of all ranges. */
function addressesAround(blocks: readonly string[]): readonly string[] {
  const ipv4 = blocks
    .filter((block) => !block.includes(':'))
    .flatMap((block) => {
      const [network = '', prefix] = block.split('/');
      const first = network.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
      const last = first + 2 ** (32 - Number(prefix)) - 1;
      return [first - 1, first, last, last + 1].filter((n) => n >= 0 && n < 2 ** 32).map(toIPv4);
    });
  // The step is a prime number: every /8 is met many times, at another offset each.
  const wide = Array.from({ length: 1_024 }, (_, index) => toIPv4(index * 4_194_301));
  return [...ipv4, ...wide, ...IPV4, ...IPV6];
}

const toIPv4 = (number: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');

const IPV4 = [
  ...['0.0.0.1', '10.1.1.1', '100.64.0.1', '127.0.0.1', '168.63.129.16', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.31.196.1', '192.52.193.1'],
  ...['192.88.99.1', '192.168.1.1', '192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
];

const IPV6 = [
  ...[
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '100::1',
    '1fff:ffff::',
    '2000::1',
    '2001::1',
  ],
  ...[
    '2001:1ff::1',
    '2001:200::1',
    '2001:db8::1',
    '2001:db9::1',
    '2001:db7::1',
    '2002::1',
    '2003::1',
  ],
  ...['2620:4f:7fff::1', '2620:4f:8000::1', '2620:4f:8001::1', '3ffe::1', '3fff::1', '3fff:fff::1'],
  ...['3fff:1000::1', '4000::1', '5f00::1', 'fc00::1', 'fd00::1', 'fe80::1', 'fec0::1', 'ff02::1'],
];
