import type { ServerResponse } from 'node:http';
import type { ApiError } from '../errors.ts';
import type { LoopMeter } from './loop-meter.ts';

/** The work of one request. */
export interface RequestWork {
  /** The network that the request came from. */
  readonly network: string;
  /** Call it when the code of the request continues after it has waited for an event. */
  resume(): void;
  /** Adds processor time that is not measured, in milliseconds. */
  add(processorMs: number): void;
  /** The work is charged, so it does not count. */
  paid(): void;
  /**
   * Assigns the request to an account in place of its network.
   *
   * @throws ApiError `too_many_requests` if the account is beyond a bound.
   */
  assignTo(accountId: string): void;
  /** @throws ApiError `too_many_requests` if its network has too many requests in flight. */
  assertInFlight(): void;
  /** @throws ApiError `too_many_requests` if the request has no account and its network is beyond its share. */
  assertShare(): void;
  /**
   * Counts the request with those that have no credential, because it will name no account.
   *
   * @throws ApiError `too_many_requests` if its network is beyond a bound.
   */
  withoutKey(): void;
  /**
   * Milliseconds for which the response of a rejected request is held, unless a proxy may share the connection
   * among clients: a client that ignores 429 then costs at most one request a second for each connection.
   */
  holdMs(error: ApiError): number;
  /** The work of a call that the request makes to its own process, which is paid or not by itself. */
  part(response: ServerResponse): RequestWork;
}

/** For apps without a gate. */
export const UNBOUNDED_WORK: RequestWork = Object.freeze<RequestWork>({
  network: 'unknown',
  resume: () => undefined,
  add: () => undefined,
  paid: () => undefined,
  assignTo: () => undefined,
  assertInFlight: () => undefined,
  assertShare: () => undefined,
  withoutKey: () => undefined,
  holdMs: () => 0,
  part: () => UNBOUNDED_WORK,
});

/** A part of the work of a request: paid, it leaves the rest unpaid. */
export function partOf(
  whole: RequestWork,
  meter: LoopMeter,
  response: ServerResponse,
): RequestWork {
  let isPaid = false;
  let isClosed = false;
  let unsettledMs = 0;
  const settle = (): void => {
    if (!isPaid) whole.add(unsettledMs);
    unsettledMs = 0;
  };
  const part: RequestWork = {
    ...whole,
    resume: () => meter.resume(part),
    add: (processorMs) => {
      unsettledMs += processorMs;
      if (isClosed) settle();
    },
    paid: () => {
      isPaid = true;
    },
    holdMs: () => 0,
  };
  response.once('close', () => {
    isClosed = true;
    settle();
  });
  part.resume();
  return part;
}
