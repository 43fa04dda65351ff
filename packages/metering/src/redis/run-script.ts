import { setTimeout as delay } from 'node:timers/promises';
import { isScriptError, type RedisClient, type Script } from './define-script.ts';

/** A connection that just broke is noticed by then. */
const PAUSE_MS = 10;
/** How long a second attempt waits for a lost connection to come back. */
const RECONNECT_MS_MAX = 250;

/** Redis did not answer, or cannot serve: down, failing over, loading, out of memory. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
  /** Whether something was sent and not answered, so that it may have been carried out, or will. */
  readonly isUncertain: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isUncertain: boolean }) {
    super(message, options);
    this.isUncertain = options.isUncertain;
  }
}

/** The status word of a script's reply, and what follows it. */
export interface Reply {
  readonly status: string;
  readonly values: readonly number[];
}

/**
 * Runs a script, a second time if the first went unanswered: every ledger script may be repeated.
 *
 * @throws RedisUnavailable when neither was answered. A fault of the script itself is thrown as
 *   it is: repeating it would not help.
 */
export async function runScript(
  client: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<Reply> {
  return decode(await withRetry(client, () => script(client, keys, args)));
}

/**
 * Sends something that may be repeated, a second time if the first went unanswered.
 *
 * @throws RedisUnavailable when neither was answered.
 */
export async function withRetry<T>(client: RedisClient, send: () => Promise<T>): Promise<T> {
  let isUncertain: boolean;
  try {
    return await send();
  } catch (error) {
    if (isScriptError(error)) throw error;
    isUncertain = isUnanswered(error);
    if (isCircuitOpen(error)) throw unavailable(error, isUncertain);
  }
  await readyAgain(client);
  try {
    return await send();
  } catch (error) {
    if (isScriptError(error)) throw error;
    isUncertain ||= isUnanswered(error);
    throw unavailable(error, isUncertain);
  }
}

function unavailable(cause: unknown, isUncertain: boolean): RedisUnavailable {
  const isAnswer = cause instanceof Error && cause.name === 'ReplyError';
  const message = isAnswer ? `Redis answers ${cause.message}` : 'Redis does not answer.';
  return new RedisUnavailable(message, { cause, isUncertain });
}

// Neither rejected by the client before it was sent, nor by the server.
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === 'ReplyError') return false;
  if (isCircuitOpen(error)) return false;
  return !/enableOfflineQueue options is false/.test(error.message);
}

// A client with a circuit breaker rejects a command unsent; it is not retried.
function isCircuitOpen(error: unknown): boolean {
  return error instanceof Error && error.name === 'CircuitOpenError';
}

// Everyone who lost the same connection waits on the same promise.
const waiting = new WeakMap<RedisClient, Promise<void>>();

async function readyAgain(client: RedisClient): Promise<void> {
  let wait = waiting.get(client);
  if (wait === undefined) {
    wait = readyWithin(client, RECONNECT_MS_MAX).finally(() => waiting.delete(client));
    waiting.set(client, wait);
  }
  await wait;
}

async function readyWithin(client: RedisClient, timeoutMs: number): Promise<void> {
  await delay(PAUSE_MS);
  if (client.status === 'ready') return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      client.off('ready', done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    client.on('ready', done);
  });
}

function decode(reply: unknown): Reply {
  if (!Array.isArray(reply) || typeof reply[0] !== 'string') {
    throw new Error('A ledger script answered something unreadable.');
  }
  const [status, ...values] = reply;
  return { status, values: values.map(Number) };
}
