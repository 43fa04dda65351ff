import { SCOPES, type Scope } from '@vcds/credentials';

/**
 * What a key that holds `held` is left with when narrowed to `wish`, in the order of the scope
 * table; undefined when the wish is empty or reaches further than the key does now. A key is
 * never widened: whoever was given a narrow one keeps a narrow one (docs/spec/plans.md 13.3).
 *
 * @param held null: everything the plan allows. So is the result when nothing is left out.
 */
export function narrowed(
  held: readonly Scope[] | null,
  wish: ReadonlySet<Scope>,
): readonly Scope[] | null | undefined {
  const reach = held ?? SCOPES;
  if (wish.size === 0 || [...wish].some((scope) => !reach.includes(scope))) return undefined;
  return held === null && wish.size === SCOPES.length
    ? null
    : SCOPES.filter((scope) => wish.has(scope));
}
