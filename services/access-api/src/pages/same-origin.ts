import type { Request } from 'express';

/**
 * Whether a form was sent from one of our own pages, as far as the browser says: by
 * Sec-Fetch-Site, which no page can forge, and by Origin. What says neither is no browser that
 * could be tricked; the form's token is asked for in any case.
 *
 * @param publicUrl how the public reaches this service: what Origin reads behind a proxy.
 */
export function isFromHere(request: Request, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  // Some browsers hide their origin when told to; then only Sec-Fetch-Site can vouch for them.
  if (origin === 'null') return site === 'same-origin';
  if (origin === undefined) return true;
  return [new URL(publicUrl).origin, `${request.protocol}://${request.host}`].includes(origin);
}
