import { SCOPES } from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import {
  type AccountView,
  type AccountViewOptions,
  type KeyView,
  readAccount,
} from '../accounts/account-view.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { readCreditLimit } from '../keys/key-rules.ts';
import { type Answer, type AreaPage, type OwnerVisit, ownerPage } from './area.ts';
import { moment } from './format.ts';
import { type Html, html } from './html.ts';
import {
  chosenScopes,
  keyName,
  keyPath,
  kindOf,
  LIMIT_FIELD,
  limitField,
  NO_SCOPE,
  scopeBoxes,
  scopesText,
  UNFINISHED,
} from './key-parts.ts';
import { nothingHerePage, type Page, PLACES, textPage } from './layout.ts';
import { note } from './parts.ts';

interface ChangeKeyOptions extends AccountViewOptions {
  readonly accountKeys: Pick<AccountKeys, 'narrow' | 'limit' | 'revoke'>;
}

/** Narrowing, limiting and revoking a key. */
export function changeKeyPages(options: ChangeKeyOptions): AreaPage[] {
  const scopes = keyPath(':key', 'scopes');
  const limit = keyPath(':key', 'limit');
  const revoke = keyPath(':key', 'revoke');
  return [
    ownerPage('GET', scopes, (visit) => withLiveKey(options, visit, narrowForm)),
    ownerPage('POST', scopes, (visit) =>
      withLiveKey(options, visit, (key, account) => narrow(options, visit, key, account)),
    ),
    ownerPage('GET', limit, (visit) =>
      withLiveKey(options, visit, (key) => limitForm(key, String(key.creditLimit ?? ''))),
    ),
    ownerPage('POST', limit, (visit) =>
      withLiveKey(options, visit, (key) => setLimit(options, visit, key)),
    ),
    ownerPage('GET', revoke, (visit) => withLiveKey(options, visit, revokeForm)),
    ownerPage('POST', revoke, async (visit) => {
      const keyId = keyIdOf(visit);
      if (keyId === undefined) return nothingHerePage();
      const revoking = options.accountKeys.revoke(visit.session.accountId, keyId);
      const status = await orUnavailable(revoking, UNFINISHED);
      return status === 'not_found' ? nothingHerePage() : done('revoked');
    }),
  ];
}

async function narrow(
  { accountKeys }: ChangeKeyOptions,
  { session, form }: OwnerVisit,
  key: KeyView,
  account: AccountView,
): Promise<Answer> {
  const scopes = chosenScopes(form);
  const narrowing = accountKeys.narrow(session.accountId, key.id, scopes);
  const status = await orUnavailable(narrowing, UNFINISHED);
  if (status === 'not_found') return nothingHerePage();
  if (status === 'ended') return endedPage(kindOf(key));
  if (status !== 'wider') return done(status);
  const fault =
    scopes.size === 0
      ? NO_SCOPE
      : `A ${kindOf(key)} cannot gain permissions. It has the ones below.`;
  return narrowForm(key, account, fault);
}

async function setLimit(
  { accountKeys }: ChangeKeyOptions,
  { session, form }: OwnerVisit,
  key: KeyView,
): Promise<Answer> {
  const entered = form.get(LIMIT_FIELD) ?? '';
  const limit = readCreditLimit(entered);
  if ('fault' in limit) return limitForm(key, entered, limit.fault);
  const limiting = accountKeys.limit(session.accountId, key.id, limit.creditLimit ?? null);
  const status = await orUnavailable(limiting, UNFINISHED);
  if (status === 'not_found') return nothingHerePage();
  return status === 'ended' ? endedPage(kindOf(key)) : done(status);
}

/** Answers for the key of the path, if it belongs to this account and is active. */
async function withLiveKey(
  options: ChangeKeyOptions,
  visit: OwnerVisit,
  answer: (key: KeyView, account: AccountView) => Answer | Promise<Answer>,
): Promise<Answer> {
  const keyId = keyIdOf(visit);
  const account = await readAccount(options, visit.session.accountId);
  const key = account.keys.find(({ id }) => id === keyId);
  if (key === undefined) return nothingHerePage();
  return key.state === 'live' ? answer(key, account) : endedPage(kindOf(key));
}

function keyIdOf({ params: { key = '' } }: OwnerVisit): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? key : undefined;
}

function done(status: string): Answer {
  return { redirectTo: `${PLACES.account}?done=${status}` };
}

function endedPage(kind: string): Page {
  const why = 'It was revoked or has expired, so it cannot be changed.';
  return textPage(409, `This ${kind} is no longer active`, [why]);
}

function narrowForm(key: KeyView, { plan }: AccountView, fault?: string): Page {
  const held = key.scopes ?? SCOPES;
  return {
    status: fault === undefined ? 200 : 400,
    title: 'Edit permissions',
    body: html`${note(fault, 'bad')}
<p>${named(key)}</p>
<p>Clear the permissions this ${kindOf(key)} should lose. The change takes effect immediately and <strong>cannot be
undone</strong>.</p>
<form method="post">
${scopeBoxes(held, new Set(held), plan)}
<p class="actions"><button type="submit">Save permissions</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

function limitForm(key: KeyView, value: string, fault?: string): Page {
  return {
    status: fault === undefined ? 200 : 400,
    title: 'Monthly credit limit',
    body: html`<p>${named(key)}</p>
<p>Beyond the limit, calls with this ${kindOf(key)} that cost credits are rejected until the first of the next month
(UTC). Credits that the ${kindOf(key)} has already used this month
count. The change takes effect immediately.</p>
<form method="post">
${limitField(value, fault, kindOf(key))}
<p class="actions"><button type="submit">Save limit</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

function revokeForm(key: KeyView): Page {
  return {
    title: `Revoke this ${kindOf(key)}?`,
    body: html`<p>${named(key)}, created on ${moment(key.createdAt)}. Permissions: ${scopesText(key.scopes)}.</p>
<p>Calls with this ${kindOf(key)} are rejected as soon as you confirm. This <strong>cannot be
undone</strong>.</p>
<form method="post">
<p class="actions"><button class="danger" type="submit">Revoke ${kindOf(key)}</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

/** A key by name and first characters; without a name, by its first characters; a connection by its name. */
function named(key: KeyView): Html {
  const isStartNew = key.name !== null && !key.isConnection;
  const start = html`, starting with <code>${key.hint}</code>`;
  return html`<strong><bdi>${keyName(key)}</bdi></strong>${isStartNew ? start : undefined}`;
}
