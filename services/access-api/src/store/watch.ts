import { createOutageLog, type Logger, type RedisClient } from '@vcds/service-kit';
import type { RedisGuard } from './redis-guard.ts';

const AUDIT_EVERY_MS = 10_000;
// After a lost connection another Redis may answer: a restarted one, or a replica.
const CONNECTION_LOST = ['close', 'end', '-node', '+node', 'node error'] as const;

/**
 * Keeps Redis consistent with the journal: runs an audit when Redis is ready, on every reconnect and every 10 s; invalidates the guard
 * whenever a connection is lost.
 */
export function watchRedis(
  redis: RedisClient,
  guard: RedisGuard,
  logger: Logger,
): { stop(): void } {
  const outages = createOutageLog();
  const audit = (): void => {
    guard.audit().catch((error: unknown) => {
      outages.warn(logger, 'could not compare Redis with the journal', error);
    });
  };
  const invalidate = (): void => guard.invalidate();
  const timer = setInterval(audit, AUDIT_EVERY_MS);
  for (const event of CONNECTION_LOST) redis.on(event, invalidate);
  redis.on('ready', audit);
  if (redis.status === 'ready') audit();
  return {
    stop: () => {
      clearInterval(timer);
      for (const event of CONNECTION_LOST) redis.off(event, invalidate);
      redis.off('ready', audit);
    },
  };
}
