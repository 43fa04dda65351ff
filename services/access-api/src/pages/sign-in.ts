import { ApiError, contextOf } from '@vcds/service-kit';
import { dataUrl, type PublicUrls } from '../keys/endpoints.ts';
import { creationError } from '../keys/key-rules.ts';
import { parseEmailAddress } from '../registration/email-address.ts';
import type { Landed } from '../registration/issuance.ts';
import { CODE_MINUTES } from '../registration/limits.ts';
import { type Link, parseLink, SIGN_IN_PATH } from '../registration/link.ts';
import { type RegisterOptions, register } from '../registration/register.ts';
import { useLink, type VerifyOptions } from '../registration/verify.ts';
import { type Answer, type AreaPage, openPage, type Visit } from './area.ts';
import { html } from './html.ts';
import { type Page, PLACES, textPage } from './layout.ts';
import { shownKeyPage } from './shown-key.ts';
import { SIGN_IN_ACTION, signInForm } from './sign-in-form.ts';

type SignInOptions = RegisterOptions & VerifyOptions & Pick<PublicUrls, 'dataPublicUrl'>;

/**
 * Signing in and out, without a password: the form starts a registration, with its message and its
 * limits, and its response does not disclose who has an account. The mailed link signs in: GET only
 * shows buttons, because mail scanners follow links; their POST uses the link, once, and only its
 * response shows the key, not a URL or a log.
 */
export function signInPages(options: SignInOptions): AreaPage[] {
  const link = `${SIGN_IN_PATH}/:link`;
  const toAccount = { redirectTo: PLACES.account };
  return [
    openPage('GET', SIGN_IN_ACTION, () => toAccount),
    openPage('POST', SIGN_IN_ACTION, (visit) => sendLink(options, visit)),
    openPage('GET', link, async (visit) => {
      const found = linkOf(visit);
      const isOpen = found !== undefined && (await options.registrations.isLinkOpen(found));
      return isOpen ? confirmPage(visit.continuation !== undefined) : goneLinkPage();
    }),
    openPage('POST', link, (visit) => signInByLink(options, visit)),
    {
      // Needs Redis alone: who leaves a shared computer should not wait for PostgreSQL.
      isSessionNeeded: false,
      ...openPage('POST', '/account/sign-out', async (visit) => {
        await visit.signOut();
        return toAccount;
      }),
    },
    openPage('GET', '/account/sign-out', () => toAccount),
  ];
}

async function sendLink(options: SignInOptions, visit: Visit): Promise<Page> {
  const email = visit.form.get('email') ?? '';
  const address = parseEmailAddress(email);
  if (address === undefined) {
    const fault =
      email.trim() === '' ? 'Enter your email address.' : 'This is not a valid email address.';
    return signInForm({ status: 400, email, fault });
  }
  await register(options, address, visit.request.ip);
  // The same for every address: the page does not reveal who has an account.
  return {
    status: 202,
    title: 'Check your inbox',
    body: html`<p>If <strong>${address}</strong> can receive mail, we have sent it a
message. Open the link in it within ${CODE_MINUTES} minutes. You can close this page.</p>
<h2>No message?</h2>
<p>Check the address and your spam folder. We send at most three messages per hour to an address.</p>
<p><a href="${PLACES.account}">Use another address</a></p>`,
  };
}

function linkOf({ params }: Visit): Link | undefined {
  return parseLink(params.link ?? '');
}

/** The field of the confirmation buttons, and its value for signing in without a key. */
const KEY_CHOICE = Object.freeze({ field: 'key', none: 'none' });

/** The page of the mailed link. Opening it changes nothing; its buttons sign in. */
function confirmPage(isContinued: boolean): Page {
  const withKey = html`<button class="wide" type="submit">Sign in and create an API key</button>
`;
  return {
    title: 'Confirm sign-in',
    body: html`<p>You opened the link from our email. Confirm to sign in. The link works once.</p>
<form method="post">
<p class="actions">
${isContinued ? undefined : withKey}<button class="wide${isContinued ? '' : ' second'}" type="submit" name="${KEY_CHOICE.field}"
value="${KEY_CHOICE.none}">${isContinued ? 'Sign in and continue' : 'Sign in only'}</button>
</p>
</form>
<h2>Not you?</h2>
<p>If you did not request this link, close this page. Nothing happens without a confirmation.</p>`,
  };
}

async function signInByLink(options: SignInOptions, visit: Visit): Promise<Answer> {
  const link = linkOf(visit);
  const wantsKey = visit.form.get(KEY_CHOICE.field) !== KEY_CHOICE.none;
  const landed = link === undefined ? undefined : await useLink(options, link, wantsKey);
  if (landed === undefined) return goneLinkPage();
  const isSignedIn = await trySignIn(visit, landed);
  const { creation, email, balance } = landed;
  // A new key is shown even if signing in failed.
  if (creation?.status === 'created') {
    return shownKeyPage({ key: creation.key, email, balance, baseUrl: dataUrl(options) });
  }
  if (!isSignedIn) {
    const why = 'The link was valid, but signing in failed. Wait 30 seconds, then get a new link.';
    const page = textPage(503, 'Temporarily unavailable', [why], 'Get a new link');
    return { ...page, retryAfterSeconds: 30 };
  }
  if (creation === undefined) return { redirectTo: visit.continuation ?? PLACES.account };
  return textPage(200, 'Signed in without a new key', [creationError(creation.status)]);
}

async function trySignIn(visit: Visit, { accountId }: Landed): Promise<boolean> {
  try {
    await visit.signIn(accountId);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    contextOf(visit.request).logger.warn({ error: error.cause ?? error }, 'sign-in failed');
    return false;
  }
}

/** For a link that was used, has expired, or is invalid. */
function goneLinkPage(): Page {
  const why =
    `A link works once, within ${CODE_MINUTES} minutes. This one has been used, has expired, or ` +
    'is incomplete.';
  return textPage(410, 'This link no longer works', [why], 'Get a new link');
}
