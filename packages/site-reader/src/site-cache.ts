import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Clock, RedisClient } from '@vcds/service-kit';
import { cachedBytesKey } from './redis-keys.ts';
import { orUnavailable } from './site-error.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const HOUR_MS = 3_600_000;
const ENTRY_BYTES_MAX = 512 * 1024;
/**
 * Of values written in an hour, each times the hours for which it is kept: so about twice as much
 * is kept at any time. Redis also has the ledger, which must not run out of memory.
 */
const HOURLY_BYTES_MAX = 256 * 1024 * 1024;

/** Compressed JSON values in Redis, bounded in size each and together. */
export class SiteCache {
  readonly #redis: RedisClient;
  readonly #clock: Clock;
  readonly #hourlyBytesMax: number;

  constructor(redis: RedisClient, clock: Clock, hourlyBytesMax = HOURLY_BYTES_MAX) {
    this.#redis = redis;
    this.#clock = clock;
    this.#hourlyBytesMax = hourlyBytesMax;
  }

  /** @throws SiteError unavailable. */
  async get(key: string): Promise<unknown> {
    const stored = await orUnavailable(this.#redis.getBuffer(key));
    return stored === null ? undefined : JSON.parse((await decompress(stored)).toString());
  }

  /**
   * Stores a value, unless it or the values of this hour are too large.
   *
   * @throws SiteError unavailable.
   */
  async set(key: string, value: unknown, ttlMs: number): Promise<void> {
    await orUnavailable(this.#store(key, value, ttlMs));
  }

  async #store(key: string, value: unknown, ttlMs: number): Promise<void> {
    const stored = await compress(JSON.stringify(value));
    if (stored.length > ENTRY_BYTES_MAX) return;
    const counter = cachedBytesKey(Math.floor(this.#clock.wallMs() / HOUR_MS));
    const size = Math.ceil(stored.length * Math.max(1, ttlMs / HOUR_MS));
    const written = await this.#redis.incrby(counter, size);
    await this.#redis.pexpire(counter, 2 * HOUR_MS);
    if (written <= this.#hourlyBytesMax) await this.#redis.set(key, stored, 'PX', ttlMs);
  }
}
