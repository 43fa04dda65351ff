import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A kind of call, of which several values are called in turn. */
export interface CallKind {
  readonly title: string;
  /** Below the root of the API. */
  readonly paths: readonly string[];
}

/** The calls of one kind. */
export interface Calls {
  readonly latencyMs: number[];
  /** Calls by their status other than 200; `none` without a response. */
  readonly failed: Map<string, number>;
}

/** The calls of a phase, and their rate. */
export interface CallPlan {
  readonly root: string;
  readonly apiKeys: readonly string[];
  readonly kinds: readonly CallKind[];
  /** Calls a second, all kinds together. */
  readonly rate: number;
  readonly seconds: number;
}

const ANSWER_MS_MAX = 30_000;

/**
 * Calls all kinds in turn at a constant rate, whether earlier calls have been answered or not, so that
 * waiting counts as latency. Resolves once all have ended.
 *
 * @returns the calls by the title of their kind.
 */
export async function playKinds(plan: CallPlan): Promise<ReadonlyMap<string, Calls>> {
  const { root, apiKeys, kinds, rate, seconds } = plan;
  const dispatcher = new Agent({ pipelining: 1 });
  const calls = new Map(
    kinds.map(({ title }): [string, Calls] => [title, { latencyMs: [], failed: new Map() }]),
  );
  const startedMs = performance.now();
  const call = async (turn: number): Promise<void> => {
    const kind = kinds[turn % kinds.length];
    const into = calls.get(kind?.title ?? '');
    if (kind === undefined || into === undefined) return;
    const path = kind.paths[Math.floor(turn / kinds.length) % kind.paths.length] ?? '';
    const headers = { 'x-api-key': apiKeys[turn % apiKeys.length] ?? '' };
    const dueMs = startedMs + (turn * 1_000) / rate;
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const status = await request(`${root}${path}`, { dispatcher, headers, signal }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return String(statusCode);
      },
      () => 'none',
    );
    into.latencyMs.push(performance.now() - dueMs);
    if (status !== '200') into.failed.set(status, (into.failed.get(status) ?? 0) + 1);
  };
  const begun: Promise<void>[] = [];
  for (let turn = 0; turn < rate * seconds; turn += 1) {
    await delay(Math.max(0, startedMs + (turn * 1_000) / rate - performance.now()));
    begun.push(call(turn));
  }
  await Promise.all(begun);
  await dispatcher.close();
  return calls;
}
