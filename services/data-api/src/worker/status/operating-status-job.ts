import { type Clock, type Logger, systemClock } from '@vcds/service-kit';
import { recalculateOperatingStatus } from '@vcds/venture-model';
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import { type LeaderJob, runAsLeader } from '../run-as-leader.ts';

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
 * Recalculates operating statuses that change by time alone (docs/spec/resources.md 4.14): the grace
 * period of three months after a round has ended, an account has become quiet. Runs at the start and
 * after every midnight UTC, in one process at a time, and a minute after a failure.
 */
export function startOperatingStatusJob(options: OperatingStatusOptions) {
  const { logger, clock = systemClock } = options;
  const stop = new AbortController();
  const done = runAsLeader({
    ...options,
    name: 'data-worker operating status',
    lock: ADVISORY_LOCKS.operatingStatus,
    settings: {},
    statementMsMax: STATEMENT_MS_MAX,
    retryMs: RETRY_MS,
    signal: stop.signal,
    lead: async (client) => {
      const recalculated = await recalculateOperatingStatus(client, stop.signal);
      const { startups, observations } = recalculated;
      if (startups + observations > 0) {
        logger.info(recalculated, 'operating status recalculated: only time has passed');
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
