import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { type Html, html } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1f26; --paper: #ffffff; --line: #767d8c;
  --accent: #1f4fbf; --on-accent: #ffffff; --soft: #f2f4f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaf0; --paper: #15171c; --line: #7c8496;
  --accent: #8fb0ff; --on-accent: #10131a; --soft: #20242d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 .5rem; }
p, dl { margin: 0 0 1rem; }
.service { font-size: .9375rem; margin: 0 0 2rem; padding: 0 0 .75rem;
  border-bottom: 1px solid var(--line); }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; border: 2px solid var(--accent);
  border-radius: .5rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button:focus-visible, .secret:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
code, pre { font: .9375rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.secret, pre { display: block; margin: 0 0 1rem; padding: .875rem 1rem; background: var(--soft);
  border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere;
  white-space: pre-wrap; }
.secret { user-select: all; font-size: 1.0625rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** No scripts, no pictures, nothing from elsewhere, forms only to this host, in nobody's frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What a page shows. */
export interface Page {
  readonly status: number;
  /** The heading, and the first part of the title. */
  readonly title: string;
  readonly body: Html;
}

/** Answers a page for people. It is never kept, and tells no other site where it was. */
export function sendPage(response: Response, { status, title, body }: Page): void {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title} · Venture Capital Data Service</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main>
<p class="service">Venture Capital Data Service</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  const bytes = Buffer.from(markup, 'utf8');
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
}
