import { Redis } from 'ioredis';
import { REDIS_MAJOR_MIN } from '../redis/program.ts';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Checks, before anything is started, that the Redis of `REDIS_URL` and of `QUEUE_REDIS_URL` responds
 * and is new enough. The services check Clusters and Sentinels.
 * @throws StackError with the address, without the password, and the cause.
 */
export async function checkRedis({
  redisUrl,
  environment,
}: Pick<StackSettings, 'redisUrl' | 'environment'>): Promise<void> {
  const urls = new Set([redisUrl ?? '', environment.QUEUE_REDIS_URL ?? '']);
  for (const url of urls) {
    if (/^rediss?:\/\/[^,]+$/.test(url)) await check(url);
  }
}

async function check(url: string): Promise<void> {
  const { host } = new URL(url);
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let connectionError: unknown;
  client.on('error', (error) => {
    connectionError = error;
  });
  try {
    await client.connect();
    const version = versionIn(String(await client.info('server')));
    if (Number.parseInt(version, 10) < REDIS_MAJOR_MIN) {
      throw new StackError(
        `The Redis at ${host} is version ${version}; ${REDIS_MAJOR_MIN} or newer is required.`,
      );
    }
  } catch (thrown) {
    if (thrown instanceof StackError) throw thrown;
    throw new StackError(
      `The Redis at ${host} cannot be used: ${messageOf(connectionError ?? thrown)}.`,
    );
  } finally {
    client.disconnect();
  }
}

/** The version in the reply to INFO; `unknown`, which is not a number, if it has none. */
function versionIn(info: string): string {
  return /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
}

/** The message of an error, also of one from another realm. */
function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasMessage ? error.message : error);
}
