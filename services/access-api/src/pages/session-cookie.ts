import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { SESSION_SECONDS } from '../accounts/session.ts';

/** The token in the session cookie; undefined unless there is exactly one such cookie. */
export function readSessionCookie(
  { headers: { cookie = '' } }: Request,
  isSecure: boolean,
): string | undefined {
  return readCookie(cookie, cookieName(isSecure));
}

function readCookie(cookie: string, name: string): string | undefined {
  // A second cookie of the name was planted by another host. Cookies of others may be long, and are
  // skipped.
  const [before = '', found, ...others] = cookie.split(`${name}=`);
  const isFirst = before.trimEnd() === '' || before.trimEnd().endsWith(';');
  if (found === undefined || others.length > 0 || !isFirst) return undefined;
  return parseCookie(`${name}=${found.split(';', 1)[0]}`)[name];
}

/** Sets the session cookie, which no script can read; without a token, deletes it. */
export function writeSessionCookie(
  response: Response,
  token: string | undefined,
  isSecure: boolean,
): void {
  writeCookie(response, cookieName(isSecure), token, SESSION_SECONDS, isSecure);
}

function writeCookie(
  response: Response,
  name: string,
  value: string | undefined,
  seconds: number,
  isSecure: boolean,
): void {
  const cookie = stringifySetCookie({
    name,
    value: value ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: value === undefined ? 0 : seconds,
  });
  response.appendHeader('Set-Cookie', cookie);
}

/** Half an hour, as a request of an assistant. */
const CONTINUATION_SECONDS = 1_800;
const CONTINUATION = /^\/account\/connect\?request=[\w-]{1,3500}$/;

/** Where a person goes on after signing in: a page that asks about an assistant, and no other address. */
export function readContinuation(
  { headers: { cookie = '' } }: Request,
  isSecure: boolean,
): string | undefined {
  const path = readCookie(cookie, continuationName(isSecure));
  return path !== undefined && CONTINUATION.test(path) ? path : undefined;
}

/** Sets where, or ends it. An address that is too long for a cookie is not kept. */
export function writeContinuation(
  response: Response,
  path: string | undefined,
  isSecure: boolean,
): void {
  if (path !== undefined && !CONTINUATION.test(path)) return;
  writeCookie(response, continuationName(isSecure), path, CONTINUATION_SECONDS, isSecure);
}

function continuationName(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}vcds-continue`;
}

// Browsers accept a cookie with this prefix only over HTTPS and from this host itself, so that no
// neighbouring host can plant one.
function cookieName(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}vcds-session`;
}
