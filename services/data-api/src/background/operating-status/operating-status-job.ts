import { type Clock, type Logger, systemClock } from '@vcds/service-kit';
import { sweepOperatingStatus } from '@vcds/venture-model';
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import { type LeaderJob, runAsLeader } from '../../postgres/run-as-leader.ts';

export interface OperatingStatusOptions {
  /** The primary; not through a pooler that shares sessions. */
  readonly connectionString: string;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'wallMs'>;
  readonly pause?: LeaderJob['pause'];
}

const DAY_MS = 86_400_000;
/** After midnight UTC, so that the database's clock has passed it too. */
const MARGIN_MS = 60_000;
const RETRY_MS = 60_000;
const STATEMENT_MS_MAX = 120_000;

/**
 * Recalculates operating statuses when the grace period of three months after a round has ended
 * (docs/spec/resources.md 4.14 rule 2): at the start and after every midnight UTC, one process at a
 * time, and a minute after a failure.
 */
export function startOperatingStatusJob(options: OperatingStatusOptions) {
  const { logger, clock = systemClock } = options;
  const stop = new AbortController();
  const done = runAsLeader({
    ...options,
    name: 'data-api operating status',
    lock: ADVISORY_LOCKS.operatingStatus,
    settings: {},
    statementMsMax: STATEMENT_MS_MAX,
    retryMs: RETRY_MS,
    signal: stop.signal,
    lead: async (client) => {
      const startups = await sweepOperatingStatus(client, stop.signal);
      if (startups > 0) {
        const message = 'operating status recalculated: 3-month funding grace period ended';
        logger.info({ startups }, message);
      }
      return DAY_MS - (clock.wallMs() % DAY_MS) + MARGIN_MS;
    },
  });
  return {
    /** Ends after the transaction under way. */
    close: async (): Promise<void> => {
      stop.abort();
      await done;
    },
  };
}
