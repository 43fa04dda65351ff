import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { Redis } from 'ioredis';
import { faultsUnderLoad } from './support/faults.ts';
import { whichHas } from './support/member.ts';
import { startTopology } from './support/topology.ts';

const TEST_MS_MAX = 600_000;
/** Longer than every time limit after which another process takes over. */
const FROZEN_MS = 20_000;
const topology = await closedAfterAll(startTopology());
const underLoad = await faultsUnderLoad(topology);
const { cluster, queue, members, membersOf, proxy } = topology;
const publisher = () => whichHas(membersOf('data-api'), 'vcds_signals_publisher_leader', 1);
const [worker] = membersOf('worker');

/** Whether this node of the cluster has the role, and reports a whole cluster. */
async function hasRole(url: string, role: 'master' | 'slave'): Promise<boolean> {
  const node = new Redis(url, { maxRetriesPerRequest: 1 });
  node.on('error', () => undefined);
  try {
    const isWhole = String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok');
    return isWhole && (await node.info('replication')).includes(`role:${role}`);
  } finally {
    node.disconnect();
  }
}

test(
  'kill -9 of the data-api that publishes: its running calls fail, and another one publishes',
  async () => {
    const report = await underLoad('kill -9 of the data-api that publishes', async () => {
      const killed = await publisher();
      await killed.kill();
      await delay(3_000);
      await killed.start();
      await proxy.untilUp(killed.name);
    });
    expect(report).toMatchObject({ unpaid: 0, unmailed: 0 });
    expect(report.failed).toBeLessThan(report.calls / 20);
  },
  TEST_MS_MAX,
);

test(
  'SIGSTOP of the data-api that publishes: another one publishes and indexes',
  async () => {
    const report = await underLoad('SIGSTOP of the data-api that publishes, 20 s', async () => {
      const frozen = await publisher();
      frozen.freeze();
      await delay(FROZEN_MS);
      frozen.resume();
      await proxy.untilUp(frozen.name);
    });
    expect(report).toMatchObject({ unpaid: 0, unmailed: 0 });
  },
  TEST_MS_MAX,
);

test(
  'kill -9 of a primary of the Redis Cluster: its replica takes over',
  async () => {
    const report = await underLoad('kill -9 of a primary of the Redis Cluster', async () => {
      const [primary, , , replica] = cluster.nodes;
      await primary?.kill();
      await eventually(() => hasRole(replica?.url ?? '', 'master'), { intervalMs: 100 });
      await primary?.restart();
      await eventually(() => hasRole(primary?.url ?? '', 'slave'), { intervalMs: 100 });
    });
    expect(report).toMatchObject({ unmailed: 0 });
  },
  TEST_MS_MAX,
);

test(
  'kill -9 of a replica of the Redis Cluster fails no request',
  async () => {
    const report = await underLoad('kill -9 of a replica of the Redis Cluster', async () => {
      const replica = cluster.nodes[4];
      await replica?.kill();
      await delay(8_000);
      await replica?.restart();
      await eventually(() => hasRole(replica?.url ?? '', 'slave'), { intervalMs: 100 });
    });
    expect(report).toMatchObject({ failed: 0, unpaid: 0, unmailed: 0 });
  },
  TEST_MS_MAX,
);

test(
  'kill -9 of the primary of the queue: no request fails, and every message is sent',
  async () => {
    const report = await underLoad('kill -9 of the primary of the queue', async () => {
      const before = await queue.primary();
      await before.kill();
      await eventually(async () => (await queue.primary()) !== before, { intervalMs: 100 });
      await before.restart();
      for (const member of members) await member.start();
    });
    expect(report).toMatchObject({ failed: 0, unpaid: 0, unmailed: 0 });
  },
  TEST_MS_MAX,
);

test(
  'kill -9 and SIGSTOP of a mail worker: the other one drains the ledger and sends mail',
  async () => {
    const report = await underLoad('kill -9, then SIGSTOP of one of two mail workers', async () => {
      await worker?.kill();
      await delay(3_000);
      await worker?.start();
      worker?.freeze();
      await delay(FROZEN_MS);
      worker?.resume();
    });
    expect(report).toMatchObject({ failed: 0, unpaid: 0, unmailed: 0 });
  },
  TEST_MS_MAX,
);
