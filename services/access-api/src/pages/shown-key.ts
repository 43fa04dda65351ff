import { SCOPES, type Scope } from '@vcds/credentials';
import type { Balance } from '@vcds/metering';
import type { IssuedKey } from '../accounts/key.ts';
import { countText, moment } from './format.ts';
import { html } from './html.ts';
import { type Page, PLACES } from './layout.ts';

export interface ShownKey {
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
export function shownKeyPage({ key, email, balance, baseUrl, scopes = SCOPES }: ShownKey): Page {
  const { apiKey, expiresAt } = key;
  const named: readonly string[] = scopes;
  const [, path = FREE_CALL] = FIRST_CALLS.find(([scope]) => named.includes(scope)) ?? [];
  const call = `curl -H "X-Api-Key: ${apiKey}" '${baseUrl}${path}'`;
  const owner = email === null ? undefined : html` for <strong>${email}</strong>`;
  const left =
    balance &&
    html`<div><dt>Credits left this month</dt>
<dd>${countText(balance.remaining)} of ${countText(balance.limit)}</dd></div>`;
  return {
    title: 'Your API key',
    copies: true,
    body: html`<p>Copy this key${owner} now and store it as a secret. It is <strong>not shown
again</strong>.</p>
<h2 class="label" id="key-label">API key</h2>
<div class="key" role="textbox" aria-readonly="true" aria-labelledby="key-label" tabindex="0"
data-copy="Copy key">${apiKey}</div>
<dl class="facts">
<div><dt>Expires</dt>
<dd>${expiresAt === null ? 'Never. You can revoke it at any time.' : moment(expiresAt)}</dd></div>
${left}
</dl>
<h2 id="call-label">Try it</h2>
<pre tabindex="0" aria-labelledby="call-label" role="region" data-copy="Copy command">${call}</pre>
<p class="actions">
<a class="button" href="${PLACES.account}">Continue to my account</a>
</p>
<p>Lost the key? Revoke it and create another one.</p>`,
  };
}
