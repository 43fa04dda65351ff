import type { Scope } from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import type { AccountKeys } from '../keys/account-keys.ts';
import { DOCS_PATH } from '../keys/endpoints.ts';
import { creationError } from '../keys/key-rules.ts';
import { type Answer, type AreaPage, type OwnerVisit, ownerPage } from './area.ts';
import { UNFINISHED } from './key-parts.ts';
import { textPage } from './layout.ts';

/** The form on the account page that opens the explorer or the reference of the documentation. */
export const EXPLORE_PATH = '/account/explore';

/** The field `page` of the form; the explorer reads these scopes, the reference all that the plan has. */
const EXPLORE: PageWithKey = {
  ...{ path: 'explore', name: 'Explore' },
  scopes: ['categories', 'companies', 'rounds'],
};
const REFERENCE: PageWithKey = { path: 'reference/startups', name: 'Reference', scopes: undefined };
/** As long as somebody works with it. */
const EXPIRES_IN_SECONDS = 4 * 60 * 60;

interface PageWithKey {
  readonly path: string;
  readonly name: string;
  /** Undefined: all that the account has. */
  readonly scopes: readonly Scope[] | undefined;
}

interface ExploreOptions {
  readonly accountKeys: Pick<AccountKeys, 'create'>;
}

/**
 * Opens the explorer with a key that expires (docs/spec/authentication.md 2.4). The key is in the fragment of the
 * address, which browsers send to no server and from which the page removes it.
 */
export function explorePages(options: ExploreOptions): AreaPage[] {
  return [ownerPage('POST', EXPLORE_PATH, (visit) => openExplorer(options, visit))];
}

async function openExplorer(
  { accountKeys }: ExploreOptions,
  { form, session: { accountId }, isStillSignedIn }: OwnerVisit,
): Promise<Answer> {
  const { path, name, scopes } = form.get('page') === 'reference' ? REFERENCE : EXPLORE;
  const request = {
    ...{ accountId, name, scopes, isStillSignedIn, expiresInSeconds: EXPIRES_IN_SECONDS },
  };
  const creation = await orUnavailable(accountKeys.create(request), UNFINISHED);
  if (creation.status !== 'created') {
    return textPage(409, 'Explore not opened', [creationError(creation.status)]);
  }
  return { redirectTo: `${DOCS_PATH}/${path}#key=${creation.key.apiKey}` };
}
