import { isScope, SCOPES, type Scope } from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import {
  type AccountView,
  type AccountViewOptions,
  type KeyView,
  readAccount,
} from '../accounts/account-view.ts';
import type { Transaction } from '../accounts/database.ts';
import type { SessionStore } from '../accounts/session.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { dataUrl } from '../keys/endpoints.ts';
import { creationError, readKeyName } from '../keys/key-rules.ts';
import { type Answer, type AreaPage, ownerPage } from './area-page.ts';
import { createKeyPage, keyPage, narrowKeyPage, revokeKeyPage } from './key-pages.ts';
import { SCOPE_FIELD } from './key-parts.ts';
import { nothingHerePage, type Page, PLACES, textPage } from './page.ts';
import type { OwnerVisit } from './visit.ts';

const NO_SCOPE = 'Select at least one permission.';
const UNFINISHED =
  'The request could not be completed. Check your keys before you retry: it may have taken effect.';

interface KeyActionOptions extends AccountViewOptions {
  readonly accountKeys: AccountKeys;
  readonly sessions: Pick<SessionStore, 'find'>;
  /** Public root of data-api, without a version segment. */
  readonly dataPublicUrl: string;
}

/** Creating, narrowing and revoking keys. */
export function keyPages(options: KeyActionOptions): AreaPage[] {
  const create = '/account/keys/new';
  const scopes = '/account/keys/:key/scopes';
  const revoke = '/account/keys/:key/revoke';
  return [
    ownerPage('GET', create, async (visit) => {
      const { plan } = await readAccount(options, visit.session.accountId);
      return createKeyPage(plan);
    }),
    ownerPage('POST', create, (visit) => createKey(options, visit)),
    ownerPage('GET', scopes, (visit) =>
      withLiveKey(options, visit, (key, { plan }) => narrowKeyPage(key, plan)),
    ),
    ownerPage('POST', scopes, (visit) => narrowKey(options, visit)),
    ownerPage('GET', revoke, (visit) => withLiveKey(options, visit, (key) => revokeKeyPage(key))),
    ownerPage('POST', revoke, (visit) => revokeKey(options, visit)),
  ];
}

async function createKey(options: KeyActionOptions, visit: OwnerVisit): Promise<Page> {
  const { accountKeys, sessions, dataPublicUrl } = options;
  const { accountId, token } = visit.session;
  // Read first: after the key is created, no error may prevent showing it.
  const { plan, email, balance } = await readAccount(options, accountId);
  const name = readKeyName(visit.form.get('name') ?? '');
  const chosen = chosenScopes(visit.form);
  if ('fault' in name || chosen.size === 0) {
    return createKeyPage(plan, {
      status: 400,
      name: visit.form.get('name') ?? '',
      chosen,
      ...('fault' in name ? { nameError: name.fault } : {}),
      ...(chosen.size === 0 ? { fault: NO_SCOPE } : {}),
    });
  }
  const scopes = chosen.size === SCOPES.length ? undefined : SCOPES.filter((s) => chosen.has(s));
  const isStillSignedIn = async (tx: Transaction) => (await sessions.find(token, tx)) !== undefined;
  const request = { accountId, name: name.name, scopes, isStillSignedIn };
  const creation = await orUnavailable(accountKeys.create(request), UNFINISHED);
  if (creation.status !== 'created') {
    return textPage(409, 'Key not created', [creationError(creation.status)]);
  }
  const baseUrl = dataUrl({ dataPublicUrl });
  return keyPage({ key: creation.key, email, balance, baseUrl, scopes });
}

async function narrowKey(options: KeyActionOptions, visit: OwnerVisit): Promise<Answer> {
  const { accountId } = visit.session;
  const scopes = chosenScopes(visit.form);
  return withLiveKey(options, visit, async (key, { plan }) => {
    const narrowing = options.accountKeys.narrow(accountId, key.id, scopes);
    const status = await orUnavailable(narrowing, UNFINISHED);
    if (status === 'not_found') return nothingHerePage();
    if (status === 'ended') return endedPage();
    if (status !== 'wider') return { redirectTo: `${PLACES.account}?done=${status}` };
    const fault =
      scopes.size === 0 ? NO_SCOPE : 'A key cannot gain permissions. It has the ones below.';
    return narrowKeyPage(key, plan, { status: 400, fault });
  });
}

async function revokeKey({ accountKeys }: KeyActionOptions, visit: OwnerVisit): Promise<Answer> {
  const keyId = keyIdOf(visit);
  if (keyId === undefined) return nothingHerePage();
  const revoking = accountKeys.revoke(visit.session.accountId, keyId);
  const status = await orUnavailable(revoking, UNFINISHED);
  if (status === 'not_found') return nothingHerePage();
  return { redirectTo: `${PLACES.account}?done=revoked` };
}

/** Answers for the key of the path, if it belongs to this account and is active. */
async function withLiveKey(
  options: KeyActionOptions,
  visit: OwnerVisit,
  answer: (key: KeyView, account: AccountView) => Answer | Promise<Answer>,
): Promise<Answer> {
  const keyId = keyIdOf(visit);
  const account = await readAccount(options, visit.session.accountId);
  const key = account.keys.find(({ id }) => id === keyId);
  if (key === undefined) return nothingHerePage();
  return key.state === 'live' ? answer(key, account) : endedPage();
}

function endedPage(): Page {
  const why = 'It was revoked or has expired, so it cannot be changed.';
  return textPage(409, 'This key is no longer active', [why]);
}

function chosenScopes(form: URLSearchParams): ReadonlySet<Scope> {
  return new Set(form.getAll(SCOPE_FIELD).filter(isScope));
}

function keyIdOf({ params }: OwnerVisit): string | undefined {
  const { key = '' } = params;
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? key : undefined;
}
