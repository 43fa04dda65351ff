import { eventually } from '@vcds/test-kit';
import pg from 'pg';
import { mailedOf } from './calls.ts';
import type { Outcome } from './load.ts';
import type { Topology } from './topology.ts';

/** The answers of a load compared with the ledger. */
export interface Audit {
  readonly calls: number;
  /** Calls without the expected status, and the milliseconds from the first to the last of them. */
  readonly failed: number;
  readonly failedForMs: number;
  /** Failed calls by status; `none` without a response. */
  readonly failures: Readonly<Record<string, number>>;
  /** Credits that the responses reported, and those of the ledger for these calls. */
  readonly reported: number;
  readonly ledger: number;
  /** Calls with more than one charge, or with another amount than their response reported. */
  readonly chargedTwice: number;
  readonly different: number;
  /** Responses that reported a charge which the ledger does not have: the account pays less. */
  readonly unpaid: number;
  /** Errors with a charge. */
  readonly chargedErrors: number;
  /** Calls without a response that are charged, and their credits. */
  readonly lostCharged: number;
  readonly lostCredits: number;
  /** Registrations that were accepted, and those without a message. */
  readonly registered: number;
  readonly unmailed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A hold whose call ended without a settlement expires within a minute. */
const HOLDS_MS_MAX = 120_000;

/**
 * Compares a load with the ledger once every charge is in it, and the balances in Redis with the
 * ledger once no hold is open: they must be equal.
 */
export async function audit(
  topology: Topology,
  accounts: readonly { readonly accountId: string; readonly apiKey: string }[],
  outcomes: readonly Outcome[],
): Promise<Audit> {
  const sql = new pg.Client({ connectionString: topology.database.url });
  await sql.connect();
  try {
    for (const account of accounts) await balanced(topology, sql, account);
    const charges = await chargesByRequest(sql);
    const addresses = outcomes.flatMap(({ email, isExpected }) =>
      email !== undefined && isExpected ? [email] : [],
    );
    const mailed = await mailedOf(topology.mailFolder, addresses, 60_000);
    return {
      ...compare(outcomes, charges),
      registered: addresses.length,
      unmailed: addresses.length - mailed.length,
    };
  } finally {
    await sql.end();
  }
}

/** Waits until the balance that the API reports is the plan's limit less the ledger's charges. */
async function balanced(
  { accessUrl }: Topology,
  sql: pg.Client,
  { accountId, apiKey }: { readonly accountId: string; readonly apiKey: string },
): Promise<void> {
  await eventually(
    async () => {
      const answer = await fetch(`${accessUrl}/api/v1/usage`, { headers: { 'X-Api-Key': apiKey } });
      const credits = (await answer.json()) as { limit: number; remaining: number };
      const { rows } = await sql.query<{ sum: string }>(
        'SELECT coalesce(sum(charged), 0) AS sum FROM access.charge WHERE account_id = $1',
        [accountId],
      );
      const charged = Number(rows[0]?.sum);
      if (credits.limit - credits.remaining === charged) return true;
      throw new Error(`${accountId}: ${JSON.stringify(credits)}, but ${charged} in the ledger`);
    },
    { timeoutMs: HOLDS_MS_MAX, intervalMs: 500 },
  );
}

async function chargesByRequest(sql: pg.Client): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await sql.query<{ request_id: string; charges: number[] }>(
    'SELECT request_id, array_agg(charged) AS charges FROM access.charge GROUP BY request_id',
  );
  return new Map(rows.map(({ request_id, charges }) => [request_id, charges]));
}

function compare(outcomes: readonly Outcome[], charges: ReadonlyMap<string, readonly number[]>) {
  const rows = outcomes.map((outcome) => {
    const found = charges.get(outcome.requestId) ?? [];
    return { ...outcome, found, paid: found.reduce((sum, each) => sum + each, 0) };
  });
  const failed = rows.filter(({ isExpected }) => !isExpected);
  const lost = rows.filter(({ status }) => status === undefined);
  const served = rows.filter(({ isExpected }) => isExpected);
  const errors = failed.filter(({ status }) => status !== undefined);
  const lostCharged = lost.filter(({ paid }) => paid > 0);
  const latencies = served.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  const at = (share: number) => Math.round(latencies[Math.floor(latencies.length * share)] ?? 0);
  const times = failed.map(({ startedMs }) => startedMs);
  return {
    calls: rows.length,
    failed: failed.length,
    failedForMs: times.length === 0 ? 0 : Math.round(Math.max(...times) - Math.min(...times)),
    failures: countBy(failed, ({ kind, status }) => `${kind} ${status ?? 'none'}`),
    reported: served.reduce((sum, { charged = 0 }) => sum + charged, 0),
    ledger: rows.reduce((sum, { paid }) => sum + paid, 0),
    chargedTwice: rows.filter(({ found }) => found.length > 1).length,
    different: served.filter(({ paid, charged = 0 }) => paid > 0 && paid !== charged).length,
    unpaid: served.filter(({ paid, charged = 0 }) => charged > 0 && paid === 0).length,
    chargedErrors: errors.filter(({ paid }) => paid > 0).length,
    lostCharged: lostCharged.length,
    lostCredits: lostCharged.reduce((sum, { paid }) => sum + paid, 0),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

function countBy<T>(rows: readonly T[], nameOf: (row: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[nameOf(row)] = (counts[nameOf(row)] ?? 0) + 1;
  return counts;
}
