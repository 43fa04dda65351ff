import { BlockList, isIPv6 } from 'node:net';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { Manifest } from './render.ts';

type Labels = Readonly<Record<string, string>>;

/** A pod, with the numbers of its named ports; or an address outside the cluster. */
export type Endpoint =
  | {
      readonly namespace: string;
      readonly labels: Labels;
      readonly ports?: Readonly<Record<string, number>>;
    }
  | { readonly address: string };

type Policy = Manifest & INetworkPolicy;
type Direction = 'Ingress' | 'Egress';
type Rule = NonNullable<NonNullable<INetworkPolicy['spec']>['egress']>[number];
type Peers = NonNullable<Rule['to']>;
type Ports = NonNullable<Rule['ports']>;
type Selector = NonNullable<INetworkPolicy['spec']>['podSelector'];

/** The TCP ports of `to`, of those given, to which the policies let `from` open a connection. */
export function openPorts(
  policies: readonly Policy[],
  from: Endpoint,
  to: Endpoint,
  ports: readonly number[],
): readonly number[] {
  const leaving = portsAllowed(policies, 'Egress', from, to);
  const entering = portsAllowed(policies, 'Ingress', to, from);
  const allows = (allowed: readonly (Ports | undefined)[] | 'all', port: number) =>
    allowed === 'all' || allowed.some((ports) => includesPort(ports, to, port));
  return ports.filter((port) => allows(leaving, port) && allows(entering, port));
}

// A pod that no policy of the direction selects is open; otherwise one rule must allow the peer.
function portsAllowed(
  policies: readonly Policy[],
  direction: Direction,
  pod: Endpoint,
  peer: Endpoint,
): readonly (Ports | undefined)[] | 'all' {
  if ('address' in pod) return 'all';
  const selecting = policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace &&
      spec?.policyTypes?.includes(direction) === true &&
      matches(spec.podSelector, pod.labels),
  );
  if (selecting.length === 0) return 'all';
  return selecting.flatMap(({ metadata, spec }) => {
    const rules =
      direction === 'Egress'
        ? (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }))
        : (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }));
    return rules
      .filter(({ peers }) => includesPeer(peers, peer, metadata.namespace))
      .map(({ ports }) => ports);
  });
}

function includesPeer(
  peers: Peers | undefined,
  peer: Endpoint,
  namespace: string | undefined,
): boolean {
  if (peers === undefined || peers.length === 0) return true;
  return peers.some(({ ipBlock, namespaceSelector, podSelector }) => {
    if (ipBlock !== undefined) {
      return 'address' in peer && inBlock(ipBlock.cidr, ipBlock.except ?? [], peer.address);
    }
    if ('address' in peer) return false;
    const inNamespace =
      namespaceSelector === undefined
        ? peer.namespace === namespace
        : matches(namespaceSelector, { 'kubernetes.io/metadata.name': peer.namespace });
    return inNamespace && (podSelector === undefined || matches(podSelector, peer.labels));
  });
}

function includesPort(ports: Ports | undefined, to: Endpoint, port: number): boolean {
  if (ports === undefined || ports.length === 0) return true;
  const named = 'address' in to ? {} : (to.ports ?? {});
  return ports.some(({ port: allowed, endPort, protocol }) => {
    if (protocol !== undefined && protocol !== 'TCP') return false;
    const first = typeof allowed === 'string' ? named[allowed] : allowed;
    if (first === undefined) return allowed === undefined;
    return port >= first && port <= (endPort ?? first);
  });
}

/** Whether a block of addresses without its exceptions contains an address. */
export function inBlock(cidr: string, except: readonly string[], address: string): boolean {
  return contains(cidr, address) && !except.some((block) => contains(block, address));
}

const blocks = new Map<string, BlockList>();

function contains(cidr: string, address: string): boolean {
  const [network = '', prefix] = cidr.split('/');
  if (isIPv6(network) !== isIPv6(address)) return false;
  let block = blocks.get(cidr);
  if (block === undefined) {
    block = new BlockList();
    block.addSubnet(network, Number(prefix), familyOf(network));
    blocks.set(cidr, block);
  }
  return block.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

function matches(selector: Selector, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`The operator ${operator} is not supported.`);
      return values.includes(labels[key] ?? '');
    })
  );
}
