import type { ApiError } from '@vcds/service-kit';
import { type Html, html } from './html.ts';
import { type Page, PLACES } from './page.ts';

const RETRY_AFTER_SECONDS = 30;
const TITLES: Readonly<Record<number, string>> = {
  404: 'There is nothing here',
  413: 'That was too much',
  429: 'Too many at once',
  500: 'Something went wrong',
  503: 'Not available at the moment',
};

/** A refusal or a fault, said to a person. */
export function problemPage(error: ApiError): Page {
  const retryAfterSeconds =
    error.details.retryAfterSeconds ?? (error.status >= 500 ? RETRY_AFTER_SECONDS : undefined);
  return {
    status: error.status,
    title: TITLES[error.status] ?? 'That did not work',
    body: html`${said(error)}
${wayBack()}`,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function said({ status, message, details }: ApiError): Html {
  if (status === 429) {
    const minutes = Math.ceil((details.retryAfterSeconds ?? 0) / 60);
    return html`<p>Too many links were asked for from your network within an hour. Try again in
${minutes === 1 ? 'a minute' : `${minutes} minutes`}.</p>`;
  }
  if (status < 500) return html`<p>${message}</p>`;
  return html`<p>${message}</p>
<p>Wait half a minute, then load the page once more.</p>`;
}

/** For a form that another site has sent. */
export function foreignFormPage(): Page {
  return {
    status: 403,
    title: 'This form came from elsewhere',
    body: html`<p>Your browser says that the form was not sent from a page of this service, so
nothing was done.</p>
<p>If it was, your browser may be told to hide where forms come from. Open the page again and send
the form from there.</p>
${wayBack()}`,
  };
}

/** For a form without the right token. */
export function outdatedFormPage(): Page {
  return {
    status: 403,
    title: 'This form is out of date',
    body: html`<p>The form was made for another visit: you have signed in or out since, or your
browser keeps no cookies. Nothing was done.</p>
<p>Go back, load the page once more, and send the form again.</p>
${wayBack()}`,
  };
}

/** For an address that leads nowhere, or to something of somebody else. */
export function nothingHerePage(): Page {
  return {
    status: 404,
    title: 'There is nothing here',
    body: html`<p>The address may have been cut short on its way.</p>
${wayBack()}`,
  };
}

function wayBack(): Html {
  return html`<p><a href="${PLACES.account}">Go to the account page</a></p>`;
}
