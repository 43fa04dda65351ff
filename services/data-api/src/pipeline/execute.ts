import { type CategorySources, executeFacets, executeValues } from '../categories/execute.ts';
import { assertKeywords } from '../collections/resolve-keywords.ts';
import { compileCollection } from '../collections/sql.ts';
import type { Answer } from '../postgres/database.ts';
import { search } from '../search/index.ts';
import { compileTagSearch } from '../search/tags-sql.ts';
import { type FeedSources, readSignals } from '../signals/read-signals.ts';
import type { Plan } from './plan.ts';

/** What plans are carried out with. */
export interface Sources extends FeedSources {
  readonly categories: CategorySources;
}

/**
 * Carries a plan out: the one step that touches the database.
 *
 * @throws ApiError `unavailable` when the database is out of reach or takes too long; QueryError
 *   `unknown_value` for a value that narrows and does not occur, `bad_filter` for keywords without
 *   a word to search for.
 */
export async function execute(plan: Plan, sources: Sources): Promise<Answer> {
  const { database, categories } = sources;
  switch (plan.kind) {
    case 'page':
    case 'count':
      if (plan.narrowed !== undefined) await categories.values.assertKnown(plan.narrowed.by);
      await assertKeywords(plan.filter, database);
      return database.answer(compileCollection(plan));
    case 'record':
      return database.answer(compileCollection(plan));
    case 'tagSearch':
      return database.answer(compileTagSearch(plan));
    case 'search':
      return { ...(await search(database, plan.request)), more: false };
    case 'facets':
      return executeFacets(plan, categories);
    case 'values':
      return executeValues(plan, categories);
    case 'signals':
      await categories.values.assertKnown(plan.narrowing);
      return readSignals(plan, sources);
    case 'fixed':
      return { body: plan.body, records: 0, more: false };
  }
}
