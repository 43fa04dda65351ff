import { SCOPES, type Scope } from '@vcds/credentials';
import { type Plan, SCOPE_TITLES } from '@vcds/metering';
import type { KeyView } from '../account-area/account-view.ts';
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

/** What a key reaches, in words. */
export function scopesText(scopes: readonly Scope[] | null): string {
  return scopes === null ? 'Everything the plan allows' : scopes.join(', ');
}

/** A check box a scope, those of `chosen` ticked, with what the plan says about each. */
export function scopeBoxes(
  legend: string,
  offered: readonly Scope[],
  chosen: ReadonlySet<Scope>,
  plan: Plan,
): Html {
  const boxes = SCOPES.filter((scope) => offered.includes(scope)).map((scope) => {
    const id = `scope-${scope}`;
    const checked = chosen.has(scope) ? html` checked` : undefined;
    const note = plan.entitlements.includes(scope) ? '' : ` Not in the ${plan.name} plan.`;
    return html`<div class="check">
<input type="checkbox" id="${id}" name="${SCOPE_FIELD}" value="${scope}"${checked}>
<label for="${id}"><strong>${scope}</strong> ${SCOPE_TITLES[scope]}.${note}</label>
</div>`;
  });
  return html`<fieldset>
<legend>${legend}</legend>
${boxes}
</fieldset>`;
}
