import { html } from './html.ts';
import type { Page } from './layout.ts';
import { note } from './parts.ts';

/** The path of the form for an address. */
export const SIGN_IN_ACTION = '/account/sign-in';

interface SignInFormState {
  readonly status?: number;
  /** The reason for this page. */
  readonly notice?: string;
  /** The input, and its error. */
  readonly email?: string;
  readonly fault?: string;
}

/** The form for an email address: the page of a signed-out user in place of any other. */
export function signInForm({ status = 200, notice, email, fault }: SignInFormState = {}): Page {
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
