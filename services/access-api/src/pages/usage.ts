import { isRequestId, type Period, PLANS, periodOf } from '@vcds/metering';
import { type Clock, orUnavailable } from '@vcds/service-kit';
import type { History } from '../accounts/history.ts';
import { planOf } from '../accounts/state.ts';
import type { Position, UsageHistory } from '../credits/usage-history.ts';
import type { UsageSums } from '../credits/usage-sums.ts';
import { type AreaPage, ownerPage } from './area-page.ts';
import { monthParameter, parseMonth } from './format.ts';
import { keyName } from './key-parts.ts';
import { nothingHerePage, type Page, PLACES } from './page.ts';
import { CHARGES_PATH, chargesPage, type KeyNames, monthPage, monthsPage } from './usage-pages.ts';
import type { OwnerVisit } from './visit.ts';

/** Rows on one page of each list. */
const USAGE_SHOWN = Object.freeze({ months: 12, keys: 25, charges: 50 });

interface UsagePagesOptions {
  readonly history: Pick<History, 'findAccount'>;
  readonly charges: Pick<UsageHistory, 'charges' | 'ofRequest'>;
  readonly usage: Pick<UsageSums, 'months' | 'days' | 'endpoints' | 'keys'>;
  readonly clock: Pick<Clock, 'wallMs'>;
}

/** The charges of an account, from the ledger in PostgreSQL: by month, endpoint and key. */
export function usagePages(options: UsagePagesOptions): AreaPage[] {
  return [
    ownerPage('GET', PLACES.usage, (visit) =>
      visit.query.has('month') ? month(options, visit) : months(options, visit),
    ),
    ownerPage('GET', CHARGES_PATH, (visit) =>
      visit.query.has('request') ? chargesOfRequest(options, visit) : charges(options, visit),
    ),
  ];
}

async function months(options: UsagePagesOptions, visit: OwnerVisit): Promise<Page> {
  const text = visit.query.get('before');
  const before = parseMonth(text);
  if (text !== undefined && before === undefined) return nothingHerePage();
  const take = USAGE_SHOWN.months;
  const { accountId } = visit.session;
  const current = periodOf(options.clock.wallMs());
  const [found, days, { allowance }] = await orUnavailable(
    Promise.all([
      options.usage.months(accountId, take + 1, before),
      before === undefined ? options.usage.days(accountId, current) : [],
      accountOf(options, accountId),
    ]),
  );
  const shown = found.slice(0, take);
  const last = found.length > take ? shown.at(-1) : undefined;
  const more = last && `${PLACES.usage}?before=${monthParameter(last.period)}`;
  return monthsPage({ months: shown, days, current, allowance, more });
}

async function month(options: UsagePagesOptions, visit: OwnerVisit): Promise<Page> {
  const period = parseMonth(visit.query.get('month'));
  const skip = skipOf(visit.query.get('skip'));
  if (period === undefined || skip === undefined) return nothingHerePage();
  const { accountId } = visit.session;
  const take = USAGE_SHOWN.keys;
  const [days, endpoints, keys, { names, allowance }] = await orUnavailable(
    Promise.all([
      options.usage.days(accountId, period),
      options.usage.endpoints(accountId, period),
      options.usage.keys(accountId, period, { skip, take: take + 1 }),
      accountOf(options, accountId),
    ]),
  );
  const moreKeys = keys.length > take ? moreKeysOf(period, skip + take) : undefined;
  const shownKeys = keys.slice(0, take);
  return monthPage({ period, days, allowance, endpoints, keys: shownKeys, names, moreKeys });
}

async function charges(options: UsagePagesOptions, visit: OwnerVisit): Promise<Page> {
  const text = visit.query.get('after');
  const after = parsePlace(text);
  if (text !== undefined && after === undefined) return nothingHerePage();
  const { accountId } = visit.session;
  const take = USAGE_SHOWN.charges;
  const page = { limit: take + 1, ...(after === undefined ? {} : { after }) };
  const [found, { names }] = await orUnavailable(
    Promise.all([options.charges.charges(accountId, page), accountOf(options, accountId)]),
  );
  const shown = found.slice(0, take);
  const last = found.length > take ? shown.at(-1) : undefined;
  const more = last && `${CHARGES_PATH}?after=${placeOf(last)}`;
  return chargesPage({ charges: shown, names, more });
}

async function chargesOfRequest(options: UsagePagesOptions, visit: OwnerVisit): Promise<Page> {
  const requestId = visit.query.get('request')?.trim() ?? '';
  if (!isRequestId(requestId)) return nothingHerePage();
  const { accountId } = visit.session;
  const [found, { names }] = await orUnavailable(
    Promise.all([options.charges.ofRequest(requestId, accountId), accountOf(options, accountId)]),
  );
  return chargesPage({ charges: found, names, requestId });
}

async function accountOf(
  { history }: UsagePagesOptions,
  accountId: string,
): Promise<{ readonly names: KeyNames; readonly allowance: number }> {
  const account = await history.findAccount({ id: accountId });
  const keys = account?.keys ?? [];
  return {
    names: new Map(keys.map(({ id, label, hint }) => [id, keyName({ name: label, hint })])),
    allowance: account === null ? 0 : PLANS[planOf(account)].creditsPerMonth,
  };
}

function moreKeysOf(period: Period, skip: number): string {
  return `${PLACES.usage}?month=${monthParameter(period)}&skip=${skip}`;
}

function skipOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0;
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

// A position in the list of charges: the instant in milliseconds, then the number of the charge.
function placeOf({ chargedAt, seq }: Position): string {
  return `${chargedAt.getTime()}-${seq}`;
}

function parsePlace(text: string | undefined): Position | undefined {
  const [, ms, seq] = /^(\d{1,15})-(\d{1,18})$/.exec(text ?? '') ?? [];
  if (ms === undefined || seq === undefined) return undefined;
  return { chargedAt: new Date(Number(ms)), seq: BigInt(seq) };
}
