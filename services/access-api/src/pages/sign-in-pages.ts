import { type Html, html } from './html.ts';
import { type Page, PLACES } from './page.ts';
import { note } from './parts.ts';

/** Where the form for an address goes. */
export const SIGN_IN_ACTION = '/account/sign-in';
/** The button's field on the page behind the link, and its value when no key is wanted. */
export const KEY_CHOICE = Object.freeze({ field: 'key', none: 'none' });

export interface SignInSaid {
  readonly status?: number;
  /** Why the person sees this page. */
  readonly notice?: string;
  /** What was typed, and what is wrong with it. */
  readonly email?: string;
  readonly fault?: string;
}

/** The form for an e-mail address. */
export function signInPage(token: Html, said: SignInSaid = {}): Page {
  const { status = 200, notice, email, fault } = said;
  const invalid =
    fault === undefined ? undefined : html` aria-invalid="true" aria-describedby="email-fault"`;
  return {
    status,
    title: 'Sign in',
    body: html`${note(notice)}
<p>Enter your e-mail address and we send you a link that signs you in. There is no password. The
first time, the link makes your account, on the free plan.</p>
<form method="post" action="${SIGN_IN_ACTION}">${token}
<div class="field">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" inputmode="email" maxlength="254"
spellcheck="false" required value="${email}"${invalid}>
${fault === undefined ? undefined : html`<p class="wrong" id="email-fault">${fault}</p>`}
</div>
<button type="submit">Send me the link</button>
</form>`,
  };
}

/** After the form, whatever becomes of it: who has an account is nobody else's business. */
export function linkSentPage(email: string): Page {
  return {
    status: 202,
    title: 'Look into your mailbox',
    body: html`<p>If <strong>${email}</strong> can receive mail, a message is on its way to it. Open
the link in it within ten minutes. You can close this page.</p>
<h2>Nothing there?</h2>
<p>Look whether the address is right and among unwanted mail. An address gets three messages an
hour at most; after that, wait.</p>
<p><a href="${PLACES.account}">Use another address</a></p>`,
  };
}

/** The page behind the mailed link. Looking at it changes nothing; its buttons do. */
export function confirmPage(token: Html): Page {
  return {
    status: 200,
    title: 'Sign in with this link',
    body: html`<p>You opened the link from our e-mail. Press a button to confirm that this address
is yours. The link works once.</p>
<form method="post">${token}
<p class="actions">
<button class="wide" type="submit">Sign in and create an API key</button>
<button class="wide second" type="submit" name="${KEY_CHOICE.field}" value="${KEY_CHOICE.none}">Only
sign in</button>
</p>
</form>
<h2>Not you?</h2>
<p>If you did not ask for this, close this page. Nothing happens unless a button is pressed.</p>`,
  };
}

/** For a link that was used, has expired, or never was. */
export function goneLinkPage(): Page {
  return {
    status: 410,
    title: 'This link no longer works',
    body: html`<p>A link works once and for ten minutes. It was used already, has expired, or was
cut short on its way.</p>
<p><a href="${PLACES.account}">Get a new link</a></p>`,
  };
}

/** For when the link worked but nobody could be signed in, and no key was made. */
export function notSignedInPage(): Page {
  return {
    status: 503,
    title: 'Not available at the moment',
    body: html`<p>The link was right, but you could not be signed in just now. Wait half a minute,
then get a new link.</p>
<p><a href="${PLACES.account}">Get a new link</a></p>`,
    retryAfterSeconds: 30,
  };
}
