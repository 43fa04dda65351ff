import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';

const SECRET_BYTES = 32;
const SECRET_SHAPE = /^[\w-]{43}$/;

/** `session`: who is signed in. `form`: what forms of somebody not signed in are tied to. */
export type CookieKind = 'session' | 'form';

/**
 * The secret in a cookie, if there is exactly one of the name and it has the form of one. Two of a
 * name mean that another site has planted one: neither is believed.
 */
export function readCookie(
  request: Request,
  kind: CookieKind,
  isSecure: boolean,
): string | undefined {
  const name = cookieName(kind, isSecure);
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  const [value = ''] = found.map((pair) => pair.slice(name.length + 1));
  return found.length === 1 && SECRET_SHAPE.test(value) ? value : undefined;
}

/** Gives the browser a secret no script can read; undefined takes it away. */
export function writeCookie(
  response: Response,
  kind: CookieKind,
  value: string | undefined,
  { isSecure, maxAgeSeconds }: { readonly isSecure: boolean; readonly maxAgeSeconds?: number },
): void {
  const life = value === undefined ? 0 : maxAgeSeconds;
  const parts = [
    `${cookieName(kind, isSecure)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(life === undefined ? [] : [`Max-Age=${life}`]),
    ...(isSecure ? ['Secure'] : []),
  ];
  response.appendHeader('Set-Cookie', parts.join('; '));
}

export function newCookieSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

// With the prefix browsers take the cookie only over HTTPS and from this very host, so that no
// neighbouring host can plant one.
function cookieName(kind: CookieKind, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}vcds-${kind}`;
}
