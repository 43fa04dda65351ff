import type { Response } from 'express';

/**
 * Headers of every response, also of errors: no type but the declared one, in no frame, with nothing
 * loaded or run, and no referrer (OWASP REST Security Cheat Sheet). Pages have a policy of their own.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * Further headers of pages (OWASP Secure Headers Project): no page of another origin has a reference to
 * the window or embeds the page, and no script may use the devices of the user.
 */
export const PAGE_SECURITY_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'browsing-topics=(), camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'X-Permitted-Cross-Domain-Policies': 'none',
} as const;

/** Sets headers, replacing those of the same name. */
export function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
