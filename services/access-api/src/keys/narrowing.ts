import { SCOPES, type Scope } from '@vcds/credentials';

/**
 * The scopes of a key after narrowing it from `held` to `chosen`, in the order of the scope table;
 * undefined if `chosen` is empty or contains a scope that the key lacks: a key never gains scopes.
 *
 * @param held null: everything the plan allows. So is the result if all scopes are chosen.
 */
export function narrowed(
  held: readonly Scope[] | null,
  chosen: ReadonlySet<Scope>,
): readonly Scope[] | null | undefined {
  const scopes = held ?? SCOPES;
  if (chosen.size === 0 || [...chosen].some((scope) => !scopes.includes(scope))) return undefined;
  return held === null && chosen.size === SCOPES.length
    ? null
    : SCOPES.filter((scope) => chosen.has(scope));
}
