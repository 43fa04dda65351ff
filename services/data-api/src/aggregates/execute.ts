import {
  type AggregateQuery,
  type Measure as EngineMeasure,
  TooManyGroupsError,
} from '@vcds/facet-engine';
import { ApiError } from '@vcds/service-kit/api-errors';
import { type DimensionId, type EntityId, FIGURES, type IndexedId } from '@vcds/venture-model';
import type { RecordGrouper } from '../categories/facet-chooser.ts';
import { assertFewRecords } from '../categories/sql-engine/sql-engine.ts';
import { recordQueryOf } from '../collections/count.ts';
import { withListedValues } from '../collections/listed-values.ts';
import type { Answer, Database } from '../postgres/database.ts';
import { aggregatesBody, type Grouped } from './json.ts';
import { type GroupKey, investorDimension, type Measure } from './measures.ts';
import { type AggregatesPlan, GROUPS_MAX, indexedEntity } from './plan.ts';
import { type AggregatesRow, compileAggregates } from './sql.ts';

type Query = AggregateQuery<EntityId, DimensionId, IndexedId>;

/** The sources of aggregates. */
export interface AggregateSources {
  readonly database: Database;
  /** Absent without an engine in memory. */
  readonly categories: { readonly groups?: RecordGrouper };
}

/**
 * Groups records: in memory if the facet index has all that is asked, else by one statement of the database.
 *
 * @throws ApiError `too_many_groups`, `unavailable`.
 */
export async function executeAggregates(
  plan: AggregatesPlan,
  sources: AggregateSources,
): Promise<Answer> {
  const grouped = (await inMemory(plan, sources)) ?? (await inDatabase(plan, sources));
  const body = await aggregatesBody(plan, grouped, sources.database);
  const { skip, top } = plan;
  return {
    body: JSON.stringify(body),
    ...{ records: 0, more: body.more },
    ...(body.more && { next: String(skip + top) }),
  };
}

async function inMemory(
  plan: AggregatesPlan,
  { categories }: AggregateSources,
): Promise<Grouped | undefined> {
  const query = aggregateQueryOf(plan);
  if (query === undefined) return undefined;
  try {
    const found = await categories.groups?.aggregate(query);
    if (found === undefined) return undefined;
    const known = plan.measures.map((each) =>
      each.kind === 'figure' ? each.field.name : undefined,
    );
    const rowOf = <Row extends { known: Readonly<Record<string, number>> }>(row: Row) => ({
      ...row,
      known: known.map((id) => (id === undefined ? null : (row.known[id] ?? 0))),
    });
    const { batch, ms } = found.asOf;
    return {
      groups: found.groups,
      rows: found.rows.map(rowOf),
      total: rowOf(found.total),
      ...{ batch, at: new Date(ms) },
    };
  } catch (error) {
    if (error instanceof TooManyGroupsError) throw tooManyGroups(plan);
    throw error;
  }
}

async function inDatabase(plan: AggregatesPlan, { database }: AggregateSources): Promise<Grouped> {
  const entity = indexedEntity(plan);
  // The database does not read many records for numbers that the index will have.
  if (entity !== undefined && aggregateQueryOf(plan) !== undefined) {
    await assertFewRecords(database, entity);
  }
  const at = new Date();
  const statement = compileAggregates(await withListedValues(plan, database));
  const [row] = await database.rows<AggregatesRow>(statement);
  if (row === undefined) throw new TypeError('The statement of aggregates returned no row.');
  if (row.groups > GROUPS_MAX) throw tooManyGroups(plan);
  return { ...row, at };
}

/** The plan as a query of the facet index; undefined if a part of it is not there. */
export function aggregateQueryOf(plan: AggregatesPlan): Query | undefined {
  const entity = indexedEntity(plan);
  if (entity === undefined) return undefined;
  const { resource, filter, narrowing, order, top, skip } = plan;
  const narrowed = { entity, by: narrowing };
  const records = recordQueryOf({ resource, parent: undefined, narrowed, filter });
  const measures = plan.measures.flatMap((each) => measureOf(each, entity) ?? []);
  const by = plan.by.flatMap((each) => keyOf(each, entity) ?? []);
  const isWhole = measures.length === plan.measures.length && by.length === plan.by.length;
  if (records === undefined || !isWhole) return undefined;
  return { ...records, measures, by, order, top, skip, groupsMax: GROUPS_MAX };
}

function measureOf(measure: Measure, entity: EntityId): EngineMeasure<DimensionId> | undefined {
  if (measure.kind === 'count') return { kind: 'count' };
  const { name } = measure.field;
  if (measure.kind === 'distinct') {
    if (entity === 'rounds' && name === 'StartupId')
      return { kind: 'related', relation: 'rounds.startup' };
    if (measure.field.match?.kind === 'related')
      return { kind: 'distinct', dimension: investorDimension(name).id };
    return isFigure(name, entity) ? { kind: 'distinctFigure', figure: name } : undefined;
  }
  return isFigure(name, entity) ? { kind: 'figure', of: measure.of, figure: name } : undefined;
}

function keyOf(key: GroupKey, entity: EntityId): Query['by'][number] | undefined {
  if (key.kind === 'dimension') return { kind: 'dimension', dimension: key.dimension.id };
  const { name, type } = key.field;
  if (type !== 'date' || !isFigure(name, entity)) return undefined;
  return { kind: 'time', figure: name, unit: key.unit };
}

function isFigure(name: string, entity: EntityId): boolean {
  return FIGURES[entity].some(({ id }) => id === name);
}

function tooManyGroups({ by }: AggregatesPlan): ApiError {
  const key = by.findLast(({ kind }) => kind === 'dimension') ?? by.at(-1);
  return new ApiError(
    'too_many_groups',
    `There are more than ${GROUPS_MAX} groups. Leave out ${key?.name ?? 'a key'}, or narrow the records by a dimension.`,
    { parameter: 'by', value: key?.name },
  );
}
