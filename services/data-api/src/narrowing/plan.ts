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

/** A value that narrows, and its label in `narrowedBy`. */
export interface NarrowingValue {
  /** As stored in records. */
  readonly value: string | number;
  readonly label: string;
}

/**
 * Records that have any of these values. Values of closed dimensions are valid; {@link
 * ValueResolver} checks whether other values occur.
 */
export interface PlannedNarrowing {
  readonly dimension: Dimension;
  /** The parameter of the values. */
  readonly parameter: string;
  readonly values: readonly NarrowingValue[];
}

/** The records of an entity that match all narrowings. */
export interface NarrowedEntity {
  readonly entity: EntityId;
  readonly by: readonly PlannedNarrowing[];
}

const YEAR = /^(?:0|[1-9]\d{0,3})$/;

/**
 * Resolves values as written: those of closed dimensions by label, slug, member name or number,
 * case-sensitive (docs/spec/categories.md 8.3), years as numbers, countries by any of their names,
 * others unchanged. A value of a year dimension that is not a year stays text: it never occurs, and
 * the error suggests years.
 *
 * @throws QueryError `unknown_value` for a value that is not in a closed list.
 */
export function planNarrowing(written: readonly WrittenNarrowing[]): readonly PlannedNarrowing[] {
  return written.map(({ dimension: id, parameter, values }) => {
    const dimension = dimensionById(id);
    const resolved = values.map((text) => resolve(dimension, parameter, text));
    return { dimension, parameter, values: distinct(resolved) };
  });
}

/** Whether the dimension has years, and the text is one. */
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

/** Values of a dimension that an error names in place of an unknown one. */
export interface NearbyValues {
  /** The nearest first; the most common if none is near. */
  readonly values: readonly string[];
  readonly nearest: string | undefined;
  /** The value for which other systems use the unknown text. */
  readonly meant: string | undefined;
  /** The value that the unknown text names or misspells, if no record has it. */
  readonly absent?: string | undefined;
}

/** The error for an unknown value of a dimension. */
export function unknownValue(
  dimension: Dimension,
  parameter: string,
  text: string,
  nearby?: NearbyValues,
): QueryError {
  const closed = dimension.closed ?? [];
  const allowed = closed.length > 0 ? closed.map(({ label }) => label) : (nearby?.values ?? []);
  const found = nearestOf(dimension, text, nearby);
  // Years of a range are several values.
  const isList = dimension.kind === 'bucketed';
  const suggestion = found && (isList ? found : asListed(found, text, closed));
  return new QueryError(
    'unknown_value',
    withHint(
      nearby?.absent === undefined
        ? `${dimension.title} has no value '${echo(text)}'${plusAdvice(text)}.`
        : `No record has the ${dimension.id} ${nearby.absent}.`,
      suggestion,
    ),
    {
      parameter,
      value: text,
      ...(allowed.length > 0 ? { allowed } : {}),
      suggestion,
      see: listingOf(dimension),
    },
  );
}

/** For a value in which `++` seems to have become blanks. */
export function plusAdvice(text: string): string {
  return /\s$|\s{2}/.test(text) ? ' (send a + in a URL as %2B)' : '';
}

/** The value that a text means or resembles; undefined if none is near. */
export function nearestOf(
  dimension: Dimension,
  text: string,
  nearby?: NearbyValues,
): string | undefined {
  const { closed = [] } = dimension;
  const meant = closed.length > 0 ? closedValueMeant(text, closed) : nearby?.meant;
  if (meant !== undefined || dimension.meant !== undefined) return meant;
  // For years the difference counts, not the edit distance.
  if (isYearOf(dimension, text)) return nearby?.nearest;
  const listed = closed.length > 0 ? closed.map(({ label }) => label) : (nearby?.values ?? []);
  return nearest(text, listed) ?? nearby?.nearest;
}

// A value with a comma must be written as its slug, which has none, or in quotes.
function asListed(value: string, written: string, closed: readonly ClosedValue[]): string {
  if (!value.includes(',') || written.includes(',')) return value;
  return closed.find(({ label }) => label === value)?.slug ?? `"${value.replaceAll('"', '""')}"`;
}

/** Each value once. */
export function distinct(values: readonly NarrowingValue[]): readonly NarrowingValue[] {
  return [...new Map(values.map((each) => [each.value, each])).values()];
}
