import type * as engine from '@vcds/facet-engine';
import {
  type Entity,
  type Indexed,
  type IndexedId,
  instantParts,
  type MeasureUnit,
  measureNumber,
  roundedFrom,
  storedRange,
  textRange,
} from '@vcds/venture-model';
import type { Statement } from '../postgres/statement.ts';
import {
  type CountCondition,
  conditionOf,
  indexedOf,
  isMeasure,
  patternsOf,
  withValues,
} from './count-condition.ts';
import type { KeyValue } from './cursor.ts';
import { instantOf, millisecondsOf } from './instant-condition.ts';
import { effectiveKeys, sortSql } from './order.ts';
import type { OrderKey, PagePlan } from './plan.ts';
import { ROW } from './sql.ts';

export type FirstRecordsQuery = engine.FirstRecordsQuery<Entity['id'], IndexedId>;

/** Records of a page beyond those of its order are asked for: more that are similar cost little. */
const SPARE = 10;
/** So are records before it, if more are left out: records that are new there are not known to the index. */
const SPARE_BEFORE = 100;
/** Records beyond those of the order where some of them are known not to be on the page. */
const SPARE_OF_ROUNDED = 500;
/** Of more keys in the index, the engine may leave out the last ones: their combinations are too many for a number. */
const COMBINED_MAX = 4;
/** The most records that the order of the index does not separate. */
const EQUAL_MAX = 4_000;
/** The most records of a page, and of those before it if they are found as well. */
const RECORDS_MAX = 6_000;

/** A page whose records the facet index can find. */
export interface IndexedPage {
  readonly condition: CountCondition;
  readonly query: Omit<FirstRecordsQuery, 'version'>;
}

/** The options of a search for a page. */
export interface IndexedPageOptions {
  /** More matches are not searched for. */
  readonly matchesMax?: number | undefined;
  /** The number of the range that {@link compileTextRange} looks up. */
  readonly rangeNumber?: number | undefined;
}

/** A key of the order as the index has it: itself, or the parts of an instant one after the other. */
interface IndexedKey {
  readonly order: FirstRecordsQuery['order'];
  /** The numbers of a value at a position, or that of its range; undefined if it has none. */
  readonly numbersOf: (
    value: string,
    rangeNumber: number | undefined,
  ) => readonly number[] | undefined;
}

/** Looks up the `number` of the range of the text at the position of a page, if the index may find it by ranges. */
export function compileTextRange(plan: PagePlan): Statement | undefined {
  const { resource, orderBy, after } = plan;
  const entity = after && conditionOf(plan)?.entity;
  if (after === undefined || entity === undefined) return undefined;
  const keys = effectiveKeys(resource, orderBy, ROW);
  const index = keys.findIndex(({ field }) => unitOf(indexedOf(field, entity)) === 'text_range');
  const text = after.keys[index];
  if (typeof text !== 'string') return undefined;
  return { text: `SELECT ${textRange('$1::text')} AS number`, values: [text], plan: 'generic' };
}

/**
 * The first records of a page as a query of the facet index: a superset of the matches, because the
 * index rounds some values, in an order that does not separate all records; all matches if the first
 * key is not in the index. Undefined if a condition is not in the index, or the page has too many
 * records.
 */
