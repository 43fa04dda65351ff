import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@vcds/test-kit/bench';
import { nodeWithRole, processOf, untilReplaced, untilReplica } from '../topology/redis-nodes.ts';
import type { Topology } from '../topology/topology.ts';
import { NO_FAILURE, type Scenario } from './scenario.ts';

const BEHIND_MS = 60_000;
const GONE_MS = 2_000;

async function poolersRestarted(
  { databases }: Topology,
  names: readonly ('pooler' | 'replicaPooler')[],
) {
  for (const name of names) await databases[name].kill();
  await delay(GONE_MS);
  for (const name of names) await databases[name].restart();
}

export const STORE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'cluster-primary',
    title: 'kill -9 of a primary of the Redis Cluster',
    mayLoseCharges: true,
    run: async ({ cluster }) => {
      const primary = await nodeWithRole(cluster, 'master');
      await primary.kill();
      await untilReplaced(cluster, primary);
      await primary.restart();
      await untilReplica(primary);
    },
  },
  {
    name: 'cluster-primary-frozen',
    title: 'SIGSTOP of a primary of the Redis Cluster, until its replica replaces it',
    mayLoseCharges: true,
    run: async ({ cluster }) => {
      const primary = await nodeWithRole(cluster, 'master');
      const pid = await processOf(primary);
      process.kill(pid, 'SIGSTOP');
      try {
        await untilReplaced(cluster, primary);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await untilReplica(primary);
    },
  },
  {
    name: 'cluster-replica',
    title: 'kill -9 of a replica of the Redis Cluster',
    expected: NO_FAILURE,
    run: async ({ cluster }) => {
      const replica = await nodeWithRole(cluster, 'slave');
      await replica.kill();
      await delay(8_000);
      await replica.restart();
      await untilReplica(replica);
    },
  },
  {
    name: 'sentinel-primary',
    title: 'kill -9 of the primary of the queue (Sentinel)',
    expected: NO_FAILURE,
    run: async ({ queue, members }) => {
      const before = await queue.primary();
      await before.kill();
      await eventually(async () => (await queue.primary()) !== before, { intervalMs: 100 });
      await before.restart();
      for (const member of members) await member.start();
    },
  },
  {
    name: 'replica',
    title: 'kill -9 of the replica of PostgreSQL',
    expected: NO_FAILURE,
    run: async ({ databases: { replica } }) => {
      await replica.kill();
      await delay(GONE_MS);
      await replica.restart();
      await replica.caughtUp();
    },
  },
  {
    name: 'replica-behind',
    title: 'a replica of PostgreSQL 60 s behind',
    expected: NO_FAILURE,
    run: async ({ databases: { replica } }) => {
      await replica.pauseReplay();
      await delay(BEHIND_MS);
      await replica.resumeReplay();
      await replica.caughtUp();
    },
  },
  {
    name: 'pooler',
    title: 'PgBouncer killed and started again, the replica reached directly',
    run: (topology) => poolersRestarted(topology, ['pooler']),
  },
  {
    name: 'pooler-with-replica',
    title: 'PgBouncer killed and started again, the replica behind it too',
    run: async (topology) => {
      await poolersRestarted(topology, ['pooler', 'replicaPooler']);
    },
    prepare: async ({ databases, change, rollingRestart }) => {
      change(databases.pooledReplica);
      await rollingRestart();
    },
  },
];
