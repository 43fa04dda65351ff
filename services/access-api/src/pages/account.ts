import type { Balance, KeyBalance, Plan } from '@vcds/metering';
import { orUnavailable } from '@vcds/service-kit';
import {
  type AccountView,
  type AccountViewOptions,
  type KeyView,
  readAccount,
} from '../accounts/account-view.ts';
import type { LastCharged, UsageSums } from '../credits/usage-sums.ts';
import { ACCOUNT_KEY_LIMITS } from '../keys/key-rules.ts';
import { type AreaPage, isOwnerVisit, type OwnerVisit, openPage } from './area.ts';
import { EXPLORE_PATH } from './explore.ts';
import { countText, creditsText, day, moment, monthText } from './format.ts';
import { type Html, html } from './html.ts';
import { keyName, keyPath, NEW_KEY_PATH, scopesText } from './key-parts.ts';
import { nothingHerePage, type Page, PLACES } from './layout.ts';
import { note, pager } from './parts.ts';
import { signInForm } from './sign-in-form.ts';

/** Keys on one page. */
const KEYS_SHOWN = 20;

/** The notices about a completed change, by their names in the query. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['narrowed', 'Permissions updated.'],
  ['unchanged', 'Permissions unchanged.'],
  ['limited', 'Monthly credit limit updated.'],
  ['revoked', 'Revoked. Calls with it are rejected from now on.'],
]);

interface AccountOptions extends AccountViewOptions {
  readonly usage: Pick<UsageSums, 'lastCharged'>;
}

/** The account: plan, remaining credits, keys; for signed-out users the sign-in form. */
export function accountPages(options: AccountOptions): AreaPage[] {
  return [
    openPage('GET', PLACES.account, (visit) =>
      isOwnerVisit(visit) ? accountPage(options, visit) : signInForm(),
    ),
    openPage('GET', '/account/*rest', () => nothingHerePage()),
  ];
}

async function accountPage(options: AccountOptions, { session, query }: OwnerVisit): Promise<Page> {
  const [account, lastCharged] = await Promise.all([
    readAccount(options, session.accountId),
    orUnavailable(options.usage.lastCharged(session.accountId)),
  ]);
  const { email, keys } = account;
  const pages = Math.max(1, Math.ceil(keys.length / KEYS_SHOWN));
  const page = pageOf(query.get('page'), pages);
  if (page === undefined) return nothingHerePage();
  const shown = keys.slice((page - 1) * KEYS_SHOWN, page * KEYS_SHOWN);
  const credits = await keyCredits(options, account, shown);
  const live = keys.filter(({ state }) => state === 'live').length;
  return {
    title: 'Your account',
    place: 'account',
    body: html`${note(DONE.get(query.get('done') ?? ''))}
<p>${email === null ? undefined : html`Signed in as <strong>${email}</strong>.`}</p>
<h2>Plan and credits</h2>
${standing(account)}
<p><a href="${PLACES.credits}">Plans and more credits</a></p>
<form method="post" action="${EXPLORE_PATH}"><p class="actions">
<button class="second" type="submit">Explore the data in charts</button>
<button class="second" type="submit" name="page" value="reference">Try calls in the reference</button>
</p></form>
<h2 id="keys">API keys</h2>
<p>${live === 1 ? '1 active key' : `${countText(live)} active keys`} of at most
${ACCOUNT_KEY_LIMITS.liveMax}. All keys share the account’s credits.</p>
<p class="actions"><a class="button" href="${NEW_KEY_PATH}">Create a key</a></p>
${shown.length === 0 ? undefined : cards(shown, lastCharged, credits)}
${pager(page, pages, (number) => `${PLACES.account}?page=${number}`)}`,
  };
}

// Undefined: there is no such page.
function pageOf(text: string | undefined, pages: number): number | undefined {
  if (text === undefined) return 1;
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN;
  return page <= pages ? page : undefined;
}

/** Plan and credits, for the account page and the credits page. */
export function standing({ plan, balance }: Pick<AccountView, 'plan' | 'balance'>): Html {
  return html`<dl class="facts">
<div><dt>Plan</dt><dd class="large">${plan.name}</dd></div>
${balance === undefined ? unknownBalance(plan) : balanceFacts(balance)}
</dl>`;
}

