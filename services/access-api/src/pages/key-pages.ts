import { SCOPES, type Scope } from '@vcds/credentials';
import type { Balance, Plan } from '@vcds/metering';
import type { KeyView } from '../account-area/account-view.ts';
import type { IssuedKey } from '../accounts/accounts.ts';
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
  /** Root of the data API, version and all. */
  readonly baseUrl: string;
}

/** Shows a key, the only time it is shown. */
export function keyPage({ key, email, balance, baseUrl }: NewKey): Page {
  const owner = email === null ? undefined : html` for <strong>${email}</strong>`;
  return {
    status: 200,
    title: 'Your API key',
    body: html`<p>This key${owner} is shown <strong>once and never again</strong>. Copy it now and
keep it where secrets are kept.</p>
<div class="field">
<label for="api-key">API key</label>
<input class="key" id="api-key" type="text" readonly autocomplete="off" spellcheck="false"
value="${key.apiKey}" aria-describedby="copying">
<p class="muted" id="copying">To copy it: select all of the field, then copy.</p>
</div>
<dl class="facts">
<div><dt>Expires</dt><dd>${expiry(key.expiresAt)}</dd></div>
${balance === undefined ? undefined : left(balance)}
</dl>
<p class="actions">
<a class="button" href="${PLACES.account}">I have copied it; to my account</a>
</p>
<h2>Use it</h2>
<pre>curl -H "X-Api-Key: &lt;API_KEY&gt;" "${baseUrl}/categories"</pre>
<p>Lost it? Create another one, and revoke this one.</p>`,
  };
}

function expiry(expiresAt: Date | null): string | Html {
  return expiresAt === null ? 'Never; you can revoke it at any time.' : moment(expiresAt);
}

function left({ remaining, limit }: Balance): Html {
  return html`<div><dt>Credits left this month</dt>
<dd>${countText(remaining)} of ${countText(limit)}</dd></div>`;
}

/** What was typed into the form of a new key, and what is wrong with it. */
export interface KeyWishSaid {
  readonly status?: number;
  readonly name?: string;
  readonly chosen?: ReadonlySet<Scope>;
  readonly nameFault?: string;
  readonly fault?: string;
}

/** The form of a new key. */
export function createKeyPage(token: Html, plan: Plan, said: KeyWishSaid = {}): Page {
  const { status = 200, name, chosen = new Set(SCOPES), nameFault, fault } = said;
  const invalid =
    nameFault === undefined ? undefined : html` aria-invalid="true" aria-errormessage="name-fault"`;
  return {
    status,
    title: 'Create a key',
    body: html`${note(fault, 'bad')}
<p>The key does not expire. It is shown once, on the next page.</p>
<form method="post">${token}
<div class="field">
<label for="name">Name, if you like</label>
<input id="name" name="name" type="text" autocomplete="off" value="${name}"
aria-describedby="name-hint"${invalid}>
<p class="muted" id="name-hint">To tell your keys apart: “laptop”, “weekly report”.</p>
${nameFault === undefined ? undefined : html`<p class="wrong" id="name-fault">${nameFault}</p>`}
</div>
${scopeBoxes('What it may reach', SCOPES, chosen, plan)}
<p class="muted">With every box ticked the key reaches whatever your plan allows, also after a
change of plan. A key can be narrowed later, but not widened.</p>
<p class="actions"><button type="submit">Create the key</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

/** The form that takes scopes away from a key. */
export function narrowKeyPage(
  token: Html,
  key: KeyView,
  plan: Plan,
  said: { readonly status?: number; readonly fault?: string } = {},
): Page {
  const held = key.scopes ?? SCOPES;
  return {
    status: said.status ?? 200,
    title: 'Narrow a key',
    body: html`${note(said.fault, 'bad')}
<p>This is about <strong><bdi>${keyName(key)}</bdi></strong>, which begins with
<code>${key.hint}</code>. Take away the ticks of what it should not reach any more. It takes effect
at once, and <strong>cannot be undone</strong>: a key is never widened.</p>
<form method="post">${token}
${scopeBoxes('What it may still reach', held, new Set(held), plan)}
<p class="actions"><button type="submit">Narrow the key</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

/** Asks before a key is revoked. */
export function revokeKeyPage(token: Html, key: KeyView): Page {
  return {
    status: 200,
    title: 'Revoke this key?',
    body: html`<p>This is about <strong><bdi>${keyName(key)}</bdi></strong>, which begins with
<code>${key.hint}</code> and was created on ${moment(key.createdAt)}. What it reaches:
${scopesText(key.scopes)}.</p>
<p>Whatever uses it is refused from the moment you press the button. It
<strong>cannot be undone</strong>.</p>
<form method="post">${token}
<p class="actions"><button class="danger" type="submit">Revoke the key</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}

/** When no key could be made, or nothing can be done to it any more. */
export function keyRefusedPage(status: number, title: string, why: string): Page {
  return {
    status,
    title,
    body: html`<p>${why}</p>
<p><a href="${PLACES.account}">Go to the account page</a></p>`,
  };
}
