import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@vcds/test-kit/bench';
import pg from 'pg';
import { quantile } from '../support/figures.ts';
import { mailedOf, type Target } from './calls.ts';
import type { Outcome } from './load.ts';

/** The answers of a load compared with the ledger. */
export interface Audit {
  readonly calls: number;
  /** Calls without the expected status. */
  readonly failed: number;
  /** Failed calls by status; `none` without a response. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds of the longest outage, from the start of its first failed call to the end of its last. */
  readonly outageMs: number;
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
  /** Calls without a response that are charged. */
  readonly lostCharged: number;
  /** Accepted registrations without a message. */
  readonly unmailed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** An account of the load. */
export interface LoadAccount {
  readonly accountId: string;
  readonly apiKey: string;
}

/** Failures that are further apart belong to two outages. */
const OUTAGE_GAP_MS = 3_000;
/** The drain takes a second; without a charge by then it is lost. */
const DRAIN_MS_MAX = 15_000;
const MAIL_MS_MAX = 30_000;
/** A hold whose call ended without a settlement expires within a minute. */
const HOLDS_MS_MAX = 120_000;

/** Compares a load with the ledger, once all that was reported is in it. */
export async function audit(
  { databases, mailFolder }: Target,
  outcomes: readonly Outcome[],
): Promise<Audit> {
  const addresses = outcomes.flatMap(({ email, isExpected }) =>
    email !== undefined && isExpected ? [email] : [],
  );
  const mailed = await mailedOf(mailFolder, addresses, MAIL_MS_MAX);
  const deadlineMs = performance.now() + DRAIN_MS_MAX;
  for (;;) {
    const found = compare(outcomes, await chargesByRequest(databases.primary.url));
    if (found.unpaid === 0 || performance.now() > deadlineMs) {
      return { ...found, unmailed: addresses.length - mailed.length };
    }
    await delay(500);
  }
}

/**
 * Resolves once the balance of each account is its plan's limit less the ledger's charges. Holds of
 * killed processes expire first.
 */
export async function untilBalanced(
  { databases, accessUrl }: Target,
  accounts: readonly LoadAccount[],
): Promise<void> {
  const sql = new pg.Client({ connectionString: databases.primary.url });
  await sql.connect();
  try {
    for (const { accountId, apiKey } of accounts) {
      await eventually(
        async () => {
          const headers = { 'X-Api-Key': apiKey };
          const answer = await fetch(`${accessUrl}/api/v1/usage`, { headers });
          const { limit, remaining } = (await answer.json()) as Record<
            'limit' | 'remaining',
            number
          >;
          const { rows } = await sql.query<{ sum: string }>(
            'SELECT coalesce(sum(charged), 0) AS sum FROM access.charge WHERE account_id = $1',
            [accountId],
          );
          const charged = Number(rows[0]?.sum);
          if (limit - remaining === charged) return true;
          throw new Error(`${accountId}: ${limit - remaining}, but ${charged} in the ledger`);
        },
        { timeoutMs: HOLDS_MS_MAX, intervalMs: 500 },
      );
    }
  } finally {
    await sql.end();
  }
}

async function chargesByRequest(url: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  try {
    const { rows } = await sql.query<{ request_id: string; charges: number[] }>(
      'SELECT request_id, array_agg(charged) AS charges FROM access.charge GROUP BY request_id',
    );
    return new Map(rows.map(({ request_id, charges }) => [request_id, charges]));
  } finally {
    await sql.end();
  }
}

function compare(outcomes: readonly Outcome[], charges: ReadonlyMap<string, readonly number[]>) {
  const rows = outcomes.map((outcome) => {
    const found = charges.get(outcome.requestId) ?? [];
    return { ...outcome, found, paid: found.reduce((sum, each) => sum + each, 0) };
  });
  const failed = rows.filter(({ isExpected }) => !isExpected);
  const served = rows.filter(({ isExpected }) => isExpected);
  const errors = failed.filter(({ status }) => status !== undefined);
  const latencies = served.map(({ latencyMs }) => latencyMs);
  return {
    calls: rows.length,
    failed: failed.length,
    failures: countBy(failed, ({ status }) => String(status ?? 'no response')),
    outageMs: Math.round(longestOutageMs(failed)),
    reported: served.reduce((sum, { charged = 0 }) => sum + charged, 0),
    ledger: rows.reduce((sum, { paid }) => sum + paid, 0),
    chargedTwice: rows.filter(({ found }) => found.length > 1).length,
    different: served.filter(
      ({ status, paid, charged = 0 }) => status !== undefined && paid > 0 && paid !== charged,
    ).length,
    unpaid: served.filter(({ paid, charged = 0 }) => charged > 0 && paid === 0).length,
    chargedErrors: errors.filter(({ paid }) => paid > 0).length,
    lostCharged: failed.filter(({ status, paid }) => status === undefined && paid > 0).length,
    p50Ms: Math.round(quantile(latencies, 0.5)),
    p99Ms: Math.round(quantile(latencies, 0.99)),
  };
}

function longestOutageMs(failed: readonly Outcome[]): number {
  let [longestMs, beganMs, endedMs] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const { startedMs, latencyMs } of failed.toSorted((a, b) => a.startedMs - b.startedMs)) {
    if (startedMs > endedMs + OUTAGE_GAP_MS) beganMs = startedMs;
    endedMs = Math.max(endedMs, startedMs + latencyMs);
    longestMs = Math.max(longestMs, endedMs - beganMs);
  }
  return longestMs;
}

function countBy<T>(rows: readonly T[], nameOf: (row: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[nameOf(row)] = (counts[nameOf(row)] ?? 0) + 1;
  return counts;
}
