import { SCOPES, type Scope } from '@vcds/credentials';
import { type Plan, SCOPE_TEXTS } from '@vcds/metering';
import type { KeyView } from '../accounts/account-view.ts';
import { type Html, html } from './html.ts';

/** The field of the check boxes. */
export const SCOPE_FIELD = 'scope';

/** What a key is called on a page. */
export function keyName({ name, hint }: Pick<KeyView, 'name' | 'hint'>): string {
  return name ?? `Key ${hint}`;
}

/** Where something is done to a key. */
export function keyPath(keyId: string, action: 'scopes' | 'revoke'): string {
  return `/account/keys/${keyId}/${action}`;
}

/** What a key may read, by the names of its scopes. */
export function scopesText(scopes: readonly Scope[] | null): string {
  return scopes === null
    ? 'Everything in the plan'
    : scopes.map((scope) => SCOPE_TEXTS[scope].title).join(', ');
}

/** One check box per scope, with its description and whether the plan includes it. */
export function scopeBoxes(
  legend: string,
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
<legend>${legend}</legend>
${boxes}
</fieldset>`;
}
