import { assertKeywords, searchesIn } from '../collections/resolve-keywords.ts';
import { hintsOf, otherLiterals } from '../hints/hints.ts';
import {
  currentIds,
  fundIdsIn,
  recordIdsIn,
  withCurrentFunds,
  withCurrentIds,
  withMergedIds,
} from '../merged/current-ids.ts';
import type { Endpoint, Written } from './endpoint.ts';
import type { Sources } from './sources.ts';

/** A plan with the values that the database has, and hints about values that it has not. */
export interface Resolved {
  readonly plan: unknown;
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
  endpoint: Endpoint,
  plan: unknown,
  { categories: { values }, database }: Sources,
  read: (work: () => Promise<void>) => Promise<void>,
): Promise<Resolved> {
  const written = endpoint.written?.(plan) ?? { by: [] };
  let resolved: Resolved = { plan, hints: [] };
  const lookUp = async () => {
    const { subjects, ...named } = await withRecordsOfToday(written, database);
    const by = await values.known(named.by);
    const filter = await values.spelled(named.filter);
    await assertKeywords(filter, database);
    const hints = await hintsOf(filter, values, database);
    resolved = { plan: endpoint.withWritten?.(plan, { by, filter, subjects }) ?? plan, hints };
  };
  // Most filters have nothing to look up: they wait for a slot of the database once, not twice.
  const isKnown =
    idsIn(written).length + (written.subjects?.length ?? 0) === 0 &&
    values.areCached(written.by, written.filter) &&
    (written.filter === undefined ||
      searchesIn(written.filter).length + otherLiterals(written.filter).length === 0);
  await (isKnown ? lookUp() : read(lookUp));
  return resolved;
}

const idsIn = ({ by, filter }: Written) => [...fundIdsIn(by), ...recordIdsIn(filter)];

// An id of a merged record means the record of today, and as a subject every id of it.
async function withRecordsOfToday(
  written: Written,
  database: Sources['database'],
): Promise<Written> {
  const { by, filter, subjects } = written;
  const current = await currentIds(idsIn(written), database);
  return {
    by: withCurrentFunds(by, current),
    filter: filter && current.size > 0 ? withCurrentIds(filter, current) : filter,
    subjects: subjects && (await withMergedIds(subjects, database)),
  };
}
