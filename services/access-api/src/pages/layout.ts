import type { ApiError } from '@vcds/service-kit';
import type { Response } from 'express';
import { ACCOUNT_PATH } from '../keys/endpoints.ts';
import { COPY_SCRIPT, iconRoute, MARK, STYLESHEET } from './assets.ts';
import { type Html, html } from './html.ts';

/** The pages of the navigation. */
export const PLACES = Object.freeze({
  account: ACCOUNT_PATH,
  usage: '/account/usage',
  credits: '/account/credits',
});
type Place = keyof typeof PLACES;
const PLACE_TITLES: Readonly<Record<Place, string>> = Object.freeze({
  account: 'Account',
  usage: 'Usage',
  credits: 'Credits',
});

/** Style and script by their hashes, the icon; nothing from other hosts, no frames. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${STYLESHEET.source}`,
  `script-src ${COPY_SCRIPT.source}`,
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
/** Only to this origin. With `no-referrer` browsers would send forms with `Origin: null`. */
const REFERRER_POLICY = 'same-origin';

/** The content of a page. */
export interface Page {
  /** Default 200. */
  readonly status?: number;
  /** The heading, and the first part of the title. */
  readonly title: string;
  readonly body: Html;
  /** Whether it has texts with a copy button. */
  readonly copies?: boolean;
  /** Where its form may lead beside this origin: an origin, or the scheme of a program. */
  readonly formTarget?: string;
  /** Its entry of the navigation, if it has one. */
  readonly place?: Place;
  /** Seconds to wait before trying again; sent as Retry-After. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Sends a page. It is never cached, and its URL is not disclosed to other sites.
 *
 * @param isSignedIn whether the page has the navigation of an account.
 * @param footer see `footerOf`.
 */
export function sendPage(
  response: Response,
  page: Page,
  { isSignedIn = false, footer }: { readonly isSignedIn?: boolean; readonly footer?: Html } = {},
): void {
  const { status = 200, retryAfterSeconds } = page;
  const bytes = Buffer.from(documentOf(page, isSignedIn, footer).markup, 'utf8');
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  const formAction = ['form-action', "'self'", page.formTarget].filter(Boolean).join(' ');
  const policy = [...CONTENT_SECURITY_POLICY, formAction].join('; ');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Referrer-Policy', REFERRER_POLICY);
  response.setHeader('Cache-Control', 'no-store');
  if (retryAfterSeconds !== undefined) {
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  }
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(bytes);
}

function documentOf(
  { title, body, place, copies }: Page,
  isSignedIn: boolean,
  footer: Html | undefined,
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="${REFERRER_POLICY}">
<link rel="icon" type="image/svg+xml" href="${iconRoute.path}">
<title>${title} · Venture Capital Data Service</title>
<style>${STYLESHEET}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<div>
<p class="brand">${MARK}Venture Capital Data Service</p>
${isSignedIn ? navigation(place) : undefined}
</div>
</header>
<main id="main">
<h1>${title}</h1>
${body}
</main>
${footer}
${copies === true ? html`<script>${COPY_SCRIPT}</script>` : undefined}</body>
</html>
`;
}

function navigation(place: Place | undefined): Html {
  const entries = Object.entries(PLACES).map(([name, path]) => {
    const current = name === place ? html` aria-current="page"` : undefined;
    return html`<li><a href="${path}"${current}>${PLACE_TITLES[name as Place]}</a></li>`;
  });
  return html`<nav aria-label="Your account">
<ul>
${entries}
<li><form method="post" action="/account/sign-out">
<button class="second small" type="submit">Sign out</button></form></li>
</ul>
</nav>`;
}

/** A page of paragraphs and a link, by default to the account page. */
export function textPage(
  status: number,
  title: string,
  paragraphs: readonly (string | Html)[],
  link = 'Go to the account page',
): Page {
  const body = html`${paragraphs.map((text) => html`<p>${text}</p>`)}
<p><a href="${PLACES.account}">${link}</a></p>`;
  return { status, title, body };
}

const RETRY_AFTER_SECONDS = 30;
const TITLES: Readonly<Record<number, string>> = {
  404: 'Page not found',
  413: 'Request too large',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Temporarily unavailable',
};

/** An error as a page. */
export function problemPage({ status, message, details }: ApiError): Page {
  const { retryAfterSeconds = status >= 500 ? RETRY_AFTER_SECONDS : undefined } = details;
  const texts = status < 500 ? [message] : [message, 'Wait 30 seconds, then reload the page.'];
  const minutes = Math.ceil((retryAfterSeconds ?? 0) / 60);
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const tooMany = `Your network has requested too many sign-in links. Try again in ${wait}.`;
  const page = textPage(
    status,
    TITLES[status] ?? 'Request failed',
    status === 429 ? [tooMany] : texts,
  );
  return { ...page, retryAfterSeconds };
}

/** For a form that another site sent. */
export function foreignFormPage(): Page {
  return textPage(403, 'Form rejected', [
    'Your browser reports that another site sent this form. Nothing was changed.',
    'If you sent it from this site, a browser setting may hide the origin of forms. Open the page ' +
      'again and submit the form there.',
  ]);
}

/** For an unknown address, or one of another account. */
export function nothingHerePage(): Page {
  return textPage(404, 'Page not found', ['The address may be incomplete.']);
}
