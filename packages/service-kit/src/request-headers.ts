import type { IncomingMessage } from 'node:http';
import { ApiError, bounded } from './errors.ts';

/** Maximum number of headers of a request (docs/spec/limits.md 12.3). */
export const HEADERS_MAX = 100;
const VALUE_BYTES_MAX = 4 * 1024;
/** Longer ones: browsers send all cookies of a site, proxies append to the forwarded addresses. */
const LONG_BYTES_MAX = 16 * 1024;
const LONG: ReadonlySet<string> = new Set(['cookie', 'authorization', 'x-forwarded-for']);
/** Lists that are parsed for each request. */
const LIST_BYTES_MAX = 1024;
const LISTS = /^accept(?:-|$)/;

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
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (name === 'host') hosts += 1;
    const { length } = rawHeaders[i + 1] ?? '';
    if (length > LIST_BYTES_MAX) assertLength(name, length);
  }
  if (hosts === 0 && httpVersion !== '1.0') {
    throw new ApiError('bad_request', 'An HTTP/1.1 request must have a Host header.');
  }
  if (hosts > 1) {
    throw new ApiError('bad_request', 'A request must not have more than one Host header.');
  }
}

function assertLength(name: string, length: number): void {
  const max = LISTS.test(name) ? LIST_BYTES_MAX : LONG.has(name) ? LONG_BYTES_MAX : VALUE_BYTES_MAX;
  if (length <= max) return;
  const header = bounded(name, 60);
  throw new ApiError('headers_too_large', `Header ${header} may have at most ${max} bytes.`);
}
