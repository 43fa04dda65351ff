import type { BenchRequest } from './requests.ts';

/** Asks once and waits for the answer. */
export type Ask = (request: BenchRequest) => Promise<unknown>;

export interface Latency {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One client, one request after another, for as long as there are some and there is time. */
export async function measureLatency(
  ask: Ask,
  requests: readonly BenchRequest[],
  msMax: number,
): Promise<Latency> {
  const took: number[] = [];
  const startedMs = performance.now();
  for (const request of requests) {
    const askedMs = performance.now();
    await ask(request);
    took.push(performance.now() - askedMs);
    if (performance.now() - startedMs > msMax) break;
  }
  return { requests: took.length, p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
}

/** Requests a second that so many clients get answered, one after another each. */
export async function measureThroughput(
  ask: Ask,
  requests: readonly BenchRequest[],
  clients: number,
  ms: number,
): Promise<number> {
  let next = 0;
  let answered = 0;
  const startedMs = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - startedMs < ms) {
      const request = requests[next++ % requests.length];
      if (request === undefined) return;
      await ask(request);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answered / ((performance.now() - startedMs) / 1_000);
}

/** The value below which that share of the numbers lies; NaN of none. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
