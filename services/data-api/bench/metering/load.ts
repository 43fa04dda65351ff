import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { httpGet } from '../http-get.ts';

/** The results of the clients; `statuses`: calls by status. */
export type Load = Awaited<ReturnType<typeof playLoad>>;

/** How a path is called. */
export interface LoadPlan {
  /** The most concurrent calls. */
  readonly clients: number;
  readonly durationMs: number;
  /** The rate of all clients together; 0: each calls again on every response. */
  readonly callsPerSecond: number;
}

/** Runs clients that call the URLs in turn for a time. */
export async function playLoad(
  urls: readonly string[],
  apiKeys: readonly string[],
  { clients, durationMs, callsPerSecond }: LoadPlan,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencyMs: number[] = [];
  const statuses = new Map<number, number>();
  const startedMs = performance.now();
  const client = async (number: number): Promise<void> => {
    const headers = { 'X-Api-Key': apiKeys[number % apiKeys.length] ?? '' };
    for (let turn = 0; performance.now() - startedMs < durationMs; turn++) {
      const due = callsPerSecond && ((turn * clients + number) * 1000) / callsPerSecond;
      if (due >= durationMs) return;
      await delay(Math.max(0, startedMs + due - performance.now()));
      const sentMs = performance.now();
      const url = urls[(turn + number) % urls.length] ?? '';
      const { status } = await httpGet(url, { agent, headers });
      latencyMs.push(performance.now() - sentMs);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const seconds = (performance.now() - startedMs) / 1000;
  agent.destroy();
  return { calls: latencyMs.length, perSecond: latencyMs.length / seconds, latencyMs, statuses };
}
