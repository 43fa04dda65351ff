import {
  createServiceTokenSigner,
  decodeKeyCheck,
  encodeKeyCheckRequest,
  JWKS_PATH,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  type KeyCheck,
  type KeyCheckRequest,
  type KeySet,
  NO_KEY,
  parseKeySet,
} from '@vcds/credentials';
import { ApiError, type Clock, createCircuit, tracedRequests } from '@vcds/service-kit';
import { errorCode } from '@vcds/service-kit/error-code';
import { interceptors, Pool } from 'undici';
import { createBoundedQueue } from './bounded-queue.ts';
import type { KeyCheckOutcome, KeyMetrics } from './key-metrics.ts';

/** Checks of issued keys. */
const ISSUED = { runningMax: 64, waitingMax: 1_000 };
/** Checks of other keys: a guess, or a key that Redis lacks because it has lost writes. */
const OTHER = { runningMax: 4, waitingMax: 16, perSecondMax: 50 };
const CHECK_MS_MAX = 2_000;
const RESPONSE_BYTES_MAX = 64 * 1024;

// access-api may close an idle connection while a request is sent on it. Key checks are idempotent.
const RETRY_ONCE = interceptors.retry({
  maxRetries: 1,
  minTimeout: 0,
  methods: ['GET', 'POST'],
  statusCodes: [],
  errorCodes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
});
/** Errors of a connection, after which access-api counts as unreachable. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
]);

/** access-api did not respond in time, neither to this request nor to a later one. */
class Silent extends Error {
  override readonly name = 'Silent';
}

/** Sends key checks to access-api. */
export type KeyCheckClient = ReturnType<typeof createKeyCheckClient>;

interface KeyCheckClientOptions {
  /** Root of access-api's internal listener. */
  readonly accessInternalUrl: string;
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
  readonly metrics?: KeyMetrics | undefined;
}

/** A client with a connection pool. Each request carries a short-lived service token. */
export function createKeyCheckClient(options: KeyCheckClientOptions) {
  const { metrics, clock } = options;
  const { origin } = new URL(options.accessInternalUrl);
  const poolOf = (connections: number): Pool =>
    new Pool(origin, { connections, maxResponseSize: RESPONSE_BYTES_MAX });
  const pools = {
    issued: poolOf(ISSUED.runningMax),
    other: poolOf(OTHER.runningMax),
    own: poolOf(1),
  };
  const sign = createServiceTokenSigner(options.serviceTokenSecret, KEY_CHECK_PARTIES, clock);
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const now = (): number => clock.monotonicMs();
  const queues = {
    issued: createBoundedQueue(ISSUED, now, () => new Error('Too many key checks are waiting.')),
    other: createBoundedQueue(OTHER, now, tooManyUnknown),
  };
  const sendOn = (pool: Pool) => {
    const dispatcher = pool.compose(RETRY_ONCE);
    return tracedRequests('access-api', async (request) => {
      // A queue has as many sockets as running checks, so the time in it does not count.
      const sentAtMs = now();
      const signal = AbortSignal.timeout(CHECK_MS_MAX);
      try {
        const { statusCode, body } = await dispatcher.request({ ...request, signal });
        const text = await body.text();
        answeredAtMs = now();
        return { status: statusCode, text };
      } catch (error) {
        if (!signal.aborted) throw error;
        const NoResponse = answeredAtMs > sentAtMs ? Error : Silent;
        throw new NoResponse(`access-api did not respond within ${CHECK_MS_MAX} ms.`, {
          cause: error,
        });
      }
    });
  };
  const sends = {
    issued: sendOn(pools.issued),
    other: sendOn(pools.other),
    own: sendOn(pools.own),
  };
  const ask = async (question: KeyCheckRequest, by: keyof typeof sends): Promise<KeyCheck> => {
    const { status, text } = await sends[by]({
      method: 'POST',
      path: KEY_CHECK_PATH,
      headers: { authorization: `Bearer ${sign()}`, 'content-type': 'application/json' },
      body: encodeKeyCheckRequest(question),
    });
    if (status !== 200) throw new Error(`access-api responded ${status} to a key check.`);
    return decodeKeyCheck(text);
  };
  const measured = async (
    question: KeyCheckRequest,
    by: keyof typeof queues,
  ): Promise<KeyCheck> => {
    const startedAtMs = performance.now();
    const record = (outcome: KeyCheckOutcome): void =>
      metrics?.checked(outcome, (performance.now() - startedAtMs) / 1000);
    try {
      const check = await ask(question, by);
      record('principal' in check ? 'accepted' : 'rejected');
      return check;
    } catch (error) {
      record('failed');
      throw error;
    }
  };
  const circuit = createCircuit({
    name: 'access-api',
    probe: () => ask({ digest: NO_KEY }, 'own'),
    isOutage,
    onOpen: () => metrics?.circuit(true),
    onClose: () => metrics?.circuit(false),
  });
  return {
    /**
     * Checks an issued key. Rejects if access-api cannot be reached, does not respond within 2 s of
     * the request, or responds with anything but a key check. After it could not be reached, or
     * responded to no request at all, three times in a row, it rejects without a request until a
     * background probe succeeds.
     */
    check: (question: KeyCheckRequest): Promise<KeyCheck> =>
      queues.issued(() => circuit.run(() => measured(question, 'issued'))),
    /**
     * Checks any other key, in a queue of its own: 4 at a time and 50 a second.
     *
     * @throws ApiError `too_many_requests` beyond that.
     */
    checkOther: (question: KeyCheckRequest): Promise<KeyCheck> =>
      queues.other(async () => {
        if (circuit.isOpen) throw new Error('access-api does not respond.');
        return measured(question, 'other');
      }),
    /** Sends a check of no key; rejects if it fails. */
    probe: async (): Promise<void> => {
      await ask({ digest: NO_KEY }, 'own');
    },
    /** The time of the last response on the monotonic clock; -Infinity before the first. */
    answeredAtMs: (): number => answeredAtMs,
    /** The public keys of legacy tokens; rejects in the same cases as `check`. */
    keySet: async (): Promise<KeySet> => {
      const { status, text } = await sends.own({ method: 'GET', path: JWKS_PATH });
      // The legacy exchange is not configured, so there are no keys.
      if (status === 404) return new Map();
      if (status !== 200) throw new Error(`access-api responded ${status} to ${JWKS_PATH}.`);
      return parseKeySet(text);
    },
    close: (): void => {
      circuit.stop();
      for (const pool of Object.values(pools)) void pool.destroy();
    },
  };
}

// An error response does not count: it is no outage of all checks.
function isOutage(error: Error): boolean {
  return error instanceof Silent || UNREACHABLE.has(errorCode(error));
}

function tooManyUnknown(): ApiError {
  return new ApiError(
    'too_many_requests',
    'The key is not known, and too many such keys are being checked. Retry after Retry-After.',
    { retryAfterSeconds: 1 },
  );
}
