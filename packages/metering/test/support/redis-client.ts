import { createLogger, createRedis, type RedisClient, redisReady } from '@vcds/service-kit';

const logger = createLogger({ service: 'metering-test', sink: { write: () => undefined } });

/** A client as the services make it, connected. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client = createRedis({ url, name: 'metering-test', logger });
  await redisReady(client);
  return client;
}
