/** Aggregates: a query in numbers, and the rows of its result. */
import type { AggregateJob, AggregateResult, JobDistinct, JobKey } from './aggregate-job.ts';
import type { Catalogue } from './catalogue.ts';
import { timeSize, timeText } from './group-keys.ts';
import { placeAt } from './percentiles.ts';
import { resolveCondition } from './plan-query.ts';
import {
  type AggregateQuery,
  type AggregateRow,
  type Aggregates,
  type GroupKey,
  type GroupOrder,
  type Measure,
  PERCENTILES,
  TooManyGroupsError,
} from './port.ts';
import type { RelatedGroups } from './related.ts';

type FigureMeasure = Extract<Measure, { kind: 'figure' }>;

/** A job, and where the numbers of the query are in its result. */
export interface AggregatePlan {
  readonly query: AggregateQuery;
  readonly job: AggregateJob;
  /** By index of the job's figures. */
  readonly figures: readonly string[];
}

export function planAggregate(
  query: AggregateQuery,
  catalogue: Catalogue,
  related: RelatedGroups,
): AggregatePlan {
  const entity = catalogue.entityIndex(query.entity);
  const { groups, where } = resolveCondition(entity, query.where, catalogue, related);
  const ofFigures = query.measures.filter((each): each is FigureMeasure => each.kind === 'figure');
  const figures = [...new Set(ofFigures.map(({ figure }) => figure))];
  const job: AggregateJob = {
    ...{ entity, groups, where },
    keys: query.by.map((key) => keyOf(key, entity, catalogue)),
    figures: figures.map((id) => ({
      figure: catalogue.figureIndex(entity, id),
      percentiles: percentilesOf(ofFigures, id),
    })),
    distincts: query.measures.flatMap((each) => distinctOf(each, entity, catalogue) ?? []),
    groupsMax: query.groupsMax,
  };
  return { query, job, figures };
}

/**
 * The rows of a result.
 *
 * @throws TooManyGroupsError
 */
export function rowsOf(
  { query, job, figures }: AggregatePlan,
  result: AggregateResult,
  catalogue: Catalogue,
): Omit<Aggregates, 'asOf'> {
  const { groups } = result;
  if (groups > job.groupsMax) throw new TooManyGroupsError(job.groupsMax);
  const numbers = measuredNumbers(query, figures, result);
  const measuresOf = (group: number) => ({
    measures: numbers.map((each) => orNull(each[group] as number)),
    known: Object.fromEntries(
      figures.map((id, index) => [id, result.figures[index]?.known[group] ?? 0]),
    ),
  });
  const rows = pageOf(query, result, numbers, catalogue).map(
    (group): AggregateRow => ({
      keys: query.by.map((key, index) =>
        keyValue(key, result.keys[index]?.[group] ?? 0, catalogue),
      ),
      ...measuresOf(group),
    }),
  );
  return { rows, total: measuresOf(groups), groups };
}

function keyOf(key: GroupKey, entity: number, catalogue: Catalogue): JobKey {
  if (key.kind === 'time') {
    const { unit } = key;
    const figure = catalogue.figureIndex(entity, key.figure);
    return { kind: 'time', figure, unit, size: timeSize(unit) + 1 };
  }
  const { number } = catalogue.dimensionOf(key.dimension);
  return { kind: 'dimension', dimension: number, size: catalogue.valuesOf(number).size + 1 };
}

function keyValue(key: GroupKey, number: number, catalogue: Catalogue): string | number | null {
  if (number === 0) return null;
  if (key.kind === 'time') return timeText(number - 1, key.unit);
  const { number: dimension, isNumeric } = catalogue.dimensionOf(key.dimension);
  const text = catalogue.valuesOf(dimension).valueOf(number - 1);
  return isNumeric ? Number(text) : text;
}

function percentilesOf(measures: readonly FigureMeasure[], id: string): readonly number[] {
  const shares = measures.flatMap(({ figure, of }) =>
    figure === id && isPercentile(of) ? [PERCENTILES[of]] : [],
  );
  return [...new Set(shares)];
}

function isPercentile(of: FigureMeasure['of']): of is keyof typeof PERCENTILES {
  return Object.hasOwn(PERCENTILES, of);
}

function distinctOf(
  measure: Measure,
  entity: number,
  catalogue: Catalogue,
): JobDistinct | undefined {
  if (measure.kind === 'distinctFigure') {
    return { kind: 'figure', figure: catalogue.figureIndex(entity, measure.figure) };
  }
  if (measure.kind === 'distinct') {
    const { number } = catalogue.dimensionOf(measure.dimension);
    return { kind: 'dimension', dimension: number, size: catalogue.valuesOf(number).size };
  }
  if (measure.kind !== 'related') return undefined;
  const { links, to } = catalogue.relationOf(measure.relation);
  if (links.of !== 'from') throw new RangeError(`${measure.relation} has no links of its own.`);
  const size = catalogue.numbersOf(catalogue.entityIndex(to));
  return { kind: 'links', links: links.index, size };
}

