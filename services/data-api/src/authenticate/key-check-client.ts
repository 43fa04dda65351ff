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
  type KeySet,
  parseKeySet,
} from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';

const SOCKETS_MAX = 64;
const CHECK_MS_MAX = 2_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** Asks access-api about keys. */
export interface KeyCheckClient {
  /** Rejects when access-api cannot be reached, is too slow (2 s), or answers anything odd. */
  check(question: KeyCheckRequest): Promise<KeyCheck>;
  /** The keys that tokens of the older exchange are signed with; rejects likewise. */
  keySet(): Promise<KeySet>;
  close(): void;
}

export interface KeyCheckClientOptions {
  /** Root of access-api's internal listener. */
  readonly accessInternalUrl: string;
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
}

/** A client that keeps its connections, and signs each call with a short-lived service token. */
export function createKeyCheckClient(options: KeyCheckClientOptions): KeyCheckClient {
  const root = new URL(options.accessInternalUrl);
  const pooled = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const agent = root.protocol === 'https:' ? new HttpsAgent(pooled) : new HttpAgent(pooled);
  const sign = createServiceTokenSigner(
    options.serviceTokenSecret,
    KEY_CHECK_PARTIES,
    options.clock,
  );
  return {
    check: async (question) => {
      const url = new URL(KEY_CHECK_PATH, root);
      const body = encodeKeyCheckRequest(question);
      const { status, text } = await inTime((signal) =>
        call(url, { method: 'POST', agent, signal, headers: headersOf(sign(), body) }, body),
      );
      if (status !== 200) throw new Error(`access-api answers ${status} to a key check.`);
      return decodeKeyCheck(text);
    },
    keySet: async () => {
      const url = new URL(JWKS_PATH, root);
      const { status, text } = await inTime((signal) => call(url, { agent, signal }));
      // No exchange there, so no keys.
      if (status === 404) return new Map();
      if (status !== 200) throw new Error(`access-api answers ${status} when asked for its keys.`);
      return parseKeySet(text);
    },
    close: () => agent.destroy(),
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
