import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createTestRedisServer, freePort, type TestRedisServer } from './client.ts';

export interface TestRedisClusterOptions {
  /** Primaries, at least 3; default 3. */
  readonly shards?: number;
  /** Replicas of each primary; default 1. */
  readonly replicas?: number;
  /**
   * How long a node must be silent to count as failed. Default 15,000, which no busy machine takes
   * a node for dead at; less where a fail-over is waited for.
   */
  readonly nodeTimeoutMs?: number;
}

/** A Redis Cluster whose nodes are processes on 127.0.0.1. */
export interface TestRedisCluster {
  /** Its nodes as a comma separated list, which is what `REDIS_URL` takes. */
  readonly url: string;
  /** Primaries first, then their replicas in the same order. */
  readonly nodes: readonly TestRedisServer[];
  drop(): Promise<void>;
}

const SLOT_COUNT = 16_384;
const FORM_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/** Starts a cluster and waits until every node agrees that it is whole. */
export async function createTestRedisCluster(
  options: TestRedisClusterOptions = {},
): Promise<TestRedisCluster> {
  const { shards = 3, replicas = 1, nodeTimeoutMs = 15_000 } = options;
  const nodes: ClusterNode[] = [];
  try {
    while (nodes.length < shards * (1 + replicas)) nodes.push(await startNode(nodeTimeoutMs));
    await form(nodes, shards);
  } catch (error) {
    await dropAll(nodes);
    throw error;
  } finally {
    for (const { client } of nodes) client.disconnect();
  }
  const servers = nodes.map(({ server }) => server);
  return {
    url: servers.map(({ url }) => url).join(','),
    nodes: servers,
    drop: () => dropAll(nodes),
  };
}

interface ClusterNode {
  readonly server: TestRedisServer;
  readonly busPort: number;
  readonly client: Redis;
}

async function startNode(nodeTimeoutMs: number): Promise<ClusterNode> {
  const busPort = await freePort();
  const server = await createTestRedisServer({
    durable: true,
    configuration: [
      'cluster-enabled yes',
      `cluster-port ${busPort}`,
      `cluster-node-timeout ${nodeTimeoutMs}`,
      // The shards that are whole go on while another one fails over.
      'cluster-require-full-coverage no',
    ],
  });
  return { server, busPort, client: new Redis(server.url) };
}

async function form(nodes: readonly ClusterNode[], shards: number): Promise<void> {
  const [first, ...others] = nodes;
  if (first === undefined) return;
  for (const { server, busPort } of others) {
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
  }
  for (const [index, { client }] of nodes.slice(0, shards).entries()) {
    const start = Math.ceil((index * SLOT_COUNT) / shards);
    const end = Math.ceil(((index + 1) * SLOT_COUNT) / shards) - 1;
    await client.call('CLUSTER', 'ADDSLOTSRANGE', start, end);
  }
  await until(nodes, (info) => info.includes(`cluster_known_nodes:${nodes.length}\r`));
  for (const [index, { client }] of nodes.slice(shards).entries()) {
    const primary = nodes[index % shards];
    await client.call(
      'CLUSTER',
      'REPLICATE',
      String(await primary?.client.call('CLUSTER', 'MYID')),
    );
  }
  await until(
    nodes,
    (info) => info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOT_COUNT}`),
  );
  await Promise.all(nodes.slice(shards).map(({ client }) => replicaReady(client)));
}

async function until(
  nodes: readonly ClusterNode[],
  holds: (clusterInfo: string) => boolean,
): Promise<void> {
  const deadline = Date.now() + FORM_TIMEOUT_MS;
  for (const { client } of nodes) {
    while (!holds(String(await client.call('CLUSTER', 'INFO')))) {
      if (Date.now() > deadline) throw new Error('The Redis Cluster does not form.');
      await delay(POLL_MS);
    }
  }
}

async function replicaReady(client: Redis): Promise<void> {
  const deadline = Date.now() + FORM_TIMEOUT_MS;
  while (!(await client.info('replication')).includes('master_link_status:up')) {
    if (Date.now() > deadline) throw new Error('A Redis replica does not reach its primary.');
    await delay(POLL_MS);
  }
}

async function dropAll(nodes: readonly ClusterNode[]): Promise<void> {
  for (const { server } of nodes) await server.drop();
}
