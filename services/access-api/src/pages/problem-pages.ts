import type { ApiError } from '@vcds/service-kit';
import { type Page, textPage } from './page.ts';

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
    ...textPage(error.status, TITLES[error.status] ?? 'Request failed', textsOf(error)),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function textsOf({ status, message, details }: ApiError): string[] {
  if (status === 429) {
    const minutes = Math.ceil((details.retryAfterSeconds ?? 0) / 60);
    const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    return [`Your network has requested too many sign-in links. Try again in ${wait}.`];
  }
  return status < 500 ? [message] : [message, 'Wait 30 seconds, then reload the page.'];
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
