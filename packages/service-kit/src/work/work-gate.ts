import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, type Registry } from 'prom-client';
import { type Clock, systemClock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { createLoopMeter } from './loop-meter.ts';
import { networksOf } from './networks.ts';
import { afterWork, type ProcessorShare, waitMsOf } from './processor-share.ts';

/** The bounds of the work of an account, or of a network whose requests name no account. */
export interface WorkLimits {
  /** Requests in flight of one account, and of one network before they name an account. */
  readonly inFlightMax: number;
  /** Work that is not charged. */
  readonly free: ProcessorShare;
}

const IN_FLIGHT_MAX = 256;
/** The burst of a whole processor. */
const BURST_MS = 10_000;
const BLOCKED_MS_MAX = 10_000;

/**
 * docs/spec/limits.md 12.3, 12.6.
 *
 * @param percent the share of free work, of one processor.
 */
export function workLimits(percent: number): WorkLimits {
  const part = percent / 100;
  const free = { part, burstMs: BURST_MS * part, blockedMsMax: BLOCKED_MS_MAX };
  return { inFlightMax: IN_FLIGHT_MAX, free };
}

/** Of an IPv6 /48 relative to one /64. */
const SITE_FACTOR = 3;
/** Work of Node for a request outside the handlers. */
const REQUEST_MS = 0.05;
const SUBJECTS_MAX = 20_000;
/** The connection of a rejected request is not read for this long, so that it cannot flood. */
const HOLD_MS_MAX = 1_000;
/** Requests in flight of one network on the internal listener, from processes of the service. */
const INTERNAL_IN_FLIGHT_MAX = 1_024;

/** An account or a network. */
interface Subject {
  readonly name: string;
  readonly limits: WorkLimits;
  inFlight: number;
  paidAtMs: number;
}

type Kind = 'account' | 'network';
type Reason = 'in_flight' | 'processor_time';

export interface WorkGateOptions {
  readonly registry: Registry;
  readonly clock?: Clock;
  readonly limits: WorkLimits;
}

/** Bounds the requests in flight and the processor time of uncharged work, of all its listeners. */
export type WorkGate = ReturnType<typeof createWorkGate>;

/** A request that has arrived. */
interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The address of the client, behind trusted proxies. */
  readonly address: string | undefined;
  /** On the internal listener, whose requests count apart. */
  readonly isInternal?: boolean;
}

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
  /** @throws ApiError `too_many_requests` if the request has no account and its network is beyond its share. */
  assertShare(): void;
  /** Holds the connection of a request that is rejected with this error, if it has no account. */
  reject(error: ApiError): void;
}

/** For apps without a gate. */
export const UNBOUNDED_WORK: RequestWork = Object.freeze({
  network: 'unknown',
  resume: () => undefined,
  add: () => undefined,
  paid: () => undefined,
  assignTo: () => undefined,
  assertShare: () => undefined,
  reject: () => undefined,
});

/**
 * One gate for all listeners of a process. Work counts when it is done: a request that was charged
 * counts nothing, any other one counts the time that the event loop worked for it. Who has used more
 * than the share gets 429 before the next request is worked on, and the connection is not read for
 * up to a second. The numbers of accounts and networks that are stored are bounded.
 */
