import type { RecordCount, RecordQuery } from '@vcds/facet-engine';
import type { EntityId, IndexedId } from '@vcds/venture-model';
import type { Answer, Database } from '../postgres/database.ts';
import { type CountCondition, conditionOf } from './count-condition.ts';
import type { CountPlan } from './plan.ts';
import { compileCount, compileCountCorrection } from './sql.ts';

/** Batches may be applied between the reads of the index and of the copy of it. */
const ATTEMPTS = 3;

/** Counts records in memory. */
export interface RecordCounter {
  /** Whether an engine in memory is ready. */
  isReady(): boolean;
  /** Undefined if no engine in memory can count now. */
  countRecords(query: RecordQuery<EntityId, IndexedId>): Promise<RecordCount | undefined>;
}

/** The dependencies of counts. */
export interface CountSources {
  readonly database: Database;
  readonly categories: { readonly records?: RecordCounter };
}

/**
 * Counts the matches (docs/spec/collections.md 6.4), as of one snapshot: conditions on several
 * dimensions in memory, corrected by the changes that the copy does not have; others, or if no copy
 * is current, by the database alone.
 *
 * @throws ApiError `unavailable`.
 */
export async function readCount(plan: CountPlan, sources: CountSources): Promise<Answer> {
  const { database, categories } = sources;
  const condition = conditionOf(plan);
  const { statement, isStored } = compileCount(plan, condition);
  const { records } = categories;
  const isInMemory = condition !== undefined && !(isStored && hasFewCounts(condition));
  if (isInMemory && records?.isReady()) {
    const count = await countInMemory(plan, condition, records, database);
    if (count !== undefined) return { body: JSON.stringify({ count }), records: 0, more: false };
  }
  return database.answer(statement);
}

/** Whether few stored counts have the condition; a range has one for each of its values. */
function hasFewCounts({ where }: CountCondition): boolean {
  return (where.kind === 'not' ? where.of : where).kind !== 'range';
}

/** Undefined if the copy has another version than the snapshot of the database. */
async function countInMemory(
  plan: CountPlan,
  condition: CountCondition,
  records: RecordCounter,
  database: Database,
): Promise<number | undefined> {
  const statement = compileCountCorrection(plan, condition);
  const { where } = condition;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [row] = await database.rows<{ version: string; correction: string | null }>(statement);
    if (row === undefined || row.correction === null) return undefined;
    const version = Number(row.version);
    const counted = await records.countRecords({ entity: condition.entity.id, where, version });
    if (counted === undefined) return undefined;
    if (counted.version === version) return counted.count + Number(row.correction);
  }
  return undefined;
}
