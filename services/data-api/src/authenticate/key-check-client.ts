import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import {
  createServiceTokenSigner,
  decodeKeyCheck,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  type KeyCheck,
  type KeyDigest,
} from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';

const SOCKETS_MAX = 64;
const CHECK_MS_MAX = 2_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** Asks access-api about keys. */
export interface KeyCheckClient {
  /** Rejects when access-api cannot be reached, is too slow (2 s), or answers anything odd. */
  check(digest: KeyDigest): Promise<KeyCheck>;
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
  const url = new URL(KEY_CHECK_PATH, options.accessInternalUrl);
  const pooled = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const agent = url.protocol === 'https:' ? new HttpsAgent(pooled) : new HttpAgent(pooled);
  const sign = createServiceTokenSigner(
    options.serviceTokenSecret,
    KEY_CHECK_PARTIES,
    options.clock,
  );
  const ask = async (digest: KeyDigest, signal: AbortSignal): Promise<KeyCheck> => {
    const body = JSON.stringify({ digest });
    const { status, text } = await post(url, agent, body, sign(), signal);
    if (status !== 200) throw new Error(`access-api answers ${status} to a key check.`);
    return decodeKeyCheck(text);
  };
  return {
    check: async (digest) => {
      const signal = AbortSignal.timeout(CHECK_MS_MAX);
      try {
        return await ask(digest, signal);
      } catch (error) {
        if (signal.aborted) {
          throw new Error(`access-api does not answer within ${CHECK_MS_MAX} ms.`, {
            cause: error,
          });
        }
        // A kept connection may be closed by the other end just as it is used; asking is idempotent.
        if (!(error instanceof StaleConnectionError)) throw error;
        return await ask(digest, signal);
      }
    },
    close: () => agent.destroy(),
  };
}

class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

function post(
  url: URL,
  agent: HttpAgent,
  body: string,
  token: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      method: 'POST',
      agent,
      signal,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    });
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
    if (bytes > ANSWER_BYTES_MAX) throw new Error('access-api answers more than a key check is.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
