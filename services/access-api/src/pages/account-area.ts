import type { Route } from '@vcds/service-kit';
import { areaRoutes } from './area-page.ts';
import { type KeyActionOptions, keyPages } from './key-actions.ts';
import { type OverviewOptions, overviewPages } from './overview.ts';
import { type SignInOptions, signInPages } from './sign-in.ts';
import { type UsagePagesOptions, usagePages } from './usage.ts';
import type { VisitOptions } from './visit.ts';

export type AccountAreaOptions = VisitOptions &
  SignInOptions &
  Omit<OverviewOptions, 'usage'> &
  KeyActionOptions &
  Omit<UsagePagesOptions, 'usage'> & {
    readonly usage: OverviewOptions['usage'] & UsagePagesOptions['usage'];
  };

/**
 * The account area, where `manage_url` and the mailed link lead: server-rendered pages, and a
 * session cookie.
 */
export function accountAreaRoutes(options: AccountAreaOptions): Route[] {
  return areaRoutes(options, [
    ...signInPages(options),
    ...overviewPages(options),
    ...keyPages(options),
    ...usagePages(options),
  ]);
}
