import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

interface OldestTransaction {
  readonly state: 'active' | 'idle';
  readonly seconds: number;
}

const OLDEST = 'SELECT state, seconds FROM venture.oldest_transactions()';

/**
 * The metric of the oldest open transactions of the database, read at each collection: absent while
 * the database does not respond, or if its owner may not read the sessions of other roles.
 */
export function registerTransactionMetrics(registry: Registry, pool: Pick<pg.Pool, 'query'>): void {
  new Gauge({
    name: 'vcds_database_oldest_transaction_seconds',
    help: 'Age of the oldest open transaction by state: active (a statement runs) or idle; 0 if none.',
    labelNames: ['state'],
    registers: [registry],
    collect: async function () {
      this.reset();
      const { rows } = await pool
        .query<OldestTransaction>(OLDEST)
        .catch(() => ({ rows: [] as OldestTransaction[] }));
      for (const { state, seconds } of rows) this.set({ state }, seconds);
    },
  });
}
