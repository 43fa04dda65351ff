import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';

const SLASH = 0x2f;
/** The target of `OPTIONS *`. */
const ASTERISK = '*';
/** Replaces an invalid target; itself invalid. */
const INVALID = '*invalid';
// Scheme and authority. The authority is bounded, because decoding an internationalized name takes
// time that grows with the square of its length.
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]{1,512}(?![^/?#])/i;

/**
 * Replaces the target of a request that is an absolute URL (RFC 9112 §3.2.2) by its path and query,
 * as sent. Express runs no handler for a target that it cannot parse, so an invalid one is replaced
 * by a target that {@link assertTarget} rejects.
 */
export function readAbsoluteTarget(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.charCodeAt(0) === SLASH || url === ASTERISK) return;
  const [origin] = ORIGIN.exec(url) ?? [];
  if (origin === undefined || !isOrigin(origin)) {
    request.url = INVALID;
    return;
  }
  const path = url.slice(origin.length);
  request.url = path.charCodeAt(0) === SLASH ? path : `/${path}`;
}

/** @throws ApiError `bad_request` for a target that is neither a path nor `*`. */
export function assertTarget(target: string): void {
  if (target.charCodeAt(0) === SLASH || target === ASTERISK) return;
  const message = 'The target of the request must be a path, or an absolute URL with a valid host.';
  throw new ApiError('bad_request', message);
}

function isOrigin(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}
