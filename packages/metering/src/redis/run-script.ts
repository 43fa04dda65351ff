import { setTimeout as delay } from 'node:timers/promises';
import { isScriptError, type RedisClient, type Script } from './define-script.ts';

/** By then the client has detected a connection that just broke. */
const PAUSE_MS = 10;
/** The retry waits this long for a lost connection to be restored. */
const RECONNECT_MS_MAX = 250;

/** Redis did not reply, or cannot serve: down, failing over, loading, out of memory. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
  /** Whether a command was sent and got no reply: Redis may have executed it, or may do so yet. */
  readonly isUncertain: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isUncertain: boolean }) {
    super(message, options);
    this.isUncertain = options.isUncertain;
  }
}

/** A script's reply: its status word and the numbers after it. */
export interface Reply {
  readonly status: string;
  readonly values: readonly number[];
  /** Whether this is the reply to a retry: the first attempt got none, and may have been executed. */
  readonly isOfRetry: boolean;
}

/**
 * Runs a script, and again if it got no reply: every ledger script may be repeated.
 *
 * @throws RedisUnavailable when neither got a reply. An error of the script is thrown as it is,
 *   without a retry.
 */
export async function runScript(
  client: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<Reply> {
  let isOfRetry = false;
  const reply = await withRetry(client, (isUncertain) => {
    isOfRetry = isUncertain;
    return script(client, keys, args);
  });
  return decode(reply, isOfRetry);
}

/**
 * Sends a command that may be repeated, and again if it got no reply. `send` receives whether an
 * earlier attempt was sent and got no reply.
 *
 * @throws RedisUnavailable when neither got a reply.
 */
export async function withRetry<T>(
  client: RedisClient,
  send: (isUncertain: boolean) => Promise<T>,
): Promise<T> {
  let isUncertain: boolean;
  try {
    return await send(false);
  } catch (error) {
    if (isScriptError(error)) throw error;
    isUncertain = isUnanswered(error);
    if (isCircuitOpen(error)) throw unavailable(error, isUncertain);
  }
  await readyAgain(client);
  try {
    return await send(isUncertain);
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

/** Errors of commands that Redis answered, or that the client did not send. */
const EXECUTED_NOTHING: ReadonlySet<string> = new Set([
  'ReplyError',
  'CircuitOpenError',
  'NotConnectedError',
]);

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && !EXECUTED_NOTHING.has(error.name);
}

// A client with a circuit breaker rejects a command unsent; it is not retried.
function isCircuitOpen(error: unknown): boolean {
  return error instanceof Error && error.name === 'CircuitOpenError';
}

// All calls that lost one connection wait for one promise.
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

function decode(reply: unknown, isOfRetry: boolean): Reply {
  if (!Array.isArray(reply) || typeof reply[0] !== 'string') {
    throw new Error('A ledger script returned an unexpected reply.');
  }
  const [status, ...values] = reply;
  return { status, values: values.map(Number), isOfRetry };
}
