import { createOutageLog, type Logger, type RedisClient } from '@vcds/service-kit';
import type { Keeper } from './keeper.ts';

const AUDIT_EVERY_MS = 10_000;
// A lost connection may mean that another Redis answers next time: a restarted one, a replica.
const DISTRUSTED_AFTER = ['close', 'end', '-node', '+node', 'node error'] as const;

/** Keeps Redis in step with the journal while the service runs. */
export interface Watch {
  stop(): void;
}

/**
 * Audits once Redis is there, every 10 s, and whenever Redis comes back; withdraws trust whenever a connection
 * to it is lost.
 */
export function watchRedis(
  redis: RedisClient,
  keeper: Keeper,
  logger: Logger,
  auditEveryMs = AUDIT_EVERY_MS,
): Watch {
  const outages = createOutageLog();
  const audit = (): void => {
    keeper.audit().catch((error: unknown) => {
      outages.warn(logger, 'could not compare Redis with the journal', error);
    });
  };
  const distrust = (): void => keeper.distrust();
  const timer = setInterval(audit, auditEveryMs);
  for (const event of DISTRUSTED_AFTER) redis.on(event, distrust);
  redis.on('ready', audit);
  if (redis.status === 'ready') audit();
  return {
    stop: () => {
      clearInterval(timer);
      for (const event of DISTRUSTED_AFTER) redis.off(event, distrust);
      redis.off('ready', audit);
    },
  };
}
