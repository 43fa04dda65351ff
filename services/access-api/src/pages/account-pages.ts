import type { Balance, Plan } from '@vcds/metering';
import type { AccountView, KeyView } from '../accounts/account-view.ts';
import type { LastCharged } from '../credits/usage-sums.ts';
import { countText, creditsText, day, moment, monthText } from './format.ts';
import { type Html, html } from './html.ts';
import { keyName, keyPath, scopesText } from './key-parts.ts';
import { type Page, PLACES } from './page.ts';
import { note, pager } from './parts.ts';

/** The notices about a completed change, by their names in the query. */
export const DONE: ReadonlyMap<string, string> = new Map([
  ['narrowed', 'Key permissions updated.'],
  ['unchanged', 'Key permissions unchanged.'],
  ['revoked', 'Key revoked. Calls with it are rejected from now on.'],
]);

interface AccountPageInput {
  readonly account: AccountView;
  readonly lastCharged: ReadonlyMap<string, LastCharged>;
  readonly liveMax: number;
  readonly notice: string | undefined;
  /** The page of the list of keys, from 1, and the number of pages. */
  readonly page: number;
  readonly pages: number;
  readonly shownKeys: readonly KeyView[];
}

/** The account: plan, remaining credits, keys. */
export function accountPage(input: AccountPageInput): Page {
  const { account, notice, liveMax, shownKeys, lastCharged, page, pages } = input;
  const live = account.keys.filter(({ state }) => state === 'live').length;
  return {
    status: 200,
    title: 'Your account',
    place: 'account',
    body: html`${note(notice)}
<p>${account.email === null ? undefined : html`Signed in as <strong>${account.email}</strong>.`}</p>
<h2>Plan and credits</h2>
${standing(account)}
<p><a href="${PLACES.credits}">Plans and more credits</a></p>
<h2 id="keys">API keys</h2>
<p>${live === 1 ? '1 active key' : `${countText(live)} active keys`} of at most ${liveMax}. All keys
share the account’s credits.</p>
<p class="actions"><a class="button" href="/account/keys/new">Create a key</a></p>
${shownKeys.length === 0 ? undefined : cards(shownKeys, lastCharged)}
${pager(page, pages, (number) => `${PLACES.account}?page=${number}`)}`,
  };
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

function cards(keys: readonly KeyView[], lastCharged: ReadonlyMap<string, LastCharged>): Html {
  return html`<ul class="cards" aria-labelledby="keys">
${keys.map((key) => card(key, lastCharged.get(key.id)))}
</ul>`;
}

function card(key: KeyView, last: LastCharged | undefined): Html {
  const { id, hint, state, createdAt, revokedAt, scopes } = key;
  const name = keyName(key);
  return html`<li>
<div class="head"><h3><bdi>${name}</bdi></h3>
<span class="state ${state}">${stateText(state)}</span></div>
<dl class="facts">
<div><dt>Starts with</dt><dd><code>${hint}</code></dd></div>
<div><dt>Created</dt><dd>${moment(createdAt)}</dd></div>
<div><dt>Last charge</dt><dd>${lastText(last)}</dd></div>
<div><dt>${revokedAt === null ? 'Expires' : 'Revoked'}</dt><dd>${endText(key)}</dd></div>
<div><dt>Permissions</dt><dd>${scopesText(scopes)}</dd></div>
</dl>
${state === 'live' ? actions(id, name) : undefined}
</li>`;
}

function actions(id: string, name: string): Html {
  const whose = html`<span class="unseen"> ${name}</span>`;
  return html`<p class="actions">
<a class="button second small" href="${keyPath(id, 'scopes')}">Edit permissions${whose}</a>
<a class="button second small danger" href="${keyPath(id, 'revoke')}">Revoke${whose}</a>
</p>`;
}

function stateText(state: KeyView['state']): string {
  return { live: 'Active', expired: 'Expired', revoked: 'Revoked' }[state];
}

function endText({ expiresAt, revokedAt }: KeyView): string | Html {
  const end = revokedAt ?? expiresAt;
  return end === null ? 'Never' : moment(end);
}

function lastText(last: LastCharged | undefined): string | Html {
  if (last === undefined) return 'None yet';
  return 'at' in last ? moment(last.at) : `In ${monthText(last.period)}`;
}
