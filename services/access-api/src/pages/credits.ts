import { SCOPES } from '@vcds/credentials';
import { PLANS, type Plan, SCOPE_TEXTS } from '@vcds/metering';
import {
  type AccountView,
  type AccountViewOptions,
  readAccount,
} from '../accounts/account-view.ts';
import { standing } from './account.ts';
import { type AreaPage, openPage, type Visit } from './area.ts';
import { countText } from './format.ts';
import { type Html, html } from './html.ts';
import { type Page, PLACES } from './layout.ts';
import { table } from './parts.ts';

interface CreditsOptions extends AccountViewOptions {
  /** The contact address for more credits. */
  readonly supportEmail: string | undefined;
}

/** How to get more credits; the `purchase_credits` action of an exhausted call links to it. */
export function creditsPages(options: CreditsOptions): AreaPage[] {
  return [openPage('GET', PLACES.credits, (visit) => creditsPage(options, visit))];
}

async function creditsPage(options: CreditsOptions, { session }: Visit): Promise<Page> {
  const account = session === undefined ? undefined : await readAccount(options, session.accountId);
  const signedOut = html`<p><a href="${PLACES.account}">Sign in</a> to see the credits of your
account.</p>`;
  return {
    title: 'Credits and plans',
    place: 'credits',
    body: html`${account === undefined ? signedOut : standing(account)}
<h2>Plans</h2>
${plansTable(account?.plan)}
<p>The allowance is reset on the first of each month at 00:00 UTC; unused credits do not carry over.
Purchased credits are used after the allowance and do not expire.</p>
<h2>Get more credits</h2>
<ul class="plain">
<li><strong>Wait</strong> until the allowance is reset.</li>
<li><strong>Request fewer records</strong>: most calls are priced per record, so a smaller
<code>$top</code> or <code>limit</code> costs less and may succeed with the credits you have.</li>
<li><strong>Change your plan or buy credits</strong>: ${whomToAsk(account, options.supportEmail)}</li>
</ul>
<p>The rate card lists the price of every call: <code>GET /pricing</code> of the data API, free of
charge.</p>`,
  };
}

function plansTable(current: Plan | undefined): Html {
  const rows = Object.values(PLANS).map((plan) => [
    plan.id === current?.id ? html`${plan.name} <span class="state">(current)</span>` : plan.name,
    countText(plan.creditsPerMonth),
    countText(plan.topMax),
    included(plan),
  ]);
  const columns = [
    { heading: 'Plan' },
    { heading: 'Credits per month', isNumber: true },
    { heading: 'Records per call', isNumber: true },
    { heading: 'Includes' },
  ];
  return table('Plans, with the maximum number of records per call', columns, rows);
}

function included({ entitlements }: Plan): string {
  const left = SCOPES.filter((scope) => !entitlements.includes(scope));
  if (left.length === 0) return 'Everything';
  return `Everything except ${left.map((scope) => SCOPE_TEXTS[scope].title.toLowerCase()).join(' and ')}`;
}

function whomToAsk(account: AccountView | undefined, supportEmail: string | undefined): Html {
  if (supportEmail === undefined) {
    return html`contact the operator of this service.`;
  }
  const subject = encodeURIComponent('More credits');
  const whose =
    account?.email == null
      ? 'the email address of your account'
      : html`your address, ${account.email}`;
  const link = html`<a href="mailto:${supportEmail}?subject=${subject}">${supportEmail}</a>`;
  return html`write to ${link}. State the plan or the number of credits that you want, and
${whose}. Credits cannot be bought on this page.`;
}
