import {
  type ClosedValue,
  closedValueMeant,
  closedValueOf,
  echo,
  nearest,
  QueryError,
  withHint,
} from '@vcds/odata-query';
import { type Dimension, dimensionById, type EntityId } from '@vcds/venture-model';
import type { WrittenNarrowing } from './query.ts';

/** One value that narrows, and its label for `narrowedBy`. */
export interface NarrowingValue {
  /** As records hold it. */
  readonly value: string | number;
  readonly label: string;
}

/**
 * Records that have any of these values. Values of closed dimensions are valid; those of others
 * are well-formed, and whether they occur is looked up before anything is read.
 */
export interface PlannedNarrowing {
  readonly dimension: Dimension;
  /** Where they were written. */
  readonly parameter: string;
  readonly values: readonly NarrowingValue[];
}

/** Which records of an entity: all of the narrowings. */
export interface NarrowedEntity {
  readonly entity: EntityId;
  readonly by: readonly PlannedNarrowing[];
}

const YEAR = /^(?:0|[1-9]\d{0,3})$/;

/**
 * Resolves values as written: those of closed dimensions by label, slug, member name or number,
 * case as given (docs/spec/categories.md 8.3), years as numbers, countries by any of their names,
 * others as they are. What is no year is a text, too: its refusal names years there are.
 *
 * @throws QueryError `unknown_value` for one that a closed list has not.
 */
export function planNarrowing(written: readonly WrittenNarrowing[]): readonly PlannedNarrowing[] {
  return written.map(({ dimension: id, parameter, values }) => {
    const dimension = dimensionById(id);
    const resolved = values.map((text) => resolve(dimension, parameter, text));
    return { dimension, parameter, values: distinct(resolved) };
  });
}

/** Whether a value as written is a year, of a dimension of years. */
export function isYearOf({ kind }: Dimension, text: string): boolean {
  return kind === 'bucketed' && YEAR.test(text);
}

/** The listing of a dimension, for `see`. */
export function listingOf({ id, entities: [entity] }: Dimension): string {
  return `/categories/${id}?entity=${entity ?? ''}`;
}

function resolve(dimension: Dimension, parameter: string, text: string): NarrowingValue {
  switch (dimension.kind) {
    case 'closed':
      return resolveClosed(dimension, parameter, text);
    case 'bucketed':
      return { value: isYearOf(dimension, text) ? Number(text) : text, label: text };
    case 'open': {
      const value = dimension.canonical?.(text) ?? text;
      return { value, label: value };
    }
  }
}

function resolveClosed(dimension: Dimension, parameter: string, text: string): NarrowingValue {
  const found = closedValueOf(dimension.closed ?? [], text);
  if (found === undefined) throw unknownValue(dimension, parameter, text);
  return { value: found.value, label: found.label };
}

/** Values that a dimension has, for one that it has not. */
export interface NearbyValues {
  /** The nearest first; where none is near, those worth naming. */
  readonly values: readonly string[];
  readonly nearest: string | undefined;
  /** What the value is called elsewhere, where that is known. */
  readonly meant: string | undefined;
}

/** The refusal of a value that a dimension does not have. */
export function unknownValue(
  dimension: Dimension,
  parameter: string,
  text: string,
  nearby?: NearbyValues,
): QueryError {
  const closed = dimension.closed ?? [];
  const allowed = closed.length > 0 ? closed.map(({ label }) => label) : (nearby?.values ?? []);
  // Years are near by their distance, and not by their digits.
  const alike = isYearOf(dimension, text) ? undefined : nearest(text, allowed);
  const meant = closed.length > 0 ? closedValueMeant(text, closed) : nearby?.meant;
  const found = meant ?? alike ?? nearby?.nearest;
  const suggestion = found && asListed(found, text, closed);
  return new QueryError(
    'unknown_value',
    withHint(`${dimension.title} has no value '${echo(text)}'.`, suggestion),
    {
      parameter,
      value: text,
      ...(allowed.length > 0 ? { allowed } : {}),
      suggestion,
      see: listingOf(dimension),
    },
  );
}

// A comma separates values: the slug has none, an open value is put in quotes.
function asListed(value: string, written: string, closed: readonly ClosedValue[]): string {
  if (!value.includes(',') || written.includes(',')) return value;
  return closed.find(({ label }) => label === value)?.slug ?? `"${value.replaceAll('"', '""')}"`;
}

function distinct(values: readonly NarrowingValue[]): readonly NarrowingValue[] {
  return [...new Map(values.map((each) => [each.value, each])).values()];
}
