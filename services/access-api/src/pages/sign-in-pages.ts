import { CODE_MINUTES } from '../registration/limits.ts';
import { html } from './html.ts';
import { type Page, PLACES, textPage } from './page.ts';
import { note } from './parts.ts';

/** The path of the form for an address. */
export const SIGN_IN_ACTION = '/account/sign-in';
/** The field of the confirmation buttons, and its value for signing in without a key. */
export const KEY_CHOICE = Object.freeze({ field: 'key', none: 'none' });

interface SignInFormState {
  readonly status?: number;
  /** The reason for this page. */
  readonly notice?: string;
  /** The input, and its error. */
  readonly email?: string;
  readonly fault?: string;
}

/** The form for an email address. */
export function signInPage(said: SignInFormState = {}): Page {
  const { status = 200, notice, email, fault } = said;
  const invalid =
    fault === undefined ? undefined : html` aria-invalid="true" aria-describedby="email-fault"`;
  return {
    status,
    title: 'Sign in',
    body: html`${note(notice)}
<p>Enter your email address. We send you a link that signs you in; there is no password. The first
sign-in creates your account on the free plan.</p>
<form method="post" action="${SIGN_IN_ACTION}">
<div class="field">
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254"
spellcheck="false" required value="${email}"${invalid}>
${fault === undefined ? undefined : html`<p class="wrong" id="email-fault">${fault}</p>`}
</div>
<button type="submit">Send sign-in link</button>
</form>`,
  };
}

/** After the form, whatever the outcome: the page does not reveal who has an account. */
export function linkSentPage(email: string): Page {
  return {
    status: 202,
    title: 'Check your inbox',
    body: html`<p>If <strong>${email}</strong> can receive mail, we have sent it a
message. Open the link in it within ${CODE_MINUTES} minutes. You can close this page.</p>
<h2>No message?</h2>
<p>Check the address and your spam folder. We send at most three messages per hour to an address.</p>
<p><a href="${PLACES.account}">Use another address</a></p>`,
  };
}

/** The page of the mailed link. Opening it changes nothing; its buttons sign in. */
export function confirmPage(): Page {
  return {
    status: 200,
    title: 'Confirm sign-in',
    body: html`<p>You opened the link from our email. Confirm to sign in. The link works once.</p>
<form method="post">
<p class="actions">
<button class="wide" type="submit">Sign in and create an API key</button>
<button class="wide second" type="submit" name="${KEY_CHOICE.field}" value="${KEY_CHOICE.none}">Sign in
only</button>
</p>
</form>
<h2>Not you?</h2>
<p>If you did not request this link, close this page. Nothing happens without a confirmation.</p>`,
  };
}

/** For a link that was used, has expired, or is invalid. */
export function goneLinkPage(): Page {
  const why =
    `A link works once, within ${CODE_MINUTES} minutes. This one has been used, has expired, or ` +
    'is incomplete.';
  return textPage(410, 'This link no longer works', [why], 'Get a new link');
}

/** For when the link was valid but signing in failed, and no key was created. */
export function notSignedInPage(): Page {
  const why = 'The link was valid, but signing in failed. Wait 30 seconds, then get a new link.';
  const page = textPage(503, 'Temporarily unavailable', [why], 'Get a new link');
  return { ...page, retryAfterSeconds: 30 };
}
