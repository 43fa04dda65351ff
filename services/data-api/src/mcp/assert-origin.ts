import type { IncomingMessage } from 'node:http';
import { ApiError } from '@vcds/service-kit';
import { parseUrl } from '@vcds/venture-model';

/** Names that no other host can have. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rejects DNS rebinding: a page whose own host name was pointed at this service. Its requests have
 * the page's host as Origin and as Host, and that host is not the service's own. Pages of other
 * origins may call (CORS), because a call needs a key and the service uses no cookies.
 *
 * @throws ApiError `origin_not_allowed`.
 */
export function assertOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  const { origin, host } = headers;
  const from = parseUrl(origin ?? '');
  if (from === null) return;
  const isOwn = from.host === new URL(publicUrl).host || LOOPBACK.has(from.hostname);
  if (isOwn || from.host !== host?.toLowerCase()) return;
  throw new ApiError('origin_not_allowed', 'The host of this request is not one of this service.');
}
