import { setTimeout as delay } from 'node:timers/promises';
import { KEY_CHANGES_STREAM, type KeyDigest, parseDigest } from '@vcds/credentials';
import {
  type Clock,
  createOutageLog,
  type Logger,
  type RedisClient,
  redisReady,
} from '@vcds/service-kit';

const BLOCK_MS = 500;
const CONNECT_MS_MAX = 3_000;
const RETRY_MS = 100;
const ENTRIES_MAX = 1_000;
/** A tail that has heard nothing, not even silence, for this long is not relied on. */
export const TAIL_SILENT_MS_MAX = 2_000;

/** Hears of every change to keys in use. */
export interface KeyChangesTail {
  /** Whether every change up to two seconds ago is known to have been heard. */
  isLive(): boolean;
  close(): Promise<void>;
}

export interface KeyChangesTailOptions {
  /** A connection of its own: reading blocks it. */
  readonly redis: RedisClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A key was revoked, narrowed or put on another plan. */
  readonly onChange: (digest: KeyDigest) => void;
  /** Changes may have been missed: nothing known from before counts any more. */
  readonly onGap: () => void;
}

/** Follows the stream of key changes until closed, through any loss of its connection. */
export function tailKeyChanges(options: KeyChangesTailOptions): KeyChangesTail {
  const { redis, clock, logger, onChange, onGap } = options;
  const outages = createOutageLog(clock);
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let closed = false;
  const isLive = (): boolean => clock.monotonicMs() - heardAtMs <= TAIL_SILENT_MS_MAX;

  const follow = async (): Promise<void> => {
    await redisReady(redis, CONNECT_MS_MAX);
    let lastId = await newestId(redis);
    while (!closed) {
      const entries = await read(redis, lastId);
      if (!isLive()) onGap();
      for (const [id, fields] of entries) {
        const digest = parseDigest(fields[fields.indexOf('digest') + 1]);
        if (digest !== undefined) onChange(digest);
        lastId = id;
      }
      heardAtMs = clock.monotonicMs();
    }
  };

  const run = async (): Promise<void> => {
    while (!closed) {
      try {
        await follow();
      } catch (error) {
        // Whatever was written meanwhile is skipped on the next try; so all that is known is
        // forgotten, and nothing is remembered until the stream is heard again.
        heardAtMs = Number.NEGATIVE_INFINITY;
        onGap();
        if (closed) return;
        outages.warn(logger, 'key-change stream unavailable; bypassing the key cache', error);
        await delay(RETRY_MS);
      }
    }
  };

  const running = run();
  return {
    isLive,
    close: async () => {
      closed = true;
      redis.disconnect();
      await running;
    },
  };
}

type Entry = [id: string, fields: string[]];

async function newestId(redis: RedisClient): Promise<string> {
  const [newest] = await redis.xrevrange(KEY_CHANGES_STREAM, '+', '-', 'COUNT', 1);
  return newest?.[0] ?? '0-0';
}

async function read(redis: RedisClient, lastId: string): Promise<readonly Entry[]> {
  const reply = await redis.xread(
    'COUNT',
    ENTRIES_MAX,
    'BLOCK',
    BLOCK_MS,
    'STREAMS',
    KEY_CHANGES_STREAM,
    lastId,
  );
  return reply?.[0]?.[1] ?? [];
}
