import type { SiteSettings } from './load-site.ts';

/**
 * The Content-Security-Policy of the documentation: its own scripts and styles, none of them in the
 * text of a page, and calls of both APIs and the sandbox, which a reader can try.
 */
export function contentSecurityPolicy({
  dataPublicUrl,
  accessPublicUrl,
  sandboxPublicUrl,
}: SiteSettings): string {
  const urls = [accessPublicUrl, dataPublicUrl, ...(sandboxPublicUrl ? [sandboxPublicUrl] : [])];
  const origins = urls.map((url) => new URL(url).origin);
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
