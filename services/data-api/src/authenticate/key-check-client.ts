import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
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
import { type Clock, createCircuit } from '@vcds/service-kit';
import type { KeyCheckOutcome, KeyMetrics } from './key-metrics.ts';

const SOCKETS_MAX = 64;
const CHECK_MS_MAX = 2_000;
const ANSWER_BYTES_MAX = 64 * 1024;
// The digest of no key: asked about where only the answer matters.
const NO_KEY = '0'.repeat(64) as KeyDigest;

/** Asks access-api about keys. */
export interface KeyCheckClient {
  /**
   * Rejects when access-api cannot be reached, is too slow (2 s), or answers anything odd; at once,
   * without asking, after three such failures in a row until a probe in the background succeeds.
   */
  check(question: KeyCheckRequest): Promise<KeyCheck>;
  /** Asks about no key in particular; rejects when that is not answered. */
  probe(): Promise<void>;
  /** When the last answer arrived, by the monotonic clock; -Infinity before the first. */
  answeredAtMs(): number;
  /** The keys that tokens of the older exchange are signed with; rejects likewise. */
  keySet(): Promise<KeySet>;
  close(): void;
}

export interface KeyCheckClientOptions {
  /** Root of access-api's internal listener. */
  readonly accessInternalUrl: string;
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
  readonly metrics?: KeyMetrics | undefined;
}

/** A client that keeps its connections, and signs each call with a short-lived service token. */
export function createKeyCheckClient(options: KeyCheckClientOptions): KeyCheckClient {
  const { metrics } = options;
  const root = new URL(options.accessInternalUrl);
  const pooled = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const agent = root.protocol === 'https:' ? new HttpsAgent(pooled) : new HttpAgent(pooled);
  const sign = createServiceTokenSigner(
    options.serviceTokenSecret,
    KEY_CHECK_PARTIES,
    options.clock,
  );
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const ask = async (question: KeyCheckRequest): Promise<KeyCheck> => {
    const url = new URL(KEY_CHECK_PATH, root);
    const body = encodeKeyCheckRequest(question);
    const { status, text } = await inTime((signal) =>
      call(url, { method: 'POST', agent, signal, headers: headersOf(sign(), body) }, body),
    );
    if (status !== 200) throw new Error(`access-api answers ${status} to a key check.`);
    const check = decodeKeyCheck(text);
    answeredAtMs = options.clock.monotonicMs();
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
    check: (question) => circuit.run(() => measured(question)),
    probe: async () => {
      await ask({ digest: NO_KEY });
    },
    answeredAtMs: () => answeredAtMs,
    keySet: async () => {
      const url = new URL(JWKS_PATH, root);
      const { status, text } = await inTime((signal) => call(url, { agent, signal }));
      // No exchange there, so no keys.
      if (status === 404) return new Map();
      if (status !== 200) throw new Error(`access-api answers ${status} when asked for its keys.`);
      return parseKeySet(text);
    },
    close: () => {
      circuit.stop();
      agent.destroy();
    },
  };
}

// A kept connection may be closed by the other end just as it is used; asking is idempotent.
async function inTime(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const signal = AbortSignal.timeout(CHECK_MS_MAX);
  try {
    return await ask(signal).catch((error: unknown) => {
      if (error instanceof StaleConnectionError && !signal.aborted) return ask(signal);
      throw error;
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`access-api does not answer within ${CHECK_MS_MAX} ms.`, { cause: error });
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

function headersOf(token: string, body: string): OutgoingHttpHeaders {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
}

function call(url: URL, options: RequestOptions, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    request.on('response', (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === 'ECONNRESET';
      reject(isStale ? new StaleConnectionError(error.message, { cause: error }) : error);
    });
    request.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('access-api answers more than it should.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
