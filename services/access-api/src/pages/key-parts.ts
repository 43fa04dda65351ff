import { SCOPES, type Scope } from '@vcds/credentials';
import { type Plan, SCOPE_TEXTS } from '@vcds/metering';
import type { KeyView } from '../accounts/account-view.ts';
import { type Html, html } from './html.ts';

/** The name of the check boxes. */
export const SCOPE_FIELD = 'scope';

/** The name of a key on pages. */
export function keyName({ name, hint }: Pick<KeyView, 'name' | 'hint'>): string {
  return name ?? `Key ${hint}`;
}

/** The path of an action on a key. */
export function keyPath(keyId: string, action: 'scopes' | 'revoke'): string {
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
