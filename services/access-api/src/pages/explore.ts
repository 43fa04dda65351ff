import type { Scope } from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import type { Transaction } from '../accounts/database.ts';
import type { SessionStore } from '../accounts/session.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { DOCS_PATH } from '../keys/endpoints.ts';
import { creationError } from '../keys/key-rules.ts';
import { type Answer, type AreaPage, type OwnerVisit, ownerPage } from './area.ts';
import { UNFINISHED } from './key-parts.ts';
import { textPage } from './layout.ts';

/** The form on the account page that opens the explorer of the documentation. */
export const EXPLORE_PATH = '/account/explore';

/** The explorer reads these, for as long as somebody works with it. */
const SCOPES: readonly Scope[] = ['categories', 'companies', 'rounds'];
const EXPIRES_IN_SECONDS = 4 * 60 * 60;

interface ExploreOptions {
  readonly accountKeys: Pick<AccountKeys, 'create'>;
  readonly sessions: Pick<SessionStore, 'find'>;
}

/**
 * Opens the explorer with a key that expires (docs/spec/authentication.md 2.4). The key is in the fragment of the
 * address, which browsers send to no server and from which the page removes it.
 */
export function explorePages(options: ExploreOptions): AreaPage[] {
  return [ownerPage('POST', EXPLORE_PATH, (visit) => openExplorer(options, visit))];
}

async function openExplorer(
  { accountKeys, sessions }: ExploreOptions,
  { session: { accountId, token } }: OwnerVisit,
): Promise<Answer> {
  const request = {
    ...{ accountId, name: 'Explore', scopes: SCOPES, expiresInSeconds: EXPIRES_IN_SECONDS },
    isStillSignedIn: async (tx: Transaction) => (await sessions.find(token, tx)) !== undefined,
  };
  const creation = await orUnavailable(accountKeys.create(request), UNFINISHED);
  if (creation.status !== 'created') {
    return textPage(409, 'Explore not opened', [creationError(creation.status)]);
  }
  return { redirectTo: `${DOCS_PATH}/explore#key=${creation.key.apiKey}` };
}
