import type { ServerResponse } from 'node:http';
import { Counter, type Registry } from 'prom-client';
import { type Clock, systemClock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { createLoopMeter } from './loop-meter.ts';
import { networksOf } from './networks.ts';
import { afterWork, type ProcessorShare, waitMsOf } from './processor-share.ts';
import { partOf, type RequestWork } from './request-work.ts';

/** The bounds of the work of an account, or of a network whose requests name no account. */
export interface WorkLimits {
  /** Requests in flight of one account, and of one network before they name an account. */
  readonly inFlightMax: number;
  /** Work that is not charged. */
  readonly free: ProcessorShare;
}

const IN_FLIGHT_MAX = 256;
/** The burst of a whole processor. */
const BURST_MS = 5_000;
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
/** The response of a rejected request is held for this long, so that its connection cannot flood. */
const HOLD_MS_MAX = 1_000;
/** Further ones are sent at once. */
const HELD_MAX = 1_000;
/** Requests in flight of one network on the internal listener, from processes of the service. */
const INTERNAL_IN_FLIGHT_MAX = 1_024;
/** Requests of one network whose credential is not checked yet. */
const UNCHECKED_MAX = 1_024;

/** An account or a network. */
interface Subject {
  readonly name: string;
  readonly limits: WorkLimits;
  inFlight: number;
  /** Of a network: requests with a credential that is not checked yet. */
  unchecked: number;
  paidAtMs: number;
}

type Kind = 'account' | 'network';
type Count = 'inFlight' | 'unchecked';
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
  readonly response: ServerResponse;
  /** The address of the client, behind trusted proxies. */
  readonly address: string | undefined;
  /** A proxy may share the connection among clients. */
  readonly isShared?: boolean;
  /** On the internal listener, whose requests count apart. */
  readonly isInternal?: boolean;
  /** It has a credential, so that it is not counted with those that have none. */
  readonly hasCredential?: boolean;
}

/**
 * One gate for all listeners of a process. Work counts when it is done: a request that was charged
 * counts nothing, any other one counts the time that the event loop worked for it. Who has used more
 * than the share gets 429 before the next request is worked on, up to a second later. The number of
 * accounts and networks that are stored is bounded.
 */
export function createWorkGate(options: WorkGateOptions) {
  const { clock = systemClock, limits } = options;
  const { free } = limits;
  const siteLimits: WorkLimits = {
    inFlightMax: limits.inFlightMax * SITE_FACTOR,
    free: {
      ...free,
      part: Math.min(1, free.part * SITE_FACTOR),
      burstMs: free.burstMs * SITE_FACTOR,
    },
  };
  const internalLimits: WorkLimits = { ...limits, inFlightMax: INTERNAL_IN_FLIGHT_MAX };
  const metrics = createMetrics(options.registry);
  const meter = createLoopMeter();
  const subjects = new Map<string, Subject>();
  let held = 0;

  const subjectOf = (name: string, bounds: WorkLimits): Subject => {
    const found = subjects.get(name) ?? {
      name,
      limits: bounds,
      inFlight: 0,
      unchecked: 0,
      paidAtMs: 0,
    };
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

  const assertInFlight = (kind: Kind, count: Count, all: readonly Subject[]): void => {
    for (const subject of all) {
      const max = count === 'unchecked' ? UNCHECKED_MAX : subject.limits.inFlightMax;
      if (subject[count] > max) throw rejection(kind, 'in_flight', 0);
    }
  };

  const assertShare = (kind: Kind, all: readonly Subject[]): void => {
    const nowMs = clock.monotonicMs();
    for (const { limits: bounds, paidAtMs } of all) {
      const waitMs = waitMsOf(paidAtMs, nowMs, bounds.free);
      if (waitMs > 0) throw rejection(kind, 'processor_time', waitMs);
    }
  };

  const networkSubjects = (address: string | undefined, isInternal: boolean): Subject[] => {
    const { network, site } = networksOf(address);
    if (isInternal) return [subjectOf(`internal ${network}`, internalLimits)];
    const own = subjectOf(network, limits);
    return site === undefined ? [own] : [own, subjectOf(site, siteLimits)];
  };

  const open = (arrived: Arrived): RequestWork => {
    const { response, address, isShared = false } = arrived;
    const { isInternal = false, hasCredential = false } = arrived;
    let kind: Kind = 'network';
    let count: Count = hasCredential ? 'unchecked' : 'inFlight';
    let counted = networkSubjects(address, isInternal);
    let isPaid = false;
    /** An account is beyond a bound of its work; other rejections of accounts are not held. */
    let isRejected = false;
    let isClosed = false;
    let isCounted = false;
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
    const enter = (): void => {
      isCounted = true;
      for (const each of counted) each[count] += 1;
    };
    const leave = (): void => {
      if (!isCounted) return;
      isCounted = false;
      for (const each of counted) each[count] -= 1;
    };
    enter();
    response.once('close', () => {
      isClosed = true;
      leave();
      settle();
    });
    const work: RequestWork = {
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
        leave();
        kind = 'account';
        count = 'inFlight';
        counted = [subjectOf(`account ${accountId}`, limits)];
        if (!isClosed) enter();
        isRejected = true;
        assertInFlight(kind, count, counted);
        assertShare(kind, counted);
        isRejected = false;
      },
      assertInFlight: (): void => assertInFlight(kind, count, counted),
      assertShare: (): void => {
        if (kind === 'network') assertShare(kind, counted);
      },
      withoutKey: (): void => {
        if (kind === 'account') return;
        leave();
        count = 'inFlight';
        enter();
        assertInFlight(kind, count, counted);
        assertShare(kind, counted);
      },
      holdMs: ({ details }: ApiError): number => {
        if (isShared || (kind === 'account' && !isRejected) || held >= HELD_MAX) return 0;
        held += 1;
        // It takes no more work, and must not count against other requests.
        leave();
        response.once('close', () => {
          held -= 1;
        });
        return Math.min(HOLD_MS_MAX, (details.retryAfterSeconds ?? 1) * 1_000);
      },
      part: (inner: ServerResponse): RequestWork => partOf(work, meter, inner),
    };
    work.resume();
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

// Not one that has requests in flight: among the oldest there is another one.
function evictOne(subjects: Map<string, Subject>): void {
  let tries = 100;
  for (const [name, { inFlight, unchecked }] of subjects) {
    tries -= 1;
    if (inFlight + unchecked > 0 && tries > 0) continue;
    subjects.delete(name);
    return;
  }
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
