import { expect, test } from '@jest/globals';
import { assertLedgerServes, createRedisLedger } from '@vcds/metering/redis';
import { closeRedis } from '@vcds/service-kit';
import { createTestRedisServer } from '@vcds/test-kit';
import { connectRedis } from './support/redis-client.ts';

test('the ledger serves once a bucket is open, and not while Redis takes no writes', async () => {
  const server = await createTestRedisServer();
  const redis = await connectRedis(server.url);
  await expect(assertLedgerServes(redis)).rejects.toThrow('closed');
  const { stream } = createRedisLedger({ redis });
  for (let bucket = 0; bucket < 256; bucket++) await stream.open(bucket, 0);
  await assertLedgerServes(redis);
  await redis.config('SET', 'maxmemory', '1');
  await expect(assertLedgerServes(redis)).rejects.toThrow('OOM');
  await redis.config('SET', 'maxmemory', '0');
  await assertLedgerServes(redis);
  await closeRedis(redis);
  await server.drop();
});
