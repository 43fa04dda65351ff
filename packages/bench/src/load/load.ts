import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Call, CallSource } from './calls.ts';

/** A call and what became of it. */
export interface Outcome {
  readonly kind: string;
  readonly requestId: string;
  /** Milliseconds since the start of the load. */
  readonly startedMs: number;
  readonly latencyMs: number;
  /** Undefined without a response: the call may have been charged. */
  readonly status: number | undefined;
  /** `X-Credits-Charged`; undefined without the header. */
  readonly charged: number | undefined;
  readonly isExpected: boolean;
  /** Why it failed. */
  readonly detail: string;
  readonly email: string | undefined;
}

export interface LoadOptions {
  readonly callOf: CallSource;
  readonly callsPerSecond: number;
}

/** Calls at a constant rate, whether earlier ones have been answered or not. */
export interface ConstantLoad {
  /** Those of the calls that have ended. */
  readonly outcomes: readonly Outcome[];
  /** Calls that did not begin, because too many were under way. */
  readonly omitted: () => number;
  /** Begins no more calls, and resolves once all have ended. */
  stop(): Promise<readonly Outcome[]>;
}

/** Beyond this many calls under way, none begins: the client is bounded in any case. */
const UNDER_WAY_MAX = 1_000;
const ANSWER_MS_MAX = 60_000;
const DETAIL_MAX = 300;

export function startLoad({ callOf, callsPerSecond }: LoadOptions): ConstantLoad {
  const agents = new Map<string, Agent>();
  const outcomes: Outcome[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  const nowMs = (): number => performance.now() - startedAt;
  let omitted = 0;
  let isOver = false;
  const agentOf = (address: string): Agent => {
    const agent = agents.get(address) ?? new Agent({ keepAlive: true, localAddress: address });
    agents.set(address, agent);
    return agent;
  };
  const begin = (turn: number): void => {
    const call = callOf(turn);
    const running = send(call, agentOf(call.localAddress ?? '127.0.0.1'), nowMs)
      .then((outcome) => void outcomes.push(outcome))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };
  const run = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const dueMs = (turn * 1_000) / callsPerSecond;
      if (dueMs > nowMs()) await delay(dueMs - nowMs());
      if (underWay.size < UNDER_WAY_MAX) begin(turn);
      else omitted += 1;
    }
  };
  const running = run();
  return {
    outcomes,
    omitted: () => omitted,
    stop: async () => {
      isOver = true;
      await running;
      await Promise.all(underWay);
      for (const agent of agents.values()) agent.destroy();
      return outcomes;
    },
  };
}

async function send(call: Call, agent: Agent, nowMs: () => number): Promise<Outcome> {
  const { kind, url, headers, body, email, expected, disconnectMs } = call;
  const requestId = randomUUID();
  const startedMs = nowMs();
  const isExpected = (status: number | undefined): boolean =>
    status === expected || (status === undefined && disconnectMs !== undefined);
  const end = (status: number | undefined, charged: number | undefined, detail: string) => ({
    ...{ kind, requestId, startedMs, latencyMs: nowMs() - startedMs, status, charged },
    isExpected: isExpected(status),
    detail: isExpected(status) ? '' : detail.slice(0, DETAIL_MAX),
    email,
  });
  try {
    const sent = request(url, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-Request-Id': requestId, ...headers },
      signal: AbortSignal.timeout(disconnectMs ?? ANSWER_MS_MAX),
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const detail = await text(answer);
    if (answer.statusCode === expected) call.onAnswer?.(detail, answer.headers.link?.toString());
    const charged = answer.headers['x-credits-charged'];
    return end(answer.statusCode, charged === undefined ? undefined : Number(charged), detail);
  } catch (error) {
    return end(undefined, undefined, String(error));
  }
}
