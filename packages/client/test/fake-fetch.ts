import { type ClientOptions, createClient } from '@vcds/client';

export const KEY = 'pk_live_a-key-of-the-tests';

/** A response that a fake network gives. */
export interface Planned {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of a response: the connection fails. */
  readonly fails?: Error;
}

/** A client on a network that gives the planned responses in order, and what was sent and waited. */
export function clientOn(planned: readonly Planned[], options: Partial<ClientOptions> = {}) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const waitedMs: number[] = [];
  const client = createClient({
    apiKey: KEY,
    baseUrl: 'https://api.example/v2',
    fetch: async (url, init = {}) => {
      const next = planned[sent.length];
      sent.push({ url: String(url), init });
      if (next === undefined) throw new Error('no more responses are planned');
      if (next.fails !== undefined) throw next.fails;
      const { status = 200, body = [], headers = {} } = next;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return new Response(text, { status, headers: { 'X-Request-Id': 'request-1', ...headers } });
    },
    sleep: async (ms) => {
      waitedMs.push(ms);
    },
    ...options,
  });
  return { client, sent, waitedMs };
}

/** The body of an error of the service. */
export function errorBody(code: string, details: object = {}, beside: object = {}): object {
  return { error: { code, message: `Message of ${code}.`, ...details }, ...beside };
}
