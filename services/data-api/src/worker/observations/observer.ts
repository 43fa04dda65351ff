import type { Logger } from '@vcds/service-kit';
import pg from 'pg';
import type { CompanyObservation } from '../../observations/observed-pages.ts';
import { connectionOptions } from '../../postgres/connection.ts';
import { recordObservation } from './record-observation.ts';

const CONNECTIONS_MAX = 2;
const STATEMENT_MS_MAX = 2_000;

/** Records observations of look-ups in the primary database. */
export interface Observer {
  /** Never fails: a failure is logged, and the observation is lost. */
  observe(observation: CompanyObservation): Promise<void>;
  close(): Promise<void>;
}

export function openObserver(options: {
  readonly connectionString: string;
  readonly logger: Logger;
}): Observer {
  const { connectionString, logger } = options;
  const pool = new pg.Pool({
    ...connectionOptions({
      connectionString,
      name: 'data-api observations',
      settings: { search_path: 'venture,public' },
      statementMsMax: STATEMENT_MS_MAX,
    }),
    max: CONNECTIONS_MAX,
  });
  const fail = (error: unknown) => logger.warn({ err: error }, 'failed to record an observation');
  pool.on('error', fail);
  return {
    observe: async (observation) => {
      await recordObservation(pool, observation).catch(fail);
    },
    close: () => pool.end(),
  };
}
