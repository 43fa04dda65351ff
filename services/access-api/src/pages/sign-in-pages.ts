import type { Issued } from '../registration/issuance.ts';
import { html } from './html.ts';
import type { Page } from './page.ts';

/** The page behind the mailed link. Looking at it changes nothing; its button does. */
export function confirmPage(): Page {
  return {
    status: 200,
    title: 'Create your API key',
    body: html`<p>You opened the link from our e-mail. Press the button to confirm that this address
is yours and to create an API key. The link works once.</p>
<form method="post">
<button type="submit">Create my API key</button>
</form>
<h2>Not you?</h2>
<p>If you did not ask for a key, close this page. Nothing happens unless the button is pressed.</p>`,
  };
}

/** Shows a key, the only time it is shown. */
export function keyPage({ key, email, balance }: Issued, baseUrl: string): Page {
  const expiry =
    key.expiresAt === null ? 'Never; it can be revoked at any time.' : key.expiresAt.toISOString();
  return {
    status: 200,
    title: 'Your API key',
    body: html`<p>This key for <strong>${email}</strong> is shown <strong>once and never
again</strong>. Copy it now and keep it where secrets are kept.</p>
<p id="key-label">API key</p>
<code class="secret" tabindex="0" role="group" aria-labelledby="key-label">${key.apiKey}</code>
<dl>
<dt>Expires</dt>
<dd>${expiry}</dd>
<dt>Credits left this month</dt>
<dd>${String(balance.remaining)} of ${String(balance.limit)}</dd>
</dl>
<h2>Use it</h2>
<pre>curl -H "X-Api-Key: &lt;API_KEY&gt;" "${baseUrl}/categories"</pre>
<p>Lost it? Register again with the same address: a fresh key is made on the same account.</p>`,
  };
}

/** For a link that was used, has expired, or never was. */
export function goneLinkPage(): Page {
  return {
    status: 410,
    title: 'This link no longer works',
    body: html`<p>A link works once and for ten minutes. It was used already, has expired, or was cut
short on its way.</p>
<p>Register again with the same address to get a new one.</p>`,
  };
}

/** For when something the service needs is out of reach. The link stays as it is. */
export function unavailablePage(): Page {
  return {
    status: 503,
    title: 'Not available at the moment',
    body: html`<p>Something we need is out of reach just now. Wait half a minute, then open the link
from the e-mail once more.</p>`,
  };
}
