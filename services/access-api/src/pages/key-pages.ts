import { SCOPES, type Scope } from '@vcds/credentials';
import type { Balance, Plan } from '@vcds/metering';
import type { KeyView } from '../accounts/account-view.ts';
import type { IssuedKey } from '../accounts/key.ts';
import { countText, moment } from './format.ts';
import { type Html, html } from './html.ts';
import { keyName, scopeBoxes, scopesText } from './key-parts.ts';
import { type Page, PLACES } from './page.ts';
import { note } from './parts.ts';

export interface NewKey {
  readonly key: IssuedKey;
  /** Undefined where it is not known. */
  readonly email: string | null;
  readonly balance: Balance | undefined;
  /** Root of the data API, with the version. */
  readonly baseUrl: string;
  /** Undefined for a key that may read everything in its plan. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** The call that a page with a new key suggests, by the first of the scopes that it has. */
const FIRST_CALLS = Object.entries({
  categories: '/categories',
  companies: '/startups?$top=3',
  rounds: '/startups/fundingrounds?$top=3',
  people: '/persons?$top=3',
  news: '/news?$top=3',
  signals: '/signals?limit=3',
} satisfies Partial<Record<Scope, string>>);
/** Every key may make it, and it is free. */
const FREE_CALL = '/pricing';

/** Shows a new key, once. */
export function keyPage({ key, email, balance, baseUrl, scopes = SCOPES }: NewKey): Page {
  const owner = email === null ? undefined : html` for <strong>${email}</strong>`;
  return {
    status: 200,
    title: 'Your API key',
    copies: true,
    body: html`<p>Copy this key${owner} now and store it as a secret. It is <strong>not shown
again</strong>.</p>
<h2 class="label" id="key-label">API key</h2>
<div class="key" role="textbox" aria-readonly="true" aria-labelledby="key-label" tabindex="0"
data-copy="Copy key">${key.apiKey}</div>
<dl class="facts">
<div><dt>Expires</dt><dd>${expiry(key.expiresAt)}</dd></div>
${balance === undefined ? undefined : left(balance)}
</dl>
<h2 id="call-label">Try it</h2>
<pre tabindex="0" aria-labelledby="call-label" role="region" data-copy="Copy command">${callText(key.apiKey, baseUrl, scopes)}</pre>
<p class="actions">
<a class="button" href="${PLACES.account}">Continue to my account</a>
</p>
<p>Lost the key? Revoke it and create another one.</p>`,
  };
}

function callText(apiKey: string, baseUrl: string, scopes: readonly string[]): string {
  const [, path = FREE_CALL] = FIRST_CALLS.find(([scope]) => scopes.includes(scope)) ?? [];
  return `curl -H "X-Api-Key: ${apiKey}" '${baseUrl}${path}'`;
}

function expiry(expiresAt: Date | null): string | Html {
  return expiresAt === null ? 'Never. You can revoke it at any time.' : moment(expiresAt);
}

function left({ remaining, limit }: Balance): Html {
  return html`<div><dt>Credits left this month</dt>
<dd>${countText(remaining)} of ${countText(limit)}</dd></div>`;
}

/** The input of the form of a new key, and its errors. */
interface KeyFormState {
  readonly status?: number;
  readonly name?: string;
  readonly chosen?: ReadonlySet<Scope>;
  readonly nameError?: string;
  readonly fault?: string;
}

/** The form of a new key. */
export function createKeyPage(plan: Plan, said: KeyFormState = {}): Page {
  const { status = 200, name, chosen = new Set(SCOPES), nameError, fault } = said;
  const invalid =
    nameError === undefined ? undefined : html` aria-invalid="true" aria-errormessage="name-fault"`;
  return {
    status,
    title: 'Create a key',
    body: html`${note(fault, 'bad')}
<p>The key does not expire. The next page shows it once.</p>
<form method="post">
<div class="field">
<label for="name">Name (optional)</label>
<input id="name" name="name" type="text" autocomplete="off" value="${name}"
aria-describedby="name-hint"${invalid}>
<p class="muted" id="name-hint">To recognize the key later, for example “laptop” or “weekly report”.</p>
${nameError === undefined ? undefined : html`<p class="wrong" id="name-fault">${nameError}</p>`}
</div>
${scopeBoxes('Permissions', SCOPES, chosen, plan)}
<p class="muted">With all permissions, the key can read everything in your plan, also after a change of
plan. You can remove permissions later, but not add any.</p>
<p class="actions"><button type="submit">Create key</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

/** The form that removes permissions from a key. */
export function narrowKeyPage(
  key: KeyView,
  plan: Plan,
  said: { readonly status?: number; readonly fault?: string } = {},
): Page {
  const held = key.scopes ?? SCOPES;
  return {
    status: said.status ?? 200,
    title: 'Edit permissions',
    body: html`${note(said.fault, 'bad')}
<p>${named(key)}</p>
<p>Clear the permissions this key should lose. The change takes effect immediately and <strong>cannot be
undone</strong>.</p>
<form method="post">
${scopeBoxes('Permissions', held, new Set(held), plan)}
<p class="actions"><button type="submit">Save permissions</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

/** Confirmation before a key is revoked. */
export function revokeKeyPage(key: KeyView): Page {
  return {
    status: 200,
    title: 'Revoke this key?',
    body: html`<p>${named(key)}, created on ${moment(key.createdAt)}. Permissions: ${scopesText(key.scopes)}.</p>
<p>Calls with this key are rejected as soon as you confirm. This <strong>cannot be
undone</strong>.</p>
<form method="post">
<p class="actions"><button class="danger" type="submit">Revoke key</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

/** A key by name and first characters; without a name, by its first characters. */
function named(key: KeyView): Html {
  const start = html`, starting with <code>${key.hint}</code>`;
  return html`<strong><bdi>${keyName(key)}</bdi></strong>${key.name === null ? undefined : start}`;
}
