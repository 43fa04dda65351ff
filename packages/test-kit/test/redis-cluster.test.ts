import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestRedisCluster, eventually, type TestRedisCluster } from '@vcds/test-kit';
import { Cluster, Redis } from 'ioredis';

const KEYS = [...'abcdefghij'];

let cluster: TestRedisCluster;
let client: Cluster;

beforeAll(async () => {
  cluster = await createTestRedisCluster({ nodeTimeoutMs: 2_000 });
  client = new Cluster(cluster.url.split(','), { clusterRetryStrategy: () => 200 });
  client.on('error', () => undefined);
});

afterAll(async () => {
  client.disconnect();
  await cluster.drop();
});

/** Whether a node takes part as primary and the cluster is whole, according to that node. */
async function isPrimary(url: string): Promise<boolean> {
  const node = new Redis(url, { maxRetriesPerRequest: 1 });
  node.on('error', () => undefined);
  try {
    const isWhole = String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok');
    return isWhole && (await node.info('replication')).includes('role:master');
  } finally {
    node.disconnect();
  }
}

describe('a test Redis Cluster', () => {
  test('spreads keys over its shards', async () => {
    await Promise.all(KEYS.map((key) => client.set(key, key)));
    const sizes = await Promise.all(client.nodes('master').map((node) => node.dbsize()));
    expect(sizes).toHaveLength(3);
    expect(sizes.every((size) => size > 0)).toBe(true);
  });

  test('has a replica take over from a primary that is killed', async () => {
    const [lost, , , replica] = cluster.nodes;
    await lost?.kill();
    const url = replica?.url ?? '';
    await eventually(() => isPrimary(url), { intervalMs: 100 });
  });
});
