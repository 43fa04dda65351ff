import { eventually, type TestRedisCluster, type TestRedisServer } from '@vcds/test-kit/bench';
import { Redis } from 'ioredis';

/** A node of the cluster that has this role now, a primary only if a replica follows it. */
export async function nodeWithRole(
  { nodes }: TestRedisCluster,
  role: 'master' | 'slave',
): Promise<TestRedisServer> {
  return eventually(async () => {
    for (const node of nodes) {
      const info = await ask(node, (redis) => redis.info('replication'));
      if (!info.includes(`role:${role}`)) continue;
      if (/connected_slaves:[1-9]|master_link_status:up/.test(info)) return node;
    }
    return false as const;
  });
}

/** Resolves once the other nodes have promoted a replica of this primary, and serve every slot. */
export async function untilReplaced(
  { nodes }: TestRedisCluster,
  lost: TestRedisServer,
): Promise<void> {
  const others = nodes.filter((node) => node !== lost);
  await eventually(async () => {
    const roles = await Promise.all(
      others.map((node) => ask(node, (redis) => redis.info('replication'))),
    );
    const state = await Promise.all(
      others.map((node) => ask(node, (redis) => redis.call('CLUSTER', 'INFO'))),
    );
    return (
      roles.filter((info) => info.includes('role:master')).length === nodes.length / 2 &&
      state.every((info) => String(info).includes('cluster_slots_ok:16384'))
    );
  });
}

/** The id of the process of a server of this machine. */
export async function processOf(server: TestRedisServer): Promise<number> {
  const info = await ask(server, (redis) => redis.info('server'));
  return Number(/^process_id:(\d+)/m.exec(info)?.[1]);
}

/** Resolves once the node is a replica that follows its primary. */
export async function untilReplica(server: TestRedisServer): Promise<void> {
  await eventually(async () => {
    const info = await ask(server, (redis) => redis.info('replication'));
    return info.includes('role:slave') && info.includes('master_link_status:up');
  });
}

async function ask<T>({ url }: TestRedisServer, question: (redis: Redis) => Promise<T>) {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 });
  redis.on('error', () => undefined);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
