import type { AccountTotals, LedgerStore } from '@vcds/metering';
import type { Logger } from '@vcds/service-kit';
import pg from 'pg';
import { BUCKET_SEQ, COMMIT, TOTALS } from './ledger-statements.ts';

/** The arrays of COMMIT, in its order. */
const COLUMNS = [
  ...(['op', 'account', 'keyId', 'endpoint', 'requestId', 'period'] as const),
  ...(['charged', 'purchased', 'seq', 'bucketSeq', 'chargedAt'] as const),
];
/** Accounts per query of totals. */
const PAGE_ACCOUNTS = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The permanent ledger in PostgreSQL. It stores every charge once, by its operation, even if
 * several workers commit it repeatedly. Accounts, keys and operations are UUIDs.
 *
 * A row lock serializes the batches of one bucket, so that any number of workers may drain
 * concurrently. Rejects with the driver's error, and then stores nothing of the batch.
 */
export function createLedgerTable(pool: pg.Pool): LedgerStore {
  return {
    commit: async (bucket, entries) => {
      const { rows } = await pool.query<{ op: string }>({
        ...COMMIT,
        values: [bucket, ...COLUMNS.map((name) => entries.map((entry) => entry[name]))],
      });
      const fresh = new Set(rows.map(({ op }) => op));
      // An operation that occurs two times in the batch is new once.
      return entries.filter(({ op }) => fresh.delete(op));
    },
    bucketSeq: async (bucket) => {
      const { rows } = await pool.query<{ seq: string }>({ ...BUCKET_SEQ, values: [bucket] });
      return Number(rows[0]?.seq ?? 0);
    },
    totals: (bucket) => totals(pool, bucket),
  };
}

type TotalsRow = { readonly [Name in keyof Omit<AccountTotals, 'keys'>]: string | number } & {
  readonly keys: readonly { readonly keyId: string; readonly used: number }[];
};

async function* totals(pool: pg.Pool, bucket: number): AsyncGenerator<AccountTotals> {
  for (let after = FIRST_ID; ; ) {
    const values = [bucket, after, PAGE_ACCOUNTS];
    const { rows } = await pool.query<TotalsRow>({ ...TOTALS, values });
    for (const row of rows) yield totalsOf(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ACCOUNTS) return;
    after = String(last.account);
  }
}

// The driver returns bigint and numeric as text.
function totalsOf(row: TotalsRow): AccountTotals {
  const { account, period, used, spent, seq, purchased, keys } = row;
  return {
    account: String(account),
    period: Number(period),
    used: Number(used),
    spent: Number(spent),
    seq: Number(seq),
    purchased: Number(purchased),
    keys,
  };
}

/** One per concurrently drained bucket, and one for the readiness check. */
const CONNECTIONS_MAX = 9;
const CONNECT_MS_MAX = 5_000;
const STATEMENT_MS_MAX = 10_000;
/** Above the server's own limit: a connection without a response by then is closed. */
const ANSWER_MS_MAX = 12_000;

/** Opens the connections that write the ledger; connects on first use. */
export function openLedgerPool(url: string, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    statement_timeout: STATEMENT_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
    keepAlive: true,
    application_name: 'worker',
  });
  pool.on('error', (error) => logger.warn({ error }, 'idle connection lost'));
  return pool;
}
