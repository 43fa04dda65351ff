import {
  createServiceTokenSigner,
  decodeKeyCheck,
  encodeKeyCheckRequest,
  JWKS_PATH,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  type KeyCheck,
  type KeyCheckRequest,
  type KeyDigest,
  type KeySet,
  parseKeySet,
} from '@vcds/credentials';
import { type Clock, createCircuit, tracedRequests } from '@vcds/service-kit';
import { interceptors, Pool } from 'undici';
import type { KeyCheckOutcome, KeyMetrics } from './key-metrics.ts';

const SOCKETS_MAX = 64;
const CHECK_MS_MAX = 2_000;
const RESPONSE_BYTES_MAX = 64 * 1024;
/** The digest of no key, for probes. */
const NO_KEY = '0'.repeat(64) as KeyDigest;

// access-api may close an idle connection while a request is sent on it. Key checks are idempotent.
const RETRY_ONCE = interceptors.retry({
  maxRetries: 1,
  minTimeout: 0,
  methods: ['GET', 'POST'],
  statusCodes: [],
  errorCodes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
});

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
  const pool = new Pool(new URL(options.accessInternalUrl).origin, {
    connections: SOCKETS_MAX,
    maxResponseSize: RESPONSE_BYTES_MAX,
  });
  const dispatcher = pool.compose(RETRY_ONCE);
  const sign = createServiceTokenSigner(options.serviceTokenSecret, KEY_CHECK_PARTIES, clock);
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const send = tracedRequests('access-api', async (request) => {
    const signal = AbortSignal.timeout(CHECK_MS_MAX);
    try {
      const { statusCode, body } = await dispatcher.request({ ...request, signal });
      return { status: statusCode, text: await body.text() };
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Error(`access-api did not respond within ${CHECK_MS_MAX} ms.`, { cause: error });
    }
  });
  const ask = async (question: KeyCheckRequest): Promise<KeyCheck> => {
    const { status, text } = await send({
      method: 'POST',
      path: KEY_CHECK_PATH,
      headers: { authorization: `Bearer ${sign()}`, 'content-type': 'application/json' },
      body: encodeKeyCheckRequest(question),
    });
    if (status !== 200) throw new Error(`access-api responded ${status} to a key check.`);
    const check = decodeKeyCheck(text);
    answeredAtMs = clock.monotonicMs();
    return check;
  };
  const measured = async (question: KeyCheckRequest): Promise<KeyCheck> => {
    const startedAtMs = performance.now();
    const record = (outcome: KeyCheckOutcome): void =>
      metrics?.checked(outcome, (performance.now() - startedAtMs) / 1000);
    try {
      const check = await ask(question);
      record('principal' in check ? 'accepted' : 'rejected');
      return check;
    } catch (error) {
      record('failed');
      throw error;
    }
  };
  const circuit = createCircuit({
    name: 'access-api',
    probe: () => ask({ digest: NO_KEY }),
    onOpen: () => metrics?.circuit(true),
    onClose: () => metrics?.circuit(false),
  });
  return {
    /**
     * Rejects if access-api cannot be reached, does not respond within 2 s, or responds with
     * anything but a key check. After three such failures in a row it rejects without a request,
     * until a background probe succeeds.
     */
    check: (question: KeyCheckRequest): Promise<KeyCheck> => circuit.run(() => measured(question)),
    /** Sends a check of no key; rejects if it fails. */
    probe: async (): Promise<void> => {
      await ask({ digest: NO_KEY });
    },
    /** The time of the last response on the monotonic clock; -Infinity before the first. */
    answeredAtMs: (): number => answeredAtMs,
    /** The public keys of legacy tokens; rejects in the same cases as `check`. */
    keySet: async (): Promise<KeySet> => {
      const { status, text } = await send({ method: 'GET', path: JWKS_PATH });
      // The legacy exchange is not configured, so there are no keys.
      if (status === 404) return new Map();
      if (status !== 200) throw new Error(`access-api responded ${status} to ${JWKS_PATH}.`);
      return parseKeySet(text);
    },
    close: (): void => {
      circuit.stop();
      void pool.destroy();
    },
  };
}
