import type { Answer, Database } from '../postgres/database.ts';
import type { Statement } from '../postgres/statement.ts';
import { recordJson } from './json.ts';
import type { RecordPlan } from './plan.ts';

const ROW = 'r';

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

const recordTexts = new WeakMap<RecordPlan['fields'], string>();

/**
 * The statement of one record: its `body`, if it exists. Calls for records without expanded relations
 * share executions.
 *
 * @param baseUrl {base_url}, for the links of expanded relations.
 */
export function compileRecord(plan: RecordPlan, baseUrl: string): Statement {
  const { resource, fields, expands, id } = plan;
  if (expands.length > 0) {
    return { text: recordText(plan, baseUrl), values: [[id]], plan: 'generic' };
  }
  const text = recordTexts.get(fields) ?? recordText(plan, baseUrl);
  // Other arrays than this one are of one call.
  if (fields === resource.defaultFields) recordTexts.set(fields, text);
  return { text, values: [[id]], plan: 'generic', id };
}

function recordText(plan: RecordPlan, baseUrl: string): string {
  const { resource } = plan;
  return `SELECT ${ROW}.id::text AS id, ${recordJson(plan, ROW, baseUrl)} AS body
    FROM ${resource.table} AS ${ROW} WHERE ${ROW}.id = ANY ($1::uuid[]) AND ${resource.live(ROW)}`;
}
