import type { Period } from '@vcds/metering';
import type { ChargeRecord } from '../credits/usage-history.ts';
import type { DaySum, EndpointSum, KeySum, MonthSum, Sum } from '../credits/usage-sums.ts';
import { countText, moment, monthParameter, monthText } from './format.ts';
import { type Html, html } from './html.ts';
import { type Page, PLACES } from './page.ts';
import { type Column, table } from './parts.ts';
import { usageChart } from './usage-chart.ts';

/** The list of all charges. */
export const CHARGES_PATH = '/account/usage/charges';

const SUM_COLUMNS: readonly Column[] = [
  { heading: 'Calls', isNumber: true },
  { heading: 'Credits', isNumber: true },
  { heading: 'Purchased', isNumber: true },
];
const LAG = html`<p class="muted">Calls appear here after a second or two. Free calls and errors are not
listed.</p>`;

/** The name of a key. */
export type KeyNames = ReadonlyMap<string, string>;

/** The chart of the current month, and all months with charges. */
interface MonthsPageInput {
  readonly months: readonly MonthSum[];
  /** Of the current month. */
  readonly days: readonly DaySum[];
  readonly current: Period;
  /** Credits a month of the account's plan. */
  readonly allowance: number;
  /** The link to older months. */
  readonly more: string | undefined;
}

/** All months with charges, below a chart of the current one. */
export function monthsPage({ months, days, current, allowance, more }: MonthsPageInput): Page {
  const rows = months.map((month) => [monthCell(month.period), ...sums(month)]);
  return {
    status: 200,
    title: 'Usage',
    place: 'usage',
    body: html`${days.length === 0 ? undefined : chartOf(current, days, allowance)}
${
  rows.length === 0
    ? html`<p>No charges yet.</p>`
    : table('Credits by month', [{ heading: 'Month' }, ...SUM_COLUMNS], rows)
}
${older(more, 'Earlier months')}
<p><a href="${CHARGES_PATH}">All charges</a></p>
${LAG}`,
  };
}

interface MonthPageInput {
  readonly period: Period;
  readonly days: readonly DaySum[];
  /** Credits a month of the account's plan. */
  readonly allowance: number;
  readonly endpoints: readonly EndpointSum[];
  readonly keys: readonly KeySum[];
  readonly names: KeyNames;
  /** The link to further keys. */
  readonly moreKeys: string | undefined;
}

/** One month, by endpoint and by key. */
export function monthPage(input: MonthPageInput): Page {
  const { period, days, allowance, endpoints, keys, names, moreKeys } = input;
  const byEndpoint = endpoints.map((sum) => [html`<code>${sum.endpoint}</code>`, ...sums(sum)]);
  const byKey = keys.map((sum) => [keyCell(names, sum.keyId), ...sums(sum)]);
  return {
    status: 200,
    title: `Usage in ${monthText(period)}`,
    place: 'usage',
    body: html`<p><a href="${PLACES.usage}">All months</a></p>
${
  endpoints.length === 0
    ? html`<p>No charges in this month.</p>`
    : html`${usageChart({ period, days, allowance })}
<h2>By endpoint</h2>
${table('Credits by endpoint', [{ heading: 'Endpoint' }, ...SUM_COLUMNS], byEndpoint)}
<h2>By key</h2>
${table('Credits by key', [{ heading: 'Key' }, ...SUM_COLUMNS], byKey)}
${older(moreKeys, 'Other keys')}`
}
${LAG}`,
  };
}

interface ChargesPageInput {
  readonly charges: readonly ChargeRecord[];
  readonly names: KeyNames;
  /** The request id whose charges they are; undefined: all. */
  readonly requestId?: string | undefined;
  /** The link to older ones. */
  readonly more?: string | undefined;
}

/** Single charges, newest first, and a search for the charge of one call. */
export function chargesPage({ charges, names, requestId, more }: ChargesPageInput): Page {
  const columns = [
    { heading: 'When' },
    { heading: 'Endpoint' },
    { heading: 'Key' },
    { heading: 'Request id' },
    { heading: 'Credits', isNumber: true },
  ];
  const rows = charges.map(({ chargedAt, endpoint, keyId, requestId, charged }) => [
    moment(chargedAt),
    html`<code>${endpoint}</code>`,
    keyCell(names, keyId),
    html`<code>${requestId}</code>`,
    countText(charged),
  ]);
  return {
    status: 200,
    title: 'All charges',
    place: 'usage',
    body: html`<p><a href="${PLACES.usage}">By month</a></p>
${requestSearch(requestId)}
${
  rows.length === 0
    ? html`<p>${requestId === undefined ? NO_CHARGES : NO_SUCH_CHARGE}</p>`
    : table('Charges, newest first', columns, rows)
}
${older(more, 'Earlier charges')}
${LAG}`,
  };
}

const NO_CHARGES = 'No charges.';
const NO_SUCH_CHARGE =
  'No charge of this account has this request id. Free calls and errors are not charged.';

// The id is in X-Request-Id of every response.
function requestSearch(requestId = ''): Html {
  return html`<form method="get" action="${CHARGES_PATH}">
<div class="field">
<label for="request">Request id (the X-Request-Id header of the response)</label>
<input id="request" name="request" value="${requestId}" minlength="8" maxlength="64"
pattern="[0-9A-Za-z\\-]+" required autocomplete="off" spellcheck="false">
</div>
<p class="actions"><button class="second small">Find charge</button></p>
</form>`;
}

function chartOf(period: Period, days: readonly DaySum[], allowance: number): Html {
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

function keyCell(names: KeyNames, keyId: string): Html {
  return html`<bdi>${names.get(keyId) ?? `Key ${keyId.slice(0, 8)}`}</bdi>`;
}

function older(to: string | undefined, text: string): Html | undefined {
  return to === undefined ? undefined : html`<p><a href="${to}" rel="next">${text}</a></p>`;
}