function unknownBalance({ creditsPerMonth }: Plan): Html {
  const credits = countText(creditsPerMonth);
  return html`<div><dt>Credits a month</dt><dd class="large">${credits}</dd></div>
<div><dt>Credits left</dt><dd>Temporarily unavailable. Reload this page in 30 seconds.</dd></div>`;
}

function balanceFacts({ limit, remaining, used, held, purchased, resetAt }: Balance): Html {
  const atHold = html`<div><dt>Reserved for calls in progress</dt><dd>${countText(held)}</dd></div>`;
  return html`<div><dt>Credits left</dt><dd class="large">${countText(remaining)}</dd></div>
<div><dt>Used this month</dt><dd>${countText(used)} of ${countText(limit)}</dd></div>
<div><dt>Purchased credits left</dt><dd>${countText(purchased)}</dd></div>
${held === 0 ? undefined : atHold}
<div><dt>Next ${creditsText(limit)} on</dt><dd>${day(resetAt)}, 00:00 UTC</dd></div>`;
}

/** The credits of the active keys with a monthly limit; without those that are unavailable. */
async function keyCredits(
  { ledger }: AccountOptions,
  { id, plan }: AccountView,
  keys: readonly KeyView[],
): Promise<ReadonlyMap<string, KeyBalance>> {
  const limited = keys.filter((key) => key.state === 'live' && key.creditLimit !== null);
  const found = await Promise.all(
    limited.map(async ({ id: keyId, creditLimit: keyLimit }) => {
      const answer = await ledger.balance(id, plan.creditsPerMonth, { keyId, keyLimit });
      return [keyId, answer.status === 'known' ? answer.balance.key : null] as const;
    }),
  );
  return new Map(found.flatMap(([keyId, key]) => (key === null ? [] : [[keyId, key] as const])));
}

function cards(
  keys: readonly KeyView[],
  lastCharged: ReadonlyMap<string, LastCharged>,
  credits: ReadonlyMap<string, KeyBalance>,
): Html {
  return html`<ul class="cards" aria-labelledby="keys">
${keys.map((key) => card(key, lastCharged.get(key.id), credits.get(key.id)))}
</ul>`;
}

const STATES = { live: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;

function card(key: KeyView, last: LastCharged | undefined, credits?: KeyBalance): Html {
  const { id, hint, state, createdAt, expiresAt, revokedAt, scopes } = key;
  const name = keyName(key);
  const end = revokedAt ?? expiresAt;
  const whose = html`<span class="unseen"> ${name}</span>`;
  const actions = html`<p class="actions">
<a class="button second small" href="${keyPath(id, 'scopes')}">Edit permissions${whose}</a>
<a class="button second small" href="${keyPath(id, 'limit')}">Set limit${whose}</a>
<a class="button second small danger" href="${keyPath(id, 'revoke')}">Revoke${whose}</a>
</p>`;
  return html`<li>
<div class="head"><h3><bdi>${name}</bdi></h3>
<span class="state ${state}">${STATES[state]}</span></div>
<dl class="facts">
${
  key.isConnection
    ? html`<div><dt>Kind</dt><dd>Connected assistant</dd></div>`
    : html`<div><dt>Starts with</dt><dd><code>${hint}</code></dd></div>`
}
<div><dt>Created</dt><dd>${moment(createdAt)}</dd></div>
<div><dt>Last charge</dt><dd>${lastText(last)}</dd></div>
<div><dt>${revokedAt === null ? 'Expires' : 'Revoked'}</dt><dd>${end === null ? 'Never' : moment(end)}</dd></div>
<div><dt>Permissions</dt><dd>${scopesText(scopes)}</dd></div>
<div><dt>Monthly limit</dt><dd>${limitText(key.creditLimit, credits)}</dd></div>
</dl>
${state === 'live' ? actions : undefined}
</li>`;
}

function limitText(limit: number | null, credits: KeyBalance | undefined): string {
  if (limit === null) return 'None';
  const used = credits && `, ${countText(credits.used)} used`;
  return `${creditsText(limit)} a month${used ?? ''}`;
}

function lastText(last: LastCharged | undefined): string | Html {
  if (last === undefined) return 'None yet';
  return 'at' in last ? moment(last.at) : `In ${monthText(last.period)}`;
}
