import { type Clock, type Logger, systemClock } from '@vcds/service-kit';
import { sweepOperatingStatus } from '@vcds/venture-model';
import type pg from 'pg';
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
export class OperatingStatusJob {
  readonly #options: OperatingStatusOptions;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  private constructor(options: OperatingStatusOptions) {
    this.#options = options;
    this.#done = runAsLeader({
      ...options,
      name: 'data-api operating status',
      lock: ADVISORY_LOCKS.operatingStatus,
      settings: {},
      statementMsMax: STATEMENT_MS_MAX,
      retryMs: RETRY_MS,
      signal: this.#stop.signal,
      lead: (client) => this.#recalculate(client),
    });
  }

  static start(options: OperatingStatusOptions): OperatingStatusJob {
    return new OperatingStatusJob(options);
  }

  /** Ends after the transaction under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  /** @returns milliseconds until the next day. */
  async #recalculate(client: pg.Client): Promise<number> {
    const { logger, clock = systemClock } = this.#options;
    const startups = await sweepOperatingStatus(client, this.#stop.signal);
    if (startups > 0) {
      const message = 'operating status recalculated: 3-month funding grace period ended';
      logger.info({ startups }, message);
    }
    return DAY_MS - (clock.wallMs() % DAY_MS) + MARGIN_MS;
  }
}
