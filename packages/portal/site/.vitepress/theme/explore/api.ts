/** Calls of the data API with the reader's key, each answer kept so that it is paid for once. */
import { type Call, urlOf } from './calls.ts';

export const ROOT = 'https://api.vcds.example/v2';
/** The host of the sandbox, which needs no key; empty where a deployment has none. */
export const SANDBOX = 'https://sandbox.vcds.example'.trim();
/** Where calls of a key go: without one, to the sandbox. */
export const rootOf = (key: string): string =>
  key === '' && SANDBOX !== '' ? `${SANDBOX}/v2` : ROOT;
const AGE_MS_MAX = 10 * 60_000;
const ANSWERS_MAX = 200;

export interface Answer {
  readonly body: unknown;
  readonly charged: number;
  /** Undefined if the response does not say it. */
  readonly remaining: number | undefined;
}

interface ErrorBody {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly suggestion?: string;
  };
}

/** An error of the API, or of the way to it. */
export class CallError extends Error {
  readonly code: string;
  readonly suggestion: string | undefined;
  /** Undefined if the response does not say it. */
  readonly waitSeconds: number | undefined;

  constructor(code: string, message: string, suggestion?: string, waitSeconds?: number) {
    super(message);
    this.code = code;
    this.suggestion = suggestion;
    this.waitSeconds = waitSeconds;
  }
}

export type Answers = ReturnType<typeof createAnswers>;

/** The answers of one key. */
export function createAnswers(key: string, fetcher: typeof fetch = fetch, now = Date.now) {
  const known = new Map<string, { readonly at: number; readonly answer: Answer }>();
  const find = (call: Call): Answer | undefined => {
    const found = known.get(urlOf(call));
    return found !== undefined && now() - found.at < AGE_MS_MAX ? found.answer : undefined;
  };
  return {
    find,
    /** The greatest price of the calls without an answer that is kept. */
    priceOf: (calls: readonly Call[]): number =>
      calls.reduce((sum, call) => sum + (find(call) === undefined ? call.price : 0), 0),
    /**
     * The answer that is kept, or that of a call. It never costs more than the call's price.
     *
     * @throws CallError; the reason of the signal.
     */
    get: async (call: Call, signal?: AbortSignal): Promise<Answer> => {
      const found = find(call);
      if (found !== undefined) return { ...found, charged: 0 };
      const answer = await send(call, { key, fetcher, signal });
      known.delete(urlOf(call));
      known.set(urlOf(call), { at: now(), answer });
      for (const oldest of [...known.keys()].slice(0, known.size - ANSWERS_MAX))
        known.delete(oldest);
      return answer;
    },
  };
}

interface Sending {
  readonly key: string;
  readonly fetcher: typeof fetch;
  readonly signal: AbortSignal | undefined;
  /** With a body it is a POST. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/**
 * The answer of a call, for at most its price.
 *
 * @throws CallError; the reason of the signal.
 */
export async function send(call: Call, sending: Sending): Promise<Answer> {
  const { key, fetcher, signal, body: sentBody, idempotencyKey } = sending;
  const response = await sent(() =>
    fetcher(`${rootOf(key)}${urlOf(call)}`, {
      headers: {
        ...(key && { 'X-Api-Key': key }),
        'X-Credits-Max': String(call.price),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        ...(sentBody !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(sentBody !== undefined && { method: 'POST', body: JSON.stringify(sentBody) }),
      signal: signal ?? null,
    }),
  );
  const isCsv = response.headers.get('Content-Type')?.startsWith('text/csv') === true;
  const body = await sent(() => (isCsv ? response.text() : response.json()));
  const remaining = response.headers.get('X-RateLimit-Remaining');
  if (response.ok) {
    return {
      body,
      charged: Number(response.headers.get('X-Credits-Charged') ?? 0),
      remaining: remaining === null ? undefined : Number(remaining),
    };
  }
  const {
    code = 'internal_error',
    message = 'The call failed.',
    suggestion,
  } = (body as ErrorBody | null)?.error ?? {};
  const wait = response.headers.get('Retry-After');
  throw new CallError(code, message, suggestion, wait === null ? undefined : Number(wait));
}

async function sent<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new CallError('unreachable', 'The data API cannot be reached. Try again in a minute.');
  }
}
