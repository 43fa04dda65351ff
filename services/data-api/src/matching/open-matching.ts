import type { Logger } from '@vcds/service-kit';
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { activeVersion } from '../models/model-store.ts';
import { Matching, type MatchingOptions } from './matching.ts';
import { openThreadRanker, type ThreadRankerOptions } from './thread-ranker.ts';

export interface OpenMatchingOptions
  extends Pick<ThreadRankerOptions, 'connectionString' | 'execArgv'>,
    Pick<MatchingOptions, 'pollMs'> {
  /** For the version that serves. */
  readonly pool: pg.Pool;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** The model that serves, in a thread of its own, replaced when a newer one has been stored. */
export function openMatching(options: OpenMatchingOptions): Matching {
  const { connectionString, execArgv, pool, registry, logger, pollMs } = options;
  const served = new Gauge({
    name: 'vcds_matching_model_info',
    help: '1 with the version of the matching model that serves.',
    labelNames: ['version'],
    registers: [registry],
  });
  let isFailing = false;
  return new Matching({
    activeVersion: () => activeVersion(pool),
    open: (onCrash, signal) => openThreadRanker({ connectionString, execArgv, onCrash, signal }),
    onLoaded: (version) => {
      isFailing = false;
      served.reset();
      served.set({ version }, 1);
      logger.info({ version }, 'matching model loaded');
    },
    // An outage is one line.
    onFailure: (error) => {
      if (!isFailing) logger.warn({ error }, 'matching model not loaded; retrying');
      isFailing = true;
    },
    pollMs,
  });
}
