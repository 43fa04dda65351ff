import { PLANS, type Plan, SCOPE_TITLES, SCOPES } from '@vcds/metering';
import type { AccountView } from '../account-area/account-view.ts';
import { standing } from './account-pages.ts';
import { countText } from './format.ts';
import { type Html, html } from './html.ts';
import { type Page, PLACES } from './page.ts';
import { table } from './parts.ts';

/** How to get more credits: where `purchase_credits` of an exhausted call leads (spec §7.1). */
export function creditsPage(
  account: AccountView | undefined,
  supportEmail: string | undefined,
): Page {
  return {
    status: 200,
    title: 'Credits and plans',
    place: 'credits',
    body: html`${account === undefined ? signedOut() : standing(account)}
<h2>Plans</h2>
${plansTable(account?.plan)}
<p>An allowance is refilled on the first of each month, 00:00 UTC; what is left of it lapses.
Purchased credits are spent after the allowance and do not lapse.</p>
<h2>Getting more credits</h2>
<ul class="plain">
<li><strong>Wait</strong> for the first of the month.</li>
<li><strong>Ask for less</strong>: most calls are priced by the record, so a smaller
<code>$top</code> or <code>limit</code> costs less, and may get through on what is left.</li>
<li><strong>Change the plan or buy credits</strong>: ${whomToAsk(account, supportEmail)}</li>
</ul>
<p>What each call costs is in the rate card, <code>GET /pricing</code> of the data API; asking for
it is free.</p>`,
  };
}

function signedOut(): Html {
  return html`<p>To see what your own account has left,
<a href="${PLACES.account}">sign in</a>.</p>`;
}

function plansTable(current: Plan | undefined): Html {
  const rows = Object.values(PLANS).map((plan) => [
    plan.id === current?.id ? html`${plan.name} <span class="state">(yours)</span>` : plan.name,
    countText(plan.creditsPerMonth),
    countText(plan.topMax),
    missing(plan),
  ]);
  const columns = [
    { heading: 'Plan' },
    { heading: 'Credits a month', isNumber: true },
    { heading: 'Records a call', isNumber: true },
    { heading: 'Reaches' },
  ];
  return table('What each plan gives; records a call are at most so many', columns, rows);
}

function missing({ entitlements }: Plan): string {
  const left = SCOPES.filter((scope) => !entitlements.includes(scope));
  if (left.length === 0) return 'Everything';
  return `Everything but ${left.map((scope) => SCOPE_TITLES[scope].toLowerCase()).join(' and ')}`;
}

function whomToAsk(account: AccountView | undefined, supportEmail: string | undefined): Html {
  if (supportEmail === undefined) {
    return html`ask whoever runs this service for you. They have named no address to write to
here.`;
  }
  const subject = encodeURIComponent('More credits');
  const whose =
    account?.email == null
      ? 'the e-mail address of your account'
      : html`your address, ${account.email}`;
  const link = html`<a href="mailto:${supportEmail}?subject=${subject}">${supportEmail}</a>`;
  return html`write to ${link}. Say which plan or how many credits, and ${whose}. A person answers;
nothing is bought on this page.`;
}
