import type { PublicUrls } from '../keys/endpoints.ts';

/**
 * The Content-Security-Policy of the documentation: its own scripts and styles, none of them in the
 * text of a page, and calls of both APIs, which a reader can try.
 */
export function contentSecurityPolicy({ dataPublicUrl, accessPublicUrl }: PublicUrls): string {
  const origins = [accessPublicUrl, dataPublicUrl].map((url) => new URL(url).origin);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${origins.join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