export function indexedPageOf(
  plan: PagePlan,
  { matchesMax, rangeNumber }: IndexedPageOptions = {},
): IndexedPage | undefined {
  const { skip, top, after, resource, orderBy } = plan;
  const condition = conditionOf(plan);
  if (condition === undefined || patternsOf(condition.superset).length > 0) return undefined;
  if (resource.tieBreak !== 'id' || top > RECORDS_MAX) return undefined;
  const { keys, hasIds } = keysOf(plan, condition.entity);
  const from = after && positionOf(after.keys, keys, rangeNumber);
  if (after !== undefined && from === undefined) return undefined;
  const order = keys.flatMap((key) => key.order);
  const isExact = order.every(({ exactBelow }) => exactBelow === null);
  const isWhole = hasIds && isExact && order.length <= COMBINED_MAX;
  const isRounded = condition.rounded !== undefined;
  if (skip > RECORDS_MAX && (isRounded || (keys.length === 0 && !hasIds))) return undefined;
  // Records that do not match would be counted as skipped ones: all of them are found instead.
  const skipped = isRounded ? 0 : Math.max(skip - SPARE_BEFORE, 0);
  const isInexact = isRounded || (after !== undefined && !isWhole);
  const count = skip - skipped + top + 1 + (isInexact ? SPARE_OF_ROUNDED : SPARE);
  const countMax = count + Math.min(skipped, RECORDS_MAX) + EQUAL_MAX;
  const isDescending = effectiveKeys(resource, orderBy, ROW).at(-1)?.descending === true;
  const query: IndexedPage['query'] = {
    ...{
      entity: condition.entity.id,
      where: withValues(condition.superset),
      from,
      skip: skipped,
      count,
      countMax,
    },
    order,
    ids: !hasIds ? undefined : isDescending ? 'descending' : 'ascending',
    matchesMax,
  };
  return { condition, query };
}

/** Whether the index has no part of an order, so that a page needs all matches. */
export function needsAll({ query }: IndexedPage): boolean {
  return query.order.length === 0 && query.ids === undefined;
}

/** The first keys that the index has, and whether these and the ids are the whole order. */
function keysOf({ resource, orderBy }: PagePlan, entity: Entity) {
  const keys: IndexedKey[] = [];
  for (const key of effectiveKeys(resource, orderBy, ROW)) {
    if (sortSql(key.field, ROW) === `${ROW}.${resource.tieBreak}`) break;
    const indexed = keyOf(key, entity);
    // All texts are in a range with others, so the index has no order of them by later keys.
    const isInRange = keys.at(-1)?.order.at(-1)?.exactBelow === 0;
    if (indexed === undefined || isInRange) return { keys, hasIds: false };
    keys.push(indexed);
  }
  return { keys, hasIds: true };
}

function keyOf({ field, descending }: OrderKey, entity: Entity): IndexedKey | undefined {
  const instant = instantOf(field, entity.id);
  if (instant !== undefined) {
    return {
      order: instant.parts.map(({ id }) => ({ dimension: id, descending, exactBelow: null })),
      numbersOf: (value) => {
        const milliseconds = millisecondsOf(value);
        return milliseconds === undefined ? undefined : instantParts(milliseconds);
      },
    };
  }
  const indexed = indexedOf(field, entity);
  const reading = indexed?.readings[entity.id];
  if (indexed === undefined || reading === undefined) return undefined;
  if (!indexed.isOrdinal || reading.many || reading.through !== undefined) return undefined;
  const isRange = unitOf(indexed) === 'text_range';
  const exactBelow = isMeasure(indexed) ? roundedFrom(indexed) : null;
  return {
    order: [{ dimension: indexed.id, descending, exactBelow }],
    numbersOf: (value, rangeNumber) => {
      const number = isRange ? rangeNumber : numberOf(value, indexed);
      return number === undefined ? undefined : [number];
    },
  };
}

function unitOf(indexed: Indexed | undefined): MeasureUnit | undefined {
  return indexed !== undefined && isMeasure(indexed) ? indexed.unit : undefined;
}

function numberOf(value: string, indexed: Indexed): number | undefined {
  const measure = isMeasure(indexed) ? indexed : undefined;
  const number = measure?.unit === 'day' ? measureNumber(measure, value) : Number(value);
  if (number === undefined || !Number.isSafeInteger(number)) return undefined;
  return measure === undefined ? number : storedRange(measure, number)[0];
}

function positionOf(
  values: readonly KeyValue[],
  keys: readonly IndexedKey[],
  rangeNumber: number | undefined,
): FirstRecordsQuery['from'] {
  const numbers = keys.map(({ numbersOf }, index) => {
    const value = values[index] ?? null;
    return value === null ? [null] : numbersOf(value, rangeNumber);
  });
  const known = numbers.filter((each) => each !== undefined);
  if (known.length < numbers.length) return undefined;
  return { values: known.flat(), id: values.at(-1) ?? undefined };
}
