import type { Request } from 'express';

/**
 * Whether one of our own pages sent a form: the protection against cross-site request forgery.
 * `Sec-Fetch-Site`, which no page can set, must be `same-origin`. Browsers without it, and all
 * browsers over plain HTTP, send `Origin`, which must then be that of the public URL.
 *
 * @param publicUrl the root under which browsers reach this service, also behind a proxy.
 */
export function isSameOrigin({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}
