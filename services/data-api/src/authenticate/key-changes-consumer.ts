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
/** If XREAD has not returned (even empty) for this long, cached keys are not fresh. */
export const STREAM_SILENT_MS_MAX = 2_000;

/** Consumes the stream of key changes. */
export type KeyChangesConsumer = ReturnType<typeof consumeKeyChanges>;

interface KeyChangesConsumerOptions {
  /** A separate connection, because reading blocks it. */
  readonly redis: RedisClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A key was revoked or narrowed, or its plan changed. */
  readonly onChange: (digest: KeyDigest) => void;
  /** Changes may have been missed: earlier results are not fresh any more. */
  readonly onGap: () => void;
}

/** Consumes the stream until closed, and reconnects after any failure. */
export function consumeKeyChanges(options: KeyChangesConsumerOptions) {
  const { redis, clock, logger, onChange, onGap } = options;
  const outages = createOutageLog(clock);
  let receivedAtMs = Number.NEGATIVE_INFINITY;
  let closed = false;
  const isLive = (): boolean => clock.monotonicMs() - receivedAtMs <= STREAM_SILENT_MS_MAX;

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
      receivedAtMs = clock.monotonicMs();
    }
  };

  const run = async (): Promise<void> => {
    while (!closed) {
      try {
        await follow();
      } catch (error) {
        // The next attempt skips what was written meanwhile. So no earlier result is fresh, and none
        // becomes fresh until the stream is read again.
        receivedAtMs = Number.NEGATIVE_INFINITY;
        onGap();
        if (closed) return;
        outages.warn(logger, 'key-change stream unavailable; bypassing the key cache', error);
        await delay(RETRY_MS);
      }
    }
  };

  const running = run();
  return {
    /** Whether every change older than two seconds was received. */
    isLive,
    close: async (): Promise<void> => {
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
