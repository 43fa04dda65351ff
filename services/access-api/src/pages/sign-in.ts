import { ApiError, contextOf } from '@vcds/service-kit';
import { dataUrl, type PublicUrls } from '../keys/endpoints.ts';
import { creationError } from '../keys/key-rules.ts';
import { parseEmailAddress } from '../registration/email-address.ts';
import type { Landed } from '../registration/issuance.ts';
import { type Link, parseLink, SIGN_IN_PATH } from '../registration/link.ts';
import { type RegisterOptions, register } from '../registration/register.ts';
import { useLink, type VerifyOptions } from '../registration/verify.ts';
import { type AreaPage, openPage } from './area-page.ts';
import { keyPage } from './key-pages.ts';
import { type Page, PLACES, textPage } from './page.ts';
import {
  confirmPage,
  goneLinkPage,
  KEY_CHOICE,
  linkSentPage,
  notSignedInPage,
  SIGN_IN_ACTION,
  signInPage,
} from './sign-in-pages.ts';
import type { Visit } from './visit.ts';

type SignInOptions = RegisterOptions & VerifyOptions & Pick<PublicUrls, 'dataPublicUrl'>;

/**
 * Signing in and out, without a password: the form starts a registration, with its message and its
 * limits, and its response does not disclose who has an account. The mailed link signs in: GET only
 * shows buttons, because mail scanners follow links; their POST uses the link, once, and only its
 * response shows the key, not a URL or a log.
 */
export function signInPages(options: SignInOptions): AreaPage[] {
  const link = `${SIGN_IN_PATH}/:link`;
  return [
    openPage('GET', SIGN_IN_ACTION, () => ({ redirectTo: PLACES.account })),
    openPage('POST', SIGN_IN_ACTION, (visit) => sendLink(options, visit)),
    openPage('GET', link, (visit) => showLink(options, visit)),
    openPage('POST', link, (visit) => signInByLink(options, visit)),
    { ...openPage('POST', '/account/sign-out', signOut), isSessionNeeded: false },
    openPage('GET', '/account/sign-out', () => ({ redirectTo: PLACES.account })),
  ];
}

// Needs Redis alone: who leaves a shared computer should not wait for PostgreSQL.
async function signOut(visit: Visit): Promise<Redirection> {
  await visit.signOut();
  return { redirectTo: PLACES.account };
}

async function sendLink(options: SignInOptions, visit: Visit): Promise<Page> {
  const email = visit.form.get('email') ?? '';
  const address = parseEmailAddress(email);
  if (address === undefined) {
    const fault =
      email.trim() === '' ? 'Enter your email address.' : 'This is not a valid email address.';
    return signInPage({ status: 400, email, fault });
  }
  await register(options, address, visit.request.ip);
  return linkSentPage(address);
}

async function showLink({ registrations }: SignInOptions, visit: Visit): Promise<Page> {
  const link = linkOf(visit);
  const isOpen = link !== undefined && (await registrations.isLinkOpen(link));
  return isOpen ? confirmPage() : goneLinkPage();
}

async function signInByLink(options: SignInOptions, visit: Visit): Promise<Page | Redirection> {
  const link = linkOf(visit);
  const wantsKey = visit.form.get(KEY_CHOICE.field) !== KEY_CHOICE.none;
  const landed = link === undefined ? undefined : await useLink(options, link, wantsKey);
  if (landed === undefined) return goneLinkPage();
  const isSignedIn = await trySignIn(visit, landed);
  const { creation, email, balance } = landed;
  // A new key is shown even if signing in failed.
  if (creation?.status === 'created') {
    const baseUrl = dataUrl(options);
    return keyPage({ key: creation.key, email, balance, baseUrl });
  }
  if (!isSignedIn) return notSignedInPage();
  if (creation === undefined) return { redirectTo: PLACES.account };
  return textPage(200, 'Signed in without a new key', [creationError(creation.status)]);
}

type Redirection = { readonly redirectTo: string };

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

function linkOf({ params }: Visit): Link | undefined {
  return parseLink(params.link ?? '');
}
