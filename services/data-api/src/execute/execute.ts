import type { Plan } from '../plan/plan.ts';
import { search } from '../search/index.ts';
import { compileCollection } from './compile-collection.ts';
import { compileTagSearch } from './compile-tag-search.ts';
import type { Answer, Database } from './database.ts';

/**
 * Carries a plan out: the one step that touches the database.
 *
 * @throws ApiError `unavailable` when the database is out of reach or takes too long.
 */
export async function execute(plan: Plan, database: Database): Promise<Answer> {
  switch (plan.kind) {
    case 'page':
    case 'count':
    case 'record':
      return database.answer(compileCollection(plan));
    case 'tagSearch':
      return database.answer(compileTagSearch(plan));
    case 'search':
      return { ...(await search(database, plan.request)), more: false };
    case 'fixed':
      return { body: plan.body, records: 0, more: false };
  }
}
