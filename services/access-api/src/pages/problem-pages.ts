import type { ApiError } from '@vcds/service-kit';
import { type Html, html } from './html.ts';
import { type Page, PLACES } from './page.ts';

const RETRY_AFTER_SECONDS = 30;
const TITLES: Readonly<Record<number, string>> = {
  404: 'Page not found',
  413: 'Request too large',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Temporarily unavailable',
};

/** An error as a page. */
export function problemPage(error: ApiError): Page {
  const retryAfterSeconds =
    error.details.retryAfterSeconds ?? (error.status >= 500 ? RETRY_AFTER_SECONDS : undefined);
  return {
    status: error.status,
    title: TITLES[error.status] ?? 'Request failed',
    body: html`${said(error)}
${wayBack()}`,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function said({ status, message, details }: ApiError): Html {
  if (status === 429) {
    const minutes = Math.ceil((details.retryAfterSeconds ?? 0) / 60);
    return html`<p>Your network has requested too many sign-in links. Try again in
${minutes === 1 ? '1 minute' : `${minutes} minutes`}.</p>`;
  }
  if (status < 500) return html`<p>${message}</p>`;
  return html`<p>${message}</p>
<p>Wait 30 seconds, then reload the page.</p>`;
}

/** For a form that another site sent. */
export function foreignFormPage(): Page {
  return {
    status: 403,
    title: 'Form rejected',
    body: html`<p>Your browser reports that another site sent this form. Nothing was changed.</p>
<p>If you sent it from this site, a browser setting may hide the origin of forms. Open the page again
and submit the form there.</p>
${wayBack()}`,
  };
}

/** For an unknown address, or one of another account. */
export function nothingHerePage(): Page {
  return {
    status: 404,
    title: 'Page not found',
    body: html`<p>The address may be incomplete.</p>
${wayBack()}`,
  };
}

function wayBack(): Html {
  return html`<p><a href="${PLACES.account}">Go to the account page</a></p>`;
}
