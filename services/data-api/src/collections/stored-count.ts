/**
 * The number of records of an entity, or of those with one value of a dimension, from the counts that
 * the facet indexer stores. They reflect every change but those still in its log, in the same
 * snapshot; the statement corrects the counts by the records in the log, so the result is exact.
 */
import type { BoundFilter } from '@vcds/odata-query';
import { DIMENSIONS, type Dimension, ENTITIES, type Entity, TOTAL } from '@vcds/venture-model';
import type { SqlValues } from '../postgres/sql-values.ts';
import type { ResourceField } from '../resources/index.ts';
import type { CountPlan } from './plan.ts';

type Filter = BoundFilter<ResourceField>;

/** For more records in the log, the records are counted instead. */
const PENDING_MAX = 2_000;

/** The records that a stored count has. */
interface Counted {
  readonly dimension: Dimension;
  /** As texts; several only of a dimension of which a record has at most one. */
  readonly values: readonly string[];
  /** Whether the records have none of the values. */
  readonly negated: boolean;
}

/**
 * SQL of the number of matches; undefined if no stored count has it.
 *
 * @param conditions of the records, under the alias `row`
 */
export function compileStoredCount(
  plan: CountPlan,
  row: string,
  conditions: string,
  values: SqlValues,
): string | undefined {
  const { resource, parent } = plan;
  const entity = Object.values(ENTITIES).find(({ table }) => table === resource.table);
  const terms = parent === undefined && entity !== undefined ? termsOf(plan, entity) : undefined;
  if (entity === undefined || terms === undefined || terms.length > 1) return undefined;
  const [term] = terms;
  // A change of a related record is not in the log of the records that have its values.
  const isOwn = term === undefined || term.dimension.readings[entity.id].through === undefined;
  const pendingMax = isOwn ? PENDING_MAX : 0;
  const ids = `ARRAY(SELECT p.id FROM (${pending(pendingMax)}) AS p WHERE p.entity = ${entity.number})`;
  const { stored, has } = storedOf(entity, term, values);
  return `CASE
    WHEN NOT EXISTS (SELECT FROM venture.facet_state)
      OR (SELECT count(*) FROM (${pending(pendingMax)}) AS p) > ${pendingMax}
    THEN (SELECT count(*) FROM ${resource.table} AS ${row} WHERE ${conditions})
    ELSE ${stored}
      - (SELECT count(*) FROM ${entity.facetTable} AS f
         WHERE f.id = ANY (${ids}) AND NOT f.deleted AND ${has})
      + (SELECT count(*) FROM ${resource.table} AS ${row}
         WHERE ${row}.id = ANY (${ids}) AND ${conditions})
    END`;
}

// The same rows each time, because all parts of a statement have one snapshot.
function pending(max: number): string {
  return `SELECT c.entity, c.id FROM venture.facet_change AS c ORDER BY c.position LIMIT ${max + 1}`;
}

function storedOf(
  { number }: Entity,
  term: Counted | undefined,
  values: SqlValues,
): { readonly stored: string; readonly has: string } {
  const countOf = (codes: string) => `coalesce((SELECT sum(s.count) FROM venture.facet_count AS s
    WHERE s.entity = ${number} AND s.code = ANY (${codes})), 0)::bigint`;
  const all = countOf(`'{${TOTAL}}'`);
  if (term === undefined) return { stored: all, has: 'true' };
  const codes = `ARRAY(SELECT d.code FROM venture.dimension_value AS d
    WHERE d.dimension = ${term.dimension.number}
      AND d.value = ANY (${values.add(term.values, 'text[]')}))`;
  if (!term.negated) return { stored: countOf(codes), has: `f.codes && ${codes}` };
  return { stored: `${all} - ${countOf(codes)}`, has: `NOT f.codes && ${codes}` };
}

/** The conditions as dimensions; undefined if one of them is something else. */
function termsOf({ narrowed, filter }: CountPlan, entity: Entity): readonly Counted[] | undefined {
  const terms = (narrowed?.by ?? []).map((by) =>
    countedOf(
      by.dimension,
      entity,
      by.values.map(({ value }) => value),
      false,
    ),
  );
  if (filter !== undefined) terms.push(ofFilter(filter, entity));
  const found = terms.flatMap((term) => term ?? []);
  return found.length === terms.length ? found : undefined;
}

function ofFilter(filter: Filter, entity: Entity): Counted | undefined {
  if (filter.kind !== 'compare' && filter.kind !== 'in') return undefined;
  const dimension = dimensionOf(filter.field, entity);
  if (dimension === undefined) return undefined;
  if (filter.kind === 'in') return countedOf(dimension, entity, filter.values, filter.negated);
  const { operator, value } = filter;
  if (value === null || (operator !== 'eq' && operator !== 'ne')) return undefined;
  return countedOf(dimension, entity, [value], operator === 'ne');
}

/** The dimension that is read from the same column. */
function dimensionOf({ match }: ResourceField, entity: Entity): Dimension | undefined {
  if (match?.kind !== 'column' && match?.kind !== 'array') return undefined;
  return DIMENSIONS.find(({ readings }) => {
    const { through, sql } = readings[entity.id];
    return through === undefined && sql('r') === match.sql('r');
  });
}

function countedOf(
  dimension: Dimension,
  entity: Entity,
  values: readonly unknown[],
  negated: boolean,
): Counted | undefined {
  const texts = [...new Set(values.map(String))];
  const { through, many } = dimension.readings[entity.id];
  // The counts of several values add up only if no record has two of them.
  if (texts.length > 1 && (many || through?.many === true)) return undefined;
  return { dimension, values: texts, negated };
}
