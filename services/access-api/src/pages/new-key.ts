import { SCOPES, type Scope } from '@vcds/credentials';
import type { Plan } from '@vcds/metering';
import { orUnavailable } from '@vcds/service-kit';
import { type AccountViewOptions, readAccount } from '../accounts/account-view.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { dataUrl } from '../keys/endpoints.ts';
import { creationError, readCreditLimit, readKeyName } from '../keys/key-rules.ts';
import { type AreaPage, type OwnerVisit, ownerPage } from './area.ts';
import { html } from './html.ts';
import {
  chosenScopes,
  grantedScopes,
  LIMIT_FIELD,
  limitField,
  NEW_KEY_PATH,
  NO_SCOPE,
  scopeBoxes,
  UNFINISHED,
} from './key-parts.ts';
import { type Page, PLACES, textPage } from './layout.ts';
import { note } from './parts.ts';
import { shownKeyPage } from './shown-key.ts';

interface NewKeyOptions extends AccountViewOptions {
  readonly accountKeys: Pick<AccountKeys, 'create'>;
  /** Public root of data-api, without a version segment. */
  readonly dataPublicUrl: string;
}

/** Creating a key. */
export function newKeyPages(options: NewKeyOptions): AreaPage[] {
  return [
    ownerPage('GET', NEW_KEY_PATH, async ({ session }) =>
      newKeyForm((await readAccount(options, session.accountId)).plan),
    ),
    ownerPage('POST', NEW_KEY_PATH, (visit) => createKey(options, visit)),
  ];
}

async function createKey(options: NewKeyOptions, visit: OwnerVisit): Promise<Page> {
  const { form, isStillSignedIn } = visit;
  const { accountId } = visit.session;
  // Read first: after the key is created, no error may prevent showing it.
  const { plan, email, balance } = await readAccount(options, accountId);
  const typed = form.get('name') ?? '';
  const name = readKeyName(typed);
  const chosen = chosenScopes(form);
  const limitText = form.get(LIMIT_FIELD) ?? '';
  const limit = readCreditLimit(limitText);
  if ('fault' in name || 'fault' in limit || chosen.size === 0) {
    const nameError = 'fault' in name ? name.fault : undefined;
    const limitError = 'fault' in limit ? limit.fault : undefined;
    const fault = chosen.size === 0 ? NO_SCOPE : undefined;
    const entered = { name: typed, limit: limitText, chosen };
    return newKeyForm(plan, { status: 400, ...entered, nameError, limitError, fault });
  }
  const scopes = grantedScopes(chosen);
  const { creditLimit } = limit;
  const request = { accountId, name: name.name, scopes, creditLimit, isStillSignedIn };
  const creation = await orUnavailable(options.accountKeys.create(request), UNFINISHED);
  if (creation.status !== 'created') {
    return textPage(409, 'Key not created', [creationError(creation.status)]);
  }
  return shownKeyPage({ key: creation.key, email, balance, baseUrl: dataUrl(options), scopes });
}

/** The input of the form, and its errors. */
interface FormState {
  readonly status?: number;
  readonly name?: string;
  readonly limit?: string;
  readonly chosen?: ReadonlySet<Scope>;
  readonly nameError?: string | undefined;
  readonly limitError?: string | undefined;
  readonly fault?: string | undefined;
}

function newKeyForm(plan: Plan, said: FormState = {}): Page {
  const { status = 200, name, limit, chosen = new Set(SCOPES), ...faults } = said;
  const { nameError, limitError, fault } = faults;
  const invalid =
    nameError === undefined ? undefined : html` aria-invalid="true" aria-errormessage="name-fault"`;
  return {
    status,
    title: 'Create a key',
    body: html`${note(fault, 'bad')}
<p>The key does not expire. The next page shows it once.</p>
<form method="post">
<div class="field">
<label for="name">Name (optional)</label>
<input id="name" name="name" type="text" autocomplete="off" value="${name}"
aria-describedby="name-hint"${invalid}>
<p class="muted" id="name-hint">To recognize the key later, for example “laptop” or “weekly report”.</p>
${nameError === undefined ? undefined : html`<p class="wrong" id="name-fault">${nameError}</p>`}
</div>
${limitField(limit, limitError)}
${scopeBoxes(SCOPES, chosen, plan)}
<p class="muted">With all permissions, the key can read everything in your plan, also after a change of
plan. You can remove permissions later, but not add any.</p>
<p class="actions"><button type="submit">Create key</button>
<a href="${PLACES.account}">Cancel</a></p>
</form>`,
  };
}
