import { Redis } from 'ioredis';
import { createTestRedisServer, type TestRedisServer } from './client.ts';
import { eventually } from './eventually.ts';

export interface TestSentinelOptions {
  /** Sentinels, at least 3; more than half of them agree on a fail-over. Default 3. */
  readonly sentinels?: number;
  /** How long the primary must be silent to count as failed. Default 5,000. */
  readonly downAfterMs?: number;
}

/** A primary, its replica, and the Sentinels that watch them: processes on 127.0.0.1. */
export interface TestSentinelGroup {
  /** `redis+sentinel://…/queue`, which `QUEUE_REDIS_URL` takes. */
  readonly url: string;
  readonly servers: readonly TestRedisServer[];
  /** The server that is the primary now, by what the Sentinels say. */
  primary(): Promise<TestRedisServer>;
  drop(): Promise<void>;
}

const GROUP = 'queue';

/** Starts a group and waits until every Sentinel has found the replica and the other Sentinels. */
export async function createTestSentinelGroup(
  options: TestSentinelOptions = {},
): Promise<TestSentinelGroup> {
  const { sentinels: count = 3, downAfterMs = 5_000 } = options;
  const servers: TestRedisServer[] = [];
  const sentinels: TestRedisServer[] = [];
  const clients: Redis[] = [];
  const drop = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    for (const server of [...sentinels, ...servers]) await server.drop();
  };
  try {
    const primary = await createTestRedisServer({ durable: true });
    servers.push(primary);
    const replicaof = `replicaof 127.0.0.1 ${primary.port}`;
    servers.push(await createTestRedisServer({ durable: true, configuration: [replicaof] }));
    const quorum = Math.floor(count / 2) + 1;
    const configuration = [
      `sentinel monitor ${GROUP} 127.0.0.1 ${primary.port} ${quorum}`,
      `sentinel down-after-milliseconds ${GROUP} ${downAfterMs}`,
      `sentinel failover-timeout ${GROUP} ${2 * downAfterMs}`,
    ];
    while (sentinels.length < count) {
      const sentinel = await createTestRedisServer({ isSentinel: true, configuration });
      sentinels.push(sentinel);
      clients.push(new Redis(sentinel.url));
    }
    await Promise.all(clients.map((client) => eventually(() => isComplete(client, count))));
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${GROUP}`,
    servers,
    primary: async () => {
      const [first] = clients;
      const address = await first?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', GROUP);
      const port = Array.isArray(address) ? Number(address[1]) : Number.NaN;
      const found = servers.find((server) => server.port === port);
      if (found === undefined) throw new Error(`No server of the group has the port ${port}.`);
      return found;
    },
    drop,
  };
}

async function isComplete(sentinel: Redis, sentinels: number): Promise<boolean> {
  const info = await sentinel.info('sentinel');
  return info.includes(`status=ok`) && info.includes(`slaves=1,sentinels=${sentinels}`);
}
