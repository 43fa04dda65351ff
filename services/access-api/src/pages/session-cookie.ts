import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { SESSION_SECONDS } from '../accounts/session.ts';

/** The token in the session cookie; undefined unless there is exactly one such cookie. */
export function readSessionCookie(
  { headers: { cookie = '' } }: Request,
  isSecure: boolean,
): string | undefined {
  const name = cookieName(isSecure);
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
  const cookie = stringifySetCookie({
    name: cookieName(isSecure),
    value: token ?? '',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: token === undefined ? 0 : SESSION_SECONDS,
  });
  response.appendHeader('Set-Cookie', cookie);
}

// Browsers accept a cookie with this prefix only over HTTPS and from this host itself, so that no
// neighbouring host can plant one.
function cookieName(isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}vcds-session`;
}
