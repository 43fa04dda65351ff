import type { CacheResult, KeyMetrics } from '../../src/authenticate/index.ts';

/** Metrics that collect how each key was looked up. */
export function metricsOf(results: CacheResult[]): KeyMetrics {
  return {
    cacheResult: (result) => void results.push(result),
    checked: () => undefined,
    circuit: () => undefined,
  };
}