/** By measure, the number of each group and last of all records; NaN for none. */
function measuredNumbers(
  { measures }: AggregateQuery,
  figures: readonly string[],
  result: AggregateResult,
): readonly Float64Array[] {
  let distinct = 0;
  return measures.map((measure) => {
    if (measure.kind === 'count') return result.counts;
    if (measure.kind !== 'figure') return result.distincts[distinct++] as Float64Array;
    const index = figures.indexOf(measure.figure);
    const of = result.figures[index];
    if (of === undefined) return new Float64Array(result.groups + 1).fill(Number.NaN);
    if (measure.of === 'average') return of.sum.map((sum, at) => sum / (of.known[at] as number));
    if (!isPercentile(measure.of)) return of[measure.of];
    const shares = percentilesOf(
      measures.filter((each): each is FigureMeasure => each.kind === 'figure'),
      measure.figure,
    );
    return of.percentiles[shares.indexOf(PERCENTILES[measure.of])] as Float64Array;
  });
}

/** The groups of the page, in order. */
function pageOf(
  { by, order, top, skip }: AggregateQuery,
  { groups, keys }: AggregateResult,
  numbers: readonly Float64Array[],
  catalogue: Catalogue,
): readonly number[] {
  const ranks = by.map((key, index) => ranksOf(key, keys[index] as Float64Array, catalogue));
  const measured = order.findIndex(({ measure }) => measure !== undefined);
  const none = withoutValue(keys, groups);
  const columns = [
    ...order.flatMap((each, index) => {
      const column = ordered(each, numbers, ranks);
      return index === measured ? [{ numbers: none, sign: 1 }, column] : [column];
    }),
    ...ranks.map((each) => ({ numbers: each, sign: 1 })),
  ];
  const compare = (a: number, b: number): number => {
    for (const { numbers: column, sign } of columns) {
      const [one, other] = [column[a] as number, column[b] as number];
      if (one === other) continue;
      if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
      if (one !== other && !Number.isNaN(one)) return sign * (one - other);
    }
    return 0;
  };
  const end = Math.min(skip + top, groups);
  const first = columns[measured === 0 ? 1 : 0];
  // Only groups that come before the end by the first column, or equal it there, are sorted.
  const candidates = Array.from({ length: groups }, (_, group) => group);
  if (first === undefined || end === groups) return candidates.sort(compare).slice(skip, end);
  const keyed = first.numbers
    .subarray(0, groups)
    .map((each, group) =>
      measured === 0 && none[group] === 1 ? Infinity : lastIfNone(each * first.sign),
    );
  const bounds = keyed.slice();
  placeAt(bounds, end);
  const bound = bounds[end] as number;
  return candidates
    .filter((group) => (keyed[group] as number) <= bound)
    .sort(compare)
    .slice(skip, end);
}

/** 1 for groups in which a key has no value: in an order by a measure they come last. */
function withoutValue(keys: readonly Float64Array[], groups: number): Float64Array {
  return Float64Array.from({ length: groups }, (_, group) =>
    Number(keys.some((values) => values[group] === 0)),
  );
}

function lastIfNone(number: number): number {
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

function ordered(
  { measure, key, descending }: GroupOrder,
  numbers: readonly Float64Array[],
  ranks: readonly Float64Array[],
): { readonly numbers: Float64Array; readonly sign: number } {
  const of = measure === undefined ? ranks[key ?? 0] : numbers[measure];
  if (of === undefined) throw new RangeError('The order is by no measure and by no key.');
  return { numbers: of, sign: descending ? -1 : 1 };
}

/** The place of each group's value of a key among all its values; NaN without one. */
function ranksOf(key: GroupKey, values: Float64Array, catalogue: Catalogue): Float64Array {
  if (key.kind === 'time') return values.map((each) => (each === 0 ? Number.NaN : each));
  const { number, isNumeric } = catalogue.dimensionOf(key.dimension);
  const list = catalogue.valuesOf(number);
  if (isNumeric) {
    return values.map((each) => (each === 0 ? Number.NaN : Number(list.valueOf(each - 1))));
  }
  const ranks = list.ranks();
  return values.map((each) => (each === 0 ? Number.NaN : (ranks[each - 1] as number)));
}

function orNull(number: number): number | null {
  return Number.isNaN(number) ? null : number;
}
