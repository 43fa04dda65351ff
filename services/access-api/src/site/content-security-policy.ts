import { createHash } from 'node:crypto';

/**
 * The Content-Security-Policy of a page of the documentation: its own scripts, including those in
 * its text by their hashes, and requests to this host and the data API, for the calls that a reader
 * tries.
 *
 * @param dataPublicUrl the public URL of the data API.
 */
export function contentSecurityPolicy(page: string, dataPublicUrl: string): string {
  const hashes = inlineScripts(page).map(hashSource);
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(hashes)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(dataPublicUrl).origin}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashSource(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** The text of the scripts of a page that have no `src`. */
function inlineScripts(page: string): string[] {
  const scripts: string[] = [];
  for (let at = page.indexOf('<script'); at >= 0; at = page.indexOf('<script', at)) {
    const start = page.indexOf('>', at) + 1;
    const end = page.indexOf('</script>', start);
    if (start === 0 || end < 0) break;
    if (!page.slice(at, start).includes(' src=')) scripts.push(page.slice(start, end));
    at = end;
  }
  return scripts;
}