export function createWorkGate(options: WorkGateOptions) {
  const { clock = systemClock, limits } = options;
  const { free } = limits;
  const siteLimits: WorkLimits = {
    inFlightMax: limits.inFlightMax * SITE_FACTOR,
    free: { ...free, part: Math.min(1, free.part * SITE_FACTOR) },
  };
  const internalLimits: WorkLimits = { ...limits, inFlightMax: INTERNAL_IN_FLIGHT_MAX };
  const metrics = createMetrics(options.registry);
  const meter = createLoopMeter();
  const subjects = new Map<string, Subject>();

  const subjectOf = (name: string, bounds: WorkLimits): Subject => {
    const found = subjects.get(name) ?? { name, limits: bounds, inFlight: 0, paidAtMs: 0 };
    // At the end: the first ones are those that were not used for the longest time.
    subjects.delete(name);
    subjects.set(name, found);
    if (subjects.size > SUBJECTS_MAX) evictOne(subjects);
    return found;
  };

  const rejection = (kind: Kind, reason: Reason, waitMs: number): ApiError => {
    metrics.rejected.inc({ subject: kind, reason });
    return new ApiError('too_many_requests', MESSAGES[reason][kind], {
      retryAfterSeconds: Math.max(1, waitMs / 1_000),
    });
  };

  const assertWithin = (kind: Kind, all: readonly Subject[], isShareChecked: boolean): void => {
    const nowMs = clock.monotonicMs();
    for (const { limits: bounds, inFlight, paidAtMs } of all) {
      if (inFlight > bounds.inFlightMax) throw rejection(kind, 'in_flight', 0);
      const waitMs = isShareChecked ? waitMsOf(paidAtMs, nowMs, bounds.free) : 0;
      if (waitMs > 0) throw rejection(kind, 'processor_time', waitMs);
    }
  };

  const networkSubjects = (address: string | undefined, isInternal: boolean): Subject[] => {
    const { network, site } = networksOf(address);
    if (isInternal) return [subjectOf(`internal ${network}`, internalLimits)];
    const own = subjectOf(network, limits);
    return site === undefined ? [own] : [own, subjectOf(site, siteLimits)];
  };

  const open = ({ request, response, address, isInternal = false }: Arrived): RequestWork => {
    let kind: Kind = 'network';
    let counted = networkSubjects(address, isInternal);
    let isPaid = false;
    let isClosed = false;
    let unsettledMs = REQUEST_MS;
    const settle = (): void => {
      if (!isPaid) {
        const nowMs = clock.monotonicMs();
        metrics.free.inc({ subject: kind }, unsettledMs / 1_000);
        for (const each of counted) {
          each.paidAtMs = afterWork(each.paidAtMs, unsettledMs, nowMs, each.limits.free);
        }
      }
      unsettledMs = 0;
    };
    const leave = (): void => {
      for (const each of counted) each.inFlight -= 1;
    };
    const held = <T>(check: () => T): T => {
      try {
        return check();
      } catch (error) {
        if (error instanceof ApiError) holdConnection(request, response, address, error);
        throw error;
      }
    };
    for (const each of counted) each.inFlight += 1;
    response.once('close', () => {
      isClosed = true;
      leave();
      settle();
    });
    const work = {
      network: counted[0]?.name ?? '',
      add: (processorMs: number): void => {
        unsettledMs += processorMs;
        // Work that continues after the client has disconnected.
        if (isClosed) settle();
      },
      resume: (): void => meter.resume(work),
      paid: (): void => {
        isPaid = true;
      },
      assignTo: (accountId: string): void => {
        if (kind === 'account') return;
        if (!isClosed) leave();
        kind = 'account';
        counted = [subjectOf(`account ${accountId}`, limits)];
        if (!isClosed) for (const each of counted) each.inFlight += 1;
        held(() => assertWithin(kind, counted, true));
      },
      assertShare: (): void => {
        if (kind === 'network') held(() => assertWithin(kind, counted, true));
      },
      reject: (error: ApiError): void => {
        if (kind === 'network') holdConnection(request, response, address, error);
      },
    };
    work.resume();
    // The share is checked once it is known that the request has no account.
    held(() => assertWithin(kind, counted, false));
    return work;
  };
  return { open };
}

const MESSAGES: Readonly<Record<Reason, Readonly<Record<Kind, string>>>> = {
  in_flight: {
    account: 'Too many calls of this account are in flight. Wait for their responses.',
    network: 'Too many requests of this network are in flight. Wait for their responses.',
  },
  processor_time: {
    account:
      'Uncharged calls of this account, such as errors, took more than its share of processor ' +
      'time. Correct the calls, and retry after the time in Retry-After.',
    network:
      'Requests of this network without a valid key took more than its share of processor time. ' +
      'Retry after the time in Retry-After, or send a valid key.',
  },
};

// Not one that has requests in flight, or is blocked: among the oldest there is another one.
function evictOne(subjects: Map<string, Subject>): void {
  let tries = 100;
  for (const [name, { inFlight }] of subjects) {
    tries -= 1;
    if (inFlight > 0 && tries > 0) continue;
    subjects.delete(name);
    return;
  }
}

/**
 * After the response, stops reading from the connection for a while, unless a proxy shares it among
 * clients. So a client that ignores 429 costs no more than one request a second for each connection.
 */
function holdConnection(
  { socket }: IncomingMessage,
  response: ServerResponse,
  address: string | undefined,
  { details }: ApiError,
): void {
  if (address !== socket.remoteAddress) return;
  const holdMs = Math.min(HOLD_MS_MAX, (details.retryAfterSeconds ?? 1) * 1_000);
  response.once('finish', () => {
    socket.pause();
    setTimeout(() => socket.resume(), holdMs).unref();
  });
}

function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    rejected: new Counter({
      name: 'vcds_work_rejections_total',
      help: 'Requests rejected because an account or network had too many in flight, or used more processor time than its share.',
      labelNames: ['subject', 'reason'],
      registers,
    }),
    free: new Counter({
      name: 'vcds_free_work_seconds_total',
      help: 'Processor time of requests that were not charged, by whether they named an account.',
      labelNames: ['subject'],
      registers,
    }),
  };
}
