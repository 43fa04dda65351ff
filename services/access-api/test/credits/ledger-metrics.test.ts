import { expect, test } from '@jest/globals';
import type { LedgerStore, LedgerStream } from '@vcds/metering';
import { testClock } from '@vcds/test-kit';
import { Registry } from 'prom-client';
import { createLedgerMetrics } from '../../src/credits/ledger-metrics.ts';

test('a charge from a clock that is ahead has no negative age, so that the sum never decreases', async () => {
  const clock = testClock();
  const registry = new Registry();
  const commit: LedgerStore['commit'] = async (_bucket, entries) => entries;
  const { store } = createLedgerMetrics(
    { stream: {} as LedgerStream, store: { commit } as LedgerStore },
    registry,
    clock,
  );
  for (const seconds of [3, -3_600, -40 * 86_400]) {
    const chargedAt = new Date(clock.wallMs() - seconds * 1_000);
    await store.commit(0, [{ chargedAt }] as unknown as Parameters<LedgerStore['commit']>[1]);
  }
  expect(await registry.metrics()).toMatch(/^vcds_ledger_lag_seconds_sum 3$/m);
  expect(await registry.metrics()).toMatch(/^vcds_ledger_lag_seconds_count 3$/m);
});
