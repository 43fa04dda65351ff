/** Conditions on instants, which the facet index has as hours, seconds of the hour and milliseconds of the second. */
import type * as engine from '@vcds/facet-engine';
import type { CompareOperator } from '@vcds/odata-query';
import {
  type EntityId,
  INSTANTS,
  type IndexedId,
  type Instant,
  instantParts,
  type Measure,
  readInstant,
} from '@vcds/venture-model';
import type { ResourceField } from '../resources/index.ts';

type Condition = engine.RecordCondition<IndexedId>;
/** A part of an instant with a number. */
type Part = readonly [Measure, number];

const ALL: Condition = { kind: 'and', of: [] };
const NONE: Condition = { kind: 'or', of: [] };

/** The instant that is read from the same column. */
export function instantOf({ match }: ResourceField, entity: EntityId): Instant | undefined {
  if (match?.kind !== 'column') return undefined;
  return INSTANTS.find(
    ({ column, parts: [hour] }) =>
      hour.readings[entity] !== undefined && match.sql('r') === `r.${column}`,
  );
}

/** The milliseconds since 1970 of an instant in a text, of a filter or of PostgreSQL; undefined if it has none. */
export function millisecondsOf(text: string): number | undefined {
  const instant = readInstant(text);
  return instant === undefined ? undefined : Date.parse(instant);
}

/** Records whose instant meets a comparison; undefined if the value is no instant of a filter. */
export function comparedInstant(
  instant: Instant,
  operator: CompareOperator,
  value: unknown,
): Condition | undefined {
  // No record is without the instant.
  if (value === null) return operator === 'ne' ? ALL : operator === 'eq' ? NONE : undefined;
  const milliseconds = millisecondsOf(String(value));
  if (milliseconds === undefined) return undefined;
  const isWhole = isWholeMillisecond(String(value));
  const partsOf = (number: number) => withParts(instant, number);
  switch (operator) {
    case 'eq':
      return isWhole ? isEqual(partsOf(milliseconds)) : NONE;
    case 'ne':
      return isWhole ? { kind: 'not', of: isEqual(partsOf(milliseconds)) } : ALL;
    case 'gt':
      return isBounded(partsOf(milliseconds + 1), 'least');
    case 'ge':
      return isBounded(partsOf(isWhole ? milliseconds : milliseconds + 1), 'least');
    case 'le':
      return isBounded(partsOf(milliseconds), 'most');
    case 'lt':
      return isBounded(partsOf(isWhole ? milliseconds - 1 : milliseconds), 'most');
  }
}

/** Records that have one of these instants; undefined if one is no instant of a filter. */
export function listedInstants(
  instant: Instant,
  values: readonly unknown[],
): Condition | undefined {
  const of = values.flatMap((value) => comparedInstant(instant, 'eq', value) ?? []);
  return of.length < values.length ? undefined : { kind: 'or', of };
}

/** Whether an instant of a filter, which may have microseconds, has no part of a millisecond. */
function isWholeMillisecond(text: string): boolean {
  return !/\.\d{3}0*[1-9]/.test(text);
}

function withParts({ parts }: Instant, milliseconds: number): readonly Part[] {
  const numbers = instantParts(milliseconds);
  return parts.map((part, i): Part => [part, numbers[i] ?? 0]);
}

function isEqual(parts: readonly Part[]): Condition {
  return { kind: 'and', of: parts.map(hasNumber) };
}

function hasNumber([{ id }, number]: Part): Condition {
  return { kind: 'values', dimension: id, values: [number] };
}

/** Records whose instant is at least, or at most, that of the parts. */
function isBounded([part, ...later]: readonly Part[], side: 'least' | 'most'): Condition {
  if (part === undefined) return ALL;
  const isLeast = side === 'least';
  const [{ id: dimension }, number] = part;
  const range = (bound: number): Condition => ({
    ...{ kind: 'range', dimension },
    ...{ least: isLeast ? bound : null, most: isLeast ? null : bound },
  });
  if (later.length === 0) return range(number);
  const equal: Condition = { kind: 'and', of: [hasNumber(part), isBounded(later, side)] };
  return { kind: 'or', of: [range(isLeast ? number + 1 : number - 1), equal] };
}
