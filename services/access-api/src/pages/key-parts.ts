import { isScope, SCOPES, type Scope } from '@vcds/credentials';
import { type Plan, SCOPE_TEXTS } from '@vcds/metering';
import type { KeyView } from '../accounts/account-view.ts';
import { type Html, html } from './html.ts';

export const NEW_KEY_PATH = '/account/keys/new';
/** The name of the check boxes. */
const SCOPE_FIELD = 'scope';

/** For an action whose outcome is not known. */
export const UNFINISHED =
  'The request could not be completed. Check your keys before you retry: it may have taken effect.';
export const NO_SCOPE = 'Select at least one permission.';

/** The name of a key on pages. */
export function keyName({ name, hint }: Pick<KeyView, 'name' | 'hint'>): string {
  return name ?? `Key ${hint}`;
}

/** The word for a key on pages; the owner does not see the text of that of a connection. */
export function kindOf({ isConnection }: Pick<KeyView, 'isConnection'>): string {
  return isConnection ? 'connection' : 'key';
}

/** The path of an action on a key. */
export function keyPath(keyId: string, action: 'scopes' | 'limit' | 'revoke'): string {
  return `/account/keys/${keyId}/${action}`;
}

/** The permissions of a key, by the titles of its scopes. */
export function scopesText(scopes: readonly Scope[] | null): string {
  return scopes === null
    ? 'Everything in the plan'
    : scopes.map((scope) => SCOPE_TEXTS[scope].title).join(', ');
}

/** One check box per scope, with its description and whether the plan includes it. */
export function scopeBoxes(
  offered: readonly Scope[],
  chosen: ReadonlySet<Scope>,
  plan: Plan,
): Html {
  const boxes = SCOPES.filter((scope) => offered.includes(scope)).map((scope) => {
    const id = `scope-${scope}`;
    const checked = chosen.has(scope) ? html` checked` : undefined;
    const note = plan.entitlements.includes(scope) ? '' : ` Not included in the ${plan.name} plan.`;
    return html`<div class="check">
<input type="checkbox" id="${id}" name="${SCOPE_FIELD}" value="${scope}"${checked}>
<label for="${id}"><strong>${SCOPE_TEXTS[scope].title}</strong>
${SCOPE_TEXTS[scope].description}${note}</label>
</div>`;
  });
  return html`<fieldset>
<legend>Permissions</legend>
${boxes}
</fieldset>`;
}

/** The name of the field of a monthly limit. */
export const LIMIT_FIELD = 'limit';

/** The field of a monthly limit, with what was entered and what is wrong with it. */
export function limitField(value: string | undefined, fault?: string, kind = 'key'): Html {
  const invalid =
    fault === undefined ? undefined : html` aria-invalid="true" aria-errormessage="limit-fault"`;
  return html`<div class="field">
<label for="limit">Monthly credit limit (optional)</label>
<input id="limit" name="${LIMIT_FIELD}" type="text" inputmode="numeric" autocomplete="off"
value="${value}" aria-describedby="limit-hint"${invalid}>
<p class="muted" id="limit-hint">The most credits that calls with this ${kind} may use a month. Leave it empty for
all credits of the account.</p>
${fault === undefined ? undefined : html`<p class="wrong" id="limit-fault">${fault}</p>`}
</div>`;
}

/** The scopes whose boxes are checked. */
export function chosenScopes(form: URLSearchParams): ReadonlySet<Scope> {
  return new Set(form.getAll(SCOPE_FIELD).filter(isScope));
}

/** The scopes of a new key for which these are chosen; undefined for all, also of a later plan. */
export function grantedScopes(chosen: ReadonlySet<Scope>): readonly Scope[] | undefined {
  return chosen.size === SCOPES.length ? undefined : SCOPES.filter((scope) => chosen.has(scope));
}
