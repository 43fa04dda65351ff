import { orUnavailable } from '@vcds/service-kit';
import { type AccountViewOptions, readAccount } from '../accounts/account-view.ts';
import type { UsageSums } from '../credits/usage-sums.ts';
import { ACCOUNT_KEY_LIMITS } from '../keys/key-rules.ts';
import { accountPage, DONE } from './account-pages.ts';
import { type AreaPage, openPage } from './area-page.ts';
import { creditsPage } from './credits-page.ts';
import { nothingHerePage, type Page, PLACES } from './page.ts';
import { signInPage } from './sign-in-pages.ts';
import { isOwnerVisit, type OwnerVisit, type Visit } from './visit.ts';

/** Keys on one page. */
export const KEYS_SHOWN = 20;

interface OverviewOptions extends AccountViewOptions {
  readonly usage: Pick<UsageSums, 'lastCharged'>;
  /** The contact address for more credits. */
  readonly supportEmail: string | undefined;
}

/** The account page, which is the sign-in form for signed-out users, and the credits page. */
export function overviewPages(options: OverviewOptions): AreaPage[] {
  return [
    openPage('GET', PLACES.account, (visit) =>
      isOwnerVisit(visit) ? overview(options, visit) : signInPage(),
    ),
    openPage('GET', PLACES.credits, (visit) => credits(options, visit)),
    openPage('GET', '/account/*rest', () => nothingHerePage()),
  ];
}

async function overview(options: OverviewOptions, visit: OwnerVisit): Promise<Page> {
  const { accountId } = visit.session;
  const [account, lastCharged] = await Promise.all([
    readAccount(options, accountId),
    orUnavailable(options.usage.lastCharged(accountId)),
  ]);
  const pages = Math.max(1, Math.ceil(account.keys.length / KEYS_SHOWN));
  const page = pageOf(visit.query.get('page'), pages);
  if (page === undefined) return nothingHerePage();
  return accountPage({
    account,
    lastCharged,
    liveMax: ACCOUNT_KEY_LIMITS.liveMax,
    notice: DONE.get(visit.query.get('done') ?? ''),
    page,
    pages,
    shownKeys: account.keys.slice((page - 1) * KEYS_SHOWN, page * KEYS_SHOWN),
  });
}

async function credits(options: OverviewOptions, visit: Visit): Promise<Page> {
  const { session } = visit;
  const account = session === undefined ? undefined : await readAccount(options, session.accountId);
  return creditsPage(account, options.supportEmail);
}

// Undefined: there is no such page.
function pageOf(text: string | undefined, pages: number): number | undefined {
  if (text === undefined) return 1;
  const page = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN;
  return page <= pages ? page : undefined;
}
