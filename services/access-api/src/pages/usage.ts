import { type Period, PLANS, periodOf } from '@vcds/metering';
import { type Clock, orUnavailable } from '@vcds/service-kit';
import type { History } from '../accounts/history.ts';
import { planOf } from '../accounts/state.ts';
import type { DaySum, Sum, UsageSums } from '../credits/usage-sums.ts';
import { type AreaPage, type OwnerVisit, ownerPage } from './area.ts';
import { countText, monthParameter, monthText, parseMonth } from './format.ts';
import { type Html, html } from './html.ts';
import { keyName } from './key-parts.ts';
import { nothingHerePage, type Page, PLACES } from './layout.ts';
import { type Column, older, table } from './parts.ts';
import { usageChart } from './usage-chart.ts';

/** The list of all charges. */
export const CHARGES_PATH = '/account/usage/charges';
/** Rows on one page of each list. */
const SHOWN = Object.freeze({ months: 12, keys: 25 });

export interface UsageOptions {
  readonly history: Pick<History, 'findAccount'>;
  readonly usage: Pick<UsageSums, 'months' | 'days' | 'endpoints' | 'keys'>;
  readonly clock: Pick<Clock, 'wallMs'>;
}

/** The charges of an account, from the ledger in PostgreSQL: by month, endpoint and key. */
export function usagePages(options: UsageOptions): AreaPage[] {
  return [
    ownerPage('GET', PLACES.usage, (visit) =>
      visit.query.has('month') ? monthPage(options, visit) : monthsPage(options, visit),
    ),
  ];
}

/** All months with charges, below a chart of the current one. */
async function monthsPage(options: UsageOptions, { query, session }: OwnerVisit): Promise<Page> {
  const text = query.get('before');
  const before = parseMonth(text);
  if (text !== undefined && before === undefined) return nothingHerePage();
  const { usage, clock } = options;
  const { accountId } = session;
  const current = periodOf(clock.wallMs());
  const [found, days, { allowance }] = await orUnavailable(
    Promise.all([
      usage.months(accountId, SHOWN.months + 1, before),
      before === undefined ? usage.days(accountId, current) : [],
      chargedAccount(options, accountId),
    ]),
  );
  const shown = found.slice(0, SHOWN.months);
  const last = found.length > SHOWN.months ? shown.at(-1) : undefined;
  const rows = shown.map((month) => [monthCell(month.period), ...sums(month)]);
  return {
    title: 'Usage',
    place: 'usage',
    body: html`${days.length === 0 ? undefined : currentChart(current, days, allowance)}
${
  rows.length === 0
    ? html`<p>No charges yet.</p>`
    : table('Credits by month', [{ heading: 'Month' }, ...SUM_COLUMNS], rows)
}
${older(last && `${PLACES.usage}?before=${monthParameter(last.period)}`, 'Earlier months')}
<p><a href="${CHARGES_PATH}">All charges</a></p>
${LAG}`,
  };
}

/** One month, by endpoint and by key. */
async function monthPage(options: UsageOptions, { query, session }: OwnerVisit): Promise<Page> {
  const period = parseMonth(query.get('month'));
  const skip = skipOf(query.get('skip'));
  if (period === undefined || skip === undefined) return nothingHerePage();
  const { usage } = options;
  const { accountId } = session;
  const [days, endpoints, keys, { names, allowance }] = await orUnavailable(
    Promise.all([
      usage.days(accountId, period),
      usage.endpoints(accountId, period),
      usage.keys(accountId, period, { skip, take: SHOWN.keys + 1 }),
      chargedAccount(options, accountId),
    ]),
  );
  const next = `${PLACES.usage}?month=${monthParameter(period)}&skip=${skip + SHOWN.keys}`;
  const byEndpoint = endpoints.map((sum) => [html`<code>${sum.endpoint}</code>`, ...sums(sum)]);
  const byKey = keys.slice(0, SHOWN.keys).map((sum) => [keyCell(names, sum.keyId), ...sums(sum)]);
  const sections = html`${usageChart({ period, days, allowance })}
<h2>By endpoint</h2>
${table('Credits by endpoint', [{ heading: 'Endpoint' }, ...SUM_COLUMNS], byEndpoint)}
<h2>By key</h2>
${table('Credits by key', [{ heading: 'Key' }, ...SUM_COLUMNS], byKey)}
${older(keys.length > SHOWN.keys ? next : undefined, 'Other keys')}`;
  return {
    title: `Usage in ${monthText(period)}`,
    place: 'usage',
    body: html`<p><a href="${PLACES.usage}">All months</a></p>
${endpoints.length === 0 ? html`<p>No charges in this month.</p>` : sections}
${LAG}`,
  };
}

function skipOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

const SUM_COLUMNS: readonly Column[] = ['Calls', 'Credits', 'Purchased'].map((heading) => ({
  ...{ heading, isNumber: true },
}));

/** Below each list of charges. */
export const LAG = html`<p class="muted">Calls appear here after a second or two. Free calls and errors are not
listed.</p>`;

/** The names of keys by their ids. */
export type KeyNames = ReadonlyMap<string, string>;

/** The names of the keys of an account, and its credits a month. */
export async function chargedAccount(
  { history }: Pick<UsageOptions, 'history'>,
  accountId: string,
): Promise<{ readonly names: KeyNames; readonly allowance: number }> {
  const account = await history.findAccount({ id: accountId });
  const keys = account?.keys ?? [];
  return {
    names: new Map(keys.map(({ id, label, hint }) => [id, keyName({ name: label, hint })])),
    allowance: account === null ? 0 : PLANS[planOf(account)].creditsPerMonth,
  };
}

export function keyCell(names: KeyNames, keyId: string): Html {
  return html`<bdi>${names.get(keyId) ?? `Key ${keyId.slice(0, 8)}`}</bdi>`;
}

function currentChart(period: Period, days: readonly DaySum[], allowance: number): Html {
  return html`<h2>${monthText(period)}</h2>
${usageChart({ period, days, allowance })}
<h2>By month</h2>`;
}

function monthCell(period: Period): Html {
  const to = `${PLACES.usage}?month=${monthParameter(period)}`;
  return html`<a href="${to}">${monthText(period)}</a>`;
}

function sums({ calls, charged, purchased }: Sum): string[] {
  return [calls, charged, purchased].map(countText);
}
