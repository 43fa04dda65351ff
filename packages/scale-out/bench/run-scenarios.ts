import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Audit, audit } from './audit.ts';
import { callSource } from './calls.ts';
import { startLoad } from './load.ts';
import { watchProgress, writeChanges } from './progress.ts';
import type { Topology } from './topology.ts';

/** Calls a second; VCDS_LOAD replaces it. */
const CALLS_PER_SECOND = Number(process.env.VCDS_LOAD || 10);
/** Accounts, so that every node of the cluster has some. */
const ACCOUNTS = 24;
const BEFORE_MS = 5_000;
const AFTER_MS = 5_000;

/** Runs a fault under constant load, and compares the answers with the ledger. */
export type FaultRun = (name: string, fault: () => Promise<unknown>) => Promise<FaultReport>;

/** The audit, and the longest time in ms for which each background job made no progress. */
export interface FaultReport extends Audit {
  readonly stalledMs: Readonly<Record<string, number>>;
}

/**
 * Prepares faults under load. After every fault, no call is charged twice or with another amount
 * than its response reports, no error is charged, and every balance equals the ledger. The figures
 * are printed, a line of JSON each.
 */
export async function faultsUnderLoad(topology: Topology): Promise<FaultRun> {
  const specs = Array.from({ length: ACCOUNTS }, () => ({ plan: 'scale', keys: [{}] }));
  const issued = await topology.issue(...specs);
  const accounts = issued.map(({ accountId, keys }) => ({
    accountId,
    apiKey: keys[0]?.apiKey ?? '',
  }));
  const callOf = await callSource(
    topology,
    accounts.map(({ apiKey }) => apiKey),
  );
  let firstTurn = 1;
  return async (name, fault) => {
    const from = firstTurn;
    const load = startLoad({
      callOf: (turn) => callOf(from + turn),
      callsPerSecond: CALLS_PER_SECOND,
    });
    const writer = writeChanges(topology.database.urlOf('vcds_importer'));
    const progress = watchProgress(topology.database.url);
    let stalledMs: Readonly<Record<string, number>> = {};
    try {
      await delay(BEFORE_MS);
      await fault();
      await delay(AFTER_MS);
    } finally {
      firstTurn += (await load.stop()).length;
      stalledMs = await progress.stop();
      await writer.stop();
    }
    const result = { ...(await audit(topology, accounts, load.outcomes)), stalledMs };
    process.stdout.write(`${JSON.stringify({ fault: name, ...result })}\n`);
    for (const { kind, status, startedMs, latencyMs, detail } of load.outcomes
      .filter(({ isExpected }) => !isExpected)
      .slice(0, 10)) {
      const times = `${Math.round(startedMs)} + ${Math.round(latencyMs)} ms`;
      process.stdout.write(`  ${kind} ${status ?? 'none'} at ${times}: ${detail}\n`);
    }
    expect(result).toMatchObject({ chargedTwice: 0, different: 0, chargedErrors: 0 });
    return result;
  };
}
