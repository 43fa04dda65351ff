import type { IncomingMessage } from 'node:http';
import { ApiError, bounded } from './errors.ts';

/** Maximum number of headers of a request (docs/spec/limits.md 12.3). */
export const HEADERS_MAX = 100;

const LIST_BYTES_MAX = 1024;
const VALUE_BYTES_MAX = 4 * 1024;
/** Longer ones: a token of another issuer, addresses to which each proxy appends. */
const LONG_BYTES_MAX = 16 * 1024;

/**
 * The headers that a service reads, with the bytes of all lines of each. A header that it begins to read
 * gets a row here. Others have no bound but that of all together, because nothing reads them: proxies add
 * identities, certificates and baggage. Of `Cookie` one cookie is read, and the rest is skipped.
 */
export const READ_HEADERS: ReadonlyMap<string, number> = new Map<string, number>([
  ...rows(LIST_BYTES_MAX, 'accept accept-encoding'),
  ...rows(LONG_BYTES_MAX, 'authorization x-forwarded-for'),
  ...rows(VALUE_BYTES_MAX, 'host connection transfer-encoding content-length expect upgrade'),
  ...rows(VALUE_BYTES_MAX, 'content-type content-encoding range if-range if-none-match if-match'),
  ...rows(VALUE_BYTES_MAX, 'if-modified-since if-unmodified-since cache-control'),
  ...rows(
    VALUE_BYTES_MAX,
    'x-api-key x-request-id x-credits-max idempotency-key x-forwarded-proto x-forwarded-host',
  ),
  ...rows(VALUE_BYTES_MAX, 'origin user-agent sec-fetch-site access-control-request-method'),
  ...rows(VALUE_BYTES_MAX, 'traceparent tracestate mcp-protocol-version odata-maxversion prefer'),
  ...rows(VALUE_BYTES_MAX, 'x-sandbox-error x-sandbox-step'),
]);

function rows(bytesMax: number, names: string): [string, number][] {
  return names.split(' ').map((name) => [name, bytesMax]);
}

/**
 * Checks number and sizes of the headers before any is parsed, and that there is one Host.
 * `headersDistinct` would group all headers.
 *
 * @throws ApiError `headers_too_large`; `bad_request` (RFC 9112 §3.2).
 */
export function assertHeaders({ rawHeaders, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > 2 * HEADERS_MAX) {
    throw new ApiError('headers_too_large', `A request may have ${HEADERS_MAX} headers.`);
  }
  let hosts = 0;
  let bytes = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] ?? '').toLowerCase() === 'host') hosts += 1;
    bytes += (rawHeaders[i + 1] ?? '').length;
  }
  if (bytes > LIST_BYTES_MAX) assertLengths(rawHeaders);
  if (hosts === 0 && httpVersion !== '1.0') {
    throw new ApiError('bad_request', 'An HTTP/1.1 request must have a Host header.');
  }
  if (hosts > 1) {
    throw new ApiError('bad_request', 'A request must not have more than one Host header.');
  }
}

// Node joins the lines of a header, so that their sum counts.
function assertLengths(rawHeaders: readonly string[]): void {
  const left = new Map<string, number>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const max = READ_HEADERS.get(name);
    if (max === undefined) continue;
    const rest = (left.get(name) ?? max) - (rawHeaders[i + 1] ?? '').length;
    if (rest < 0) {
      const header = bounded(name, 60);
      throw new ApiError('headers_too_large', `Header ${header} may have at most ${max} bytes.`);
    }
    left.set(name, rest);
  }
}

/**
 * Cuts X-Forwarded-For to its end, which the nearest proxies wrote: the address of the client is read
 * before {@link assertHeaders} rejects the header.
 */
export function cutForwarded({ headers }: IncomingMessage): void {
  const sent = headers['x-forwarded-for'];
  if (typeof sent !== 'string' || sent.length <= LONG_BYTES_MAX) return;
  headers['x-forwarded-for'] = sent.slice(-LONG_BYTES_MAX).replace(/^[^,]*,/, '');
}
