import type { BoundFilter } from '@vcds/odata-query';
import { assertKeywords, searchesIn } from '../collections/resolve-keywords.ts';
import { hintsOf, otherLiterals } from '../hints/hints.ts';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import type { ResourceField } from '../resources/index.ts';
import type { Sources } from './execute.ts';
import type { Plan } from './plan.ts';

/** A plan with the values that the database has, and hints about values that it has not. */
export interface Resolved {
  readonly plan: Plan;
  readonly hints: readonly string[];
}

/**
 * Checks with the database that every narrowing value exists and that every full-text search has a
 * word, replaces other spellings of tags and places by the stored ones, and finds values of the
 * filter that occur nowhere. Runs before credits are held.
 *
 * @param read runs a function that reads from the database; not called if there is nothing to look up.
 * @throws QueryError `unknown_value` with the nearest values, `bad_filter`; ApiError `unavailable`.
 */
export async function resolve(
  plan: Plan,
  { categories, database }: Sources,
  read: (work: () => Promise<void>) => Promise<void>,
): Promise<Resolved> {
  const narrowing = narrowingOf(plan);
  const hasFilter = plan.kind === 'page' || plan.kind === 'count' || plan.kind === 'aggregates';
  const filter = hasFilter ? plan.filter : undefined;
  let resolved: Resolved = { plan, hints: [] };
  const lookUp = async () => {
    const by = await categories.values.known(narrowing);
    const spelled = await categories.values.spelled(filter);
    await assertKeywords(filter, database);
    const hints = await hintsOf(spelled, categories.values, database);
    resolved = { plan: withResolved(plan, by, spelled), hints };
  };
  // Most filters have nothing to look up: they wait for a slot of the database once, not twice.
  const isKnown =
    categories.values.areCached(narrowing, filter) &&
    (filter === undefined || searchesIn(filter).length + otherLiterals(filter).length === 0);
  await (isKnown ? lookUp() : read(lookUp));
  return resolved;
}

function withResolved(
  plan: Plan,
  by: readonly PlannedNarrowing[],
  filter: BoundFilter<ResourceField> | undefined,
): Plan {
  switch (plan.kind) {
    case 'page':
    case 'count':
      return { ...plan, filter, ...(plan.narrowed && { narrowed: { ...plan.narrowed, by } }) };
    case 'facets':
    case 'values':
      return { ...plan, of: { ...plan.of, by } };
    case 'aggregates':
      return { ...plan, filter, narrowing: by };
    case 'signals':
    case 'activity':
    case 'matching':
      return { ...plan, narrowing: by };
    default:
      return plan;
  }
}

function narrowingOf(plan: Plan): readonly PlannedNarrowing[] {
  switch (plan.kind) {
    case 'page':
    case 'count':
      return plan.narrowed?.by ?? [];
    case 'facets':
    case 'values':
      return plan.of.by;
    case 'aggregates':
    case 'signals':
    case 'activity':
    case 'matching':
      return plan.narrowing;
    default:
      return [];
  }
}
