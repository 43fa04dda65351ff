import type { Answer, Database } from '../postgres/database.ts';
import type { RecordPlan } from './plan.ts';
import { compileRecord } from './sql.ts';

/** The dependencies of reading records. */
export interface RecordSources {
  readonly database: Database;
  /** {base_url}, for the links of expanded relations. */
  readonly baseUrl: string;
}

const isFound = (rows: readonly object[]): boolean => rows.length > 0;

/**
 * Reads one record; the body is null if it does not exist. The primary decides that, because a replica
 * may not have it yet.
 *
 * @throws ApiError `unavailable`.
 */
export async function readRecord(
  plan: RecordPlan,
  { database, baseUrl }: RecordSources,
): Promise<Answer> {
  const statement = compileRecord(plan, baseUrl);
  const [found] = await database.rows<{ readonly body: string }>(statement, isFound);
  return { body: found?.body ?? null, records: found === undefined ? 0 : 1, more: false };
}
