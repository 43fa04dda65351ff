import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CacheResult } from './key-cache.ts';

/** The outcome of a key check at access-api; `failed` without a response. */
export type KeyCheckOutcome = 'accepted' | 'rejected' | 'failed';

/** Records authentication for `/metrics`. */
export type KeyMetrics = ReturnType<typeof createKeyMetrics>;

/** Metrics of the key cache and of the key checks behind it, in a registry. */
export function createKeyMetrics(registry: Registry) {
  const registers = [registry];
  const cache = new Counter({
    name: 'vcds_key_cache_lookups_total',
    help:
      'Key look-ups: hit (in the cache), joined (waited for a running check), miss (checked at ' +
      'access-api); stale also counts cached results that were used because the check failed.',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['hit', 'joined', 'miss', 'stale']) cache.inc({ result }, 0);
  const checks = new Histogram({
    name: 'vcds_key_check_duration_seconds',
    help: 'Duration of key checks at access-api by outcome: accepted, rejected or failed.',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const circuit = new Gauge({
    name: 'vcds_key_check_circuit_open',
    help: '1 while data-api only probes access-api because the last key checks failed.',
    registers,
  });
  return {
    cacheResult: (result: CacheResult) => cache.inc({ result }),
    checked: (outcome: KeyCheckOutcome, seconds: number) => checks.observe({ outcome }, seconds),
    circuit: (isOpen: boolean) => circuit.set(isOpen ? 1 : 0),
  };
}
