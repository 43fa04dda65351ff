import type { Answer, Database } from '../postgres/database.ts';
import type { Boundary } from './order.ts';
import type { PagePlan } from './plan.ts';
import { compileBoundary, compileCollection } from './sql.ts';

/**
 * Reads a page. For an order by several keys, it first looks up the values of the keys in the last
 * row of the page.
 *
 * @throws ApiError `unavailable` if the database is unreachable or too slow.
 */
export async function readPage(plan: PagePlan, database: Database): Promise<Answer> {
  const boundaries: Boundary[] = [];
  for (;;) {
    const lookUp = compileBoundary(plan, boundaries);
    const [found] = lookUp ? await database.rows<{ value: Boundary }>(lookUp) : [];
    if (found === undefined) return database.answer(compileCollection(plan, boundaries));
    boundaries.push(found.value);
  }
}
