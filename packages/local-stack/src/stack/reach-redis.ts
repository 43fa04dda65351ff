import { Redis } from 'ioredis';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

const connectTimeoutMs = 5_000;
const oldestVersion = 7;

/**
 * Makes sure, before anything is started, that a Redis which the environment names answers and
 * is new enough. Clusters and Sentinels are left to the services, which know them.
 * @throws StackError that names the address, without the password, and what is wrong.
 */
export async function reachRedis({
  redisUrl,
  environment,
}: Pick<StackSettings, 'redisUrl' | 'environment'>): Promise<void> {
  const urls = new Set([redisUrl ?? '', environment.QUEUE_REDIS_URL ?? '']);
  for (const url of urls) {
    if (/^rediss?:\/\/[^,]+$/.test(url)) await reach(url);
  }
}

async function reach(url: string): Promise<void> {
  const { host } = new URL(url);
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: connectTimeoutMs,
    commandTimeout: connectTimeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let fault: unknown;
  client.on('error', (error) => {
    fault = error;
  });
  try {
    await client.connect();
    const version = versionIn(String(await client.info('server')));
    if (Number.parseInt(version, 10) < oldestVersion) {
      throw new StackError(
        `The Redis at ${host} is version ${version}; ${oldestVersion} or newer is needed.`,
      );
    }
  } catch (thrown) {
    if (thrown instanceof StackError) throw thrown;
    throw new StackError(`The Redis at ${host} cannot be used: ${wordsOf(fault ?? thrown)}.`);
  } finally {
    client.disconnect();
  }
}

/** The version in the answer to INFO; NaN as a number where it is not said. */
function versionIn(info: string): string {
  return /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
}

function wordsOf(reason: unknown): string {
  const isSpoken = typeof reason === 'object' && reason !== null && 'message' in reason;
  return String(isSpoken ? reason.message : reason);
}
