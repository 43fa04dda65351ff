import type { RecordCount, RecordQuery } from '@vcds/facet-engine';
import type { EntityId, IndexedId } from '@vcds/venture-model';
import type { Answer, Database } from '../postgres/database.ts';
import { type CountCondition, conditionOf, withValues } from './count-condition.ts';
import { compileCount, compileCountByRest, compileCountCorrection } from './count-sql.ts';
import type { CountPlan } from './plan.ts';
import { selectivityOf } from './selectivity.ts';

/** Batches may be applied between the reads of the index and of the copy of it. */
const ATTEMPTS = 3;

/** Longer conditions, as JSON, are not counted in memory: a request to the facet process has a bound of 256 KiB. */
const CONDITION_BYTES_MAX = 240_000;

/** Why the database reads every match of a count. */
export type CountFallback =
  /** A condition is not in the facet index. */
  | 'not_indexed'
  /** The index has no batch yet, or too many changes are only in its log. */
  | 'index_behind'
  /** No engine in memory is loaded. */
  | 'not_ready'
  /** The engine failed. */
  | 'failed'
  /** At each attempt the engine had another version than the snapshot. */
  | 'other_version';
export type CountOutcome = 'stored' | 'in_memory' | CountFallback;

/** `isBehind` of {@link compileCount}. */
type CountAnswer = Answer & { readonly isBehind?: boolean };

/** Counts records in memory. */
export interface RecordCounter {
  /** Whether an engine in memory is ready. */
  isReady(): boolean;
  /** Receives how each count was made. */
  counted(outcome: CountOutcome): void;
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
  const compiled = compileCount(plan, condition);
  const { records } = categories;
  let fallback: CountFallback = 'not_indexed';
  if (condition !== undefined && !(compiled.isStored && hasFewCounts(condition))) {
    const count = records?.isReady()
      ? await countInMemory(plan, condition, records, database)
      : 'not_ready';
    if (typeof count === 'number') {
      records?.counted('in_memory');
      return { body: JSON.stringify({ count }), records: 0, more: false };
    }
    fallback = count;
  }
  const byRest =
    !compiled.isStored && mayMatchMost(plan, database) ? compileCountByRest(plan) : undefined;
  const { statement, isStored } = byRest ?? compiled;
  const answer: CountAnswer = await database.answer(statement);
  if (isStored) records?.counted(answer.isBehind === true ? 'index_behind' : 'stored');
  else records?.counted(fallback);
  return answer;
}

/** Whether most records match, by the statistics of columns. */
function mayMatchMost({ resource, filter }: CountPlan, { statistics }: Database): boolean {
  const share = filter && selectivityOf(filter, resource.table, statistics.of);
  return share !== undefined && share > 1 / 2;
}

/** Whether few stored counts have the condition; a range has one for each of its values. */
function hasFewCounts({ where }: CountCondition): boolean {
  return (where.kind === 'not' ? where.of : where).kind !== 'range';
}

/** The row of {@link compileCountCorrection}. */
interface CorrectionRow {
  readonly version: string;
  /** The values that match each pattern; null for too many. */
  readonly lists: readonly (string[] | null)[];
  readonly correction: string | null;
}

async function countInMemory(
  plan: CountPlan,
  condition: CountCondition,
  records: RecordCounter,
  database: Database,
): Promise<number | CountFallback> {
  const statement = compileCountCorrection(plan, condition);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [row] = await database.rows<CorrectionRow>(statement);
    if (row === undefined || row.correction === null) return 'index_behind';
    const lists = row.lists.filter((list) => list !== null);
    if (lists.length < row.lists.length) return 'not_indexed';
    const where = withValues(condition.where, lists);
    if (Buffer.byteLength(JSON.stringify(where)) > CONDITION_BYTES_MAX) return 'not_indexed';
    const version = Number(row.version);
    const counted = await records.countRecords({ entity: condition.entity.id, where, version });
    if (counted === undefined) return 'failed';
    if (counted.version === version) return counted.count + Number(row.correction);
  }
  return 'other_version';
}
