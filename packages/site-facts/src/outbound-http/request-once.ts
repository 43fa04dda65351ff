import { errorCode } from '@vcds/service-kit/error-code';
import { Client, type Dispatcher, errors } from 'undici';
import { ACCEPT_ENCODING, collect, decode } from './body.ts';
import { createConnector, type Rules } from './connector.ts';
import { OutboundError } from './outbound-error.ts';
import type { FetchOptions, Page, ResponseHeaders } from './page.ts';
import type { Target } from './target.ts';
import { untilAborted } from './until-aborted.ts';

const BODY_BYTES_MAX = 2 * 1024 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** A chunk of one byte is sent as six. */
const WIRE_BYTES_PER_BYTE_MAX = 6;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The first value counts of headers that are given once. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(['content-type', 'location']);
/** Headers of the client itself, and those that would take a secret or a state along. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'authorization', 'connection', 'content-length', 'cookie'],
  ...['expect', 'host', 'keep-alive', 'proxy-authorization', 'referer', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'user-agent'],
]);

export interface RequestOptions extends FetchOptions {
  readonly userAgent: string;
  readonly rules: Rules;
  readonly connectMs: number;
  readonly signal: AbortSignal;
}

/** A response, or the value of its header Location if that is to be followed. */
export type Response = Omit<Page, 'redirects'> | { readonly redirectTo: string };

/**
 * One request over a connection of its own, which is closed when this settles.
 *
 * @throws OutboundError; the reason of `signal`; what `checkHead` throws.
 */
export async function requestOnce(target: Target, options: RequestOptions): Promise<Response> {
  const { rules, signal, connectMs, bytesMax = BODY_BYTES_MAX } = options;
  const wireBytesMax = WIRE_BYTES_PER_BYTE_MAX * bytesMax + 4 * HEADER_BYTES_MAX;
  const client = new Client(target.url.origin, {
    connect: createConnector({ rules, target, signal, connectMs, wireBytesMax }),
    pipelining: 0,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    // The signal limits both, together with everything else.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    return await untilAborted(exchange(client, target, { ...options, bytesMax }), signal);
  } finally {
    await client.destroy();
  }
}

async function exchange(
  client: Client,
  target: Target,
  options: RequestOptions & { readonly bytesMax: number },
): Promise<Response> {
  const { post, bytesMax, checkHead } = options;
  const response = await sent(client, target, options);
  const headers = headersOf(response);
  const { location } = headers;
  if (post === undefined && location !== undefined && isRedirect(response)) {
    // Header values are bytes; those above 127 are UTF-8 in practice.
    return { redirectTo: Buffer.from(location, 'latin1').toString() };
  }
  const head = { finalUrl: target.url.href, status: response.statusCode, headers };
  checkHead?.(head);
  const { 'content-encoding': codings, 'content-length': length } = headers;
  const body = await collect(response.body, bytesMax, Number(length ?? 0)).catch((error) => {
    throw error instanceof OutboundError
      ? error
      : new OutboundError('bad_response', 'The response is not complete.', { cause: error });
  });
  return { ...head, body: await decode(body, codings, bytesMax) };
}

async function sent(
  client: Client,
  { url }: Target,
  { userAgent, accept = '*/*', headers = {}, post, signal }: RequestOptions,
): Promise<Dispatcher.ResponseData> {
  const own = Object.keys(headers).find((name) => OWN_HEADERS.has(name.toLowerCase()));
  if (own !== undefined) throw new TypeError(`The header ${own} cannot be set.`);
  try {
    return await client.request({
      method: post === undefined ? 'GET' : 'POST',
      path: url.pathname + url.search,
      headers: { ...headers, accept, 'accept-encoding': ACCEPT_ENCODING, 'user-agent': userAgent },
      body: post ?? null,
      signal,
    });
  } catch (error) {
    throw error instanceof OutboundError ? error : withoutResponse(error);
  }
}

function withoutResponse(error: unknown): OutboundError {
  const code = String(errorCode(error) ?? '');
  const isInvalid =
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError;
  if (isInvalid) {
    return new OutboundError('bad_response', 'The response is not valid HTTP.', { cause: error });
  }
  const detail = code === '' ? '' : ` (${code})`;
  return new OutboundError('unreachable', `The site is not reachable${detail}.`, { cause: error });
}

function isRedirect({ statusCode }: Dispatcher.ResponseData): boolean {
  return REDIRECT_STATUSES.has(statusCode);
}

function headersOf({ headers }: Dispatcher.ResponseData): ResponseHeaders {
  const flat: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'set-cookie') continue;
    const values = [value ?? ''].flat();
    flat[name] = SINGLE_HEADERS.has(name) ? (values[0] ?? '') : values.join(', ');
  }
  return flat;
}
