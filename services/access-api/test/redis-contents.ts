import type { RedisClient } from '@vcds/service-kit';
import type { Redis } from 'ioredis';

/** The value of each key that matches a pattern, comparable, in the order of the keys. */
export async function redisContents(redis: RedisClient | Redis, pattern = '*') {
  const names = (await redis.keys(pattern)).sort();
  const values = names.map(async (name) => [name, await contentOf(redis, name)] as const);
  return Object.fromEntries(await Promise.all(values));
}

async function contentOf(redis: RedisClient | Redis, name: string): Promise<unknown> {
  const type = await redis.type(name);
  if (type === 'hash') return redis.hgetall(name);
  if (type === 'stream') return redis.xrange(name, '-', '+');
  if (type === 'zset') return redis.zrange(name, '0', '-1');
  if (type === 'list') return redis.lrange(name, 0, -1);
  if (type === 'set') return (await redis.smembers(name)).sort();
  return redis.get(name);
}
