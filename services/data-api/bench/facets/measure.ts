import { quantile, timed } from '@vcds/test-kit/bench';
import { processorMs } from '../collections/processor.ts';
import type { BenchRequest } from './requests.ts';

/** Asks once and waits for the answer. */
export type Ask = (request: BenchRequest) => Promise<unknown>;

/** An engine or a service, and the process whose processor time counts. */
export interface Asked {
  readonly ask: Ask;
  readonly pid: number;
}

export type Latency = Awaited<ReturnType<typeof measureLatency>>;

/** One client, one request after another, for as long as there are some and there is time. */
export async function measureLatency(
  { ask, pid }: Asked,
  requests: readonly BenchRequest[],
  msMax: number,
) {
  const took: number[] = [];
  const usedMs = processorMs(pid);
  const startedMs = performance.now();
  for (const request of requests) {
    took.push(await timed(() => ask(request)));
    if (performance.now() - startedMs > msMax) break;
  }
  return {
    requests: took.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    processorMs: (processorMs(pid) - usedMs) / took.length,
  };
}

export type Throughput = Awaited<ReturnType<typeof measureThroughput>>;

/** Requests a second that so many clients get answered, one after another each. */
export async function measureThroughput(
  { ask, pid }: Asked,
  requests: readonly BenchRequest[],
  clients: number,
  ms: number,
) {
  const usedMs = processorMs(pid);
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
  return {
    perSecond: answered / ((performance.now() - startedMs) / 1_000),
    processorMs: (processorMs(pid) - usedMs) / answered,
  };
}
