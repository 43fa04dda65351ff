import { type ActivitySources, readActivity } from '../activity/read-activity.ts';
import { executeAggregates } from '../aggregates/execute.ts';
import { type CategorySources, executeFacets, executeValues } from '../categories/execute.ts';
import { readCount } from '../collections/count.ts';
import { readPage } from '../collections/read-page.ts';
import { readRecord } from '../collections/read-record.ts';
import { type Caller, type FindSources, lookUp } from '../find/look-up.ts';
import type { FindPlan } from '../find/query.ts';
import { executeMatching, type MatchingSources } from '../matching/execute.ts';
import type { Answer } from '../postgres/database.ts';
import { search } from '../search/search.ts';
import { compileTagSearch } from '../search/tag-search.ts';
import { type FeedSources, readSignals } from '../signals/read-signals.ts';
import type { Cursors } from './cursors.ts';
import type { FixedPlan, Plan } from './plan.ts';

/** The dependencies of execution. */
export interface Sources
  extends FeedSources,
    ActivitySources,
    Omit<FindSources, 'database'>,
    Omit<MatchingSources, 'database'> {
  readonly cursors: Cursors;
  /** {base_url}: the public root with the version segment. */
  readonly baseUrl: string;
  readonly categories: CategorySources;
}

/**
 * Executes a resolved plan; all but a constant in a slot of the database. A look-up takes slots
 * itself, because it also waits for a site.
 *
 * @throws ApiError `unavailable` if the database is unreachable or too slow; as {@link lookUp}.
 */
export async function execute(plan: Plan, sources: Sources, caller: Caller): Promise<Answer> {
  switch (plan.kind) {
    case 'fixed':
      return { body: plan.body, records: 0, more: false };
    case 'find':
      return lookUp(plan, sources, caller);
    default:
      return caller.read(() => query(plan, sources));
  }
}

async function query(plan: Exclude<Plan, FixedPlan | FindPlan>, sources: Sources): Promise<Answer> {
  const { database, categories } = sources;
  switch (plan.kind) {
    case 'page':
      return readPage(plan, sources);
    case 'count':
      return readCount(plan, sources);
    case 'record':
      return readRecord(plan, sources);
    case 'tagSearch':
      return database.answer(compileTagSearch(plan));
    case 'search':
      return { ...(await search(database, plan.request)), more: false };
    case 'facets':
      return executeFacets(plan, categories);
    case 'values':
      return executeValues(plan, categories);
    case 'aggregates':
      return executeAggregates(plan, sources);
    case 'signals':
      return readSignals(plan, sources);
    case 'activity':
      return readActivity(plan, sources);
    case 'matching':
      return executeMatching(plan, sources);
  }
}
