/** Measures and keys as written: `median(Amount)`, `country`, `quarter(Date)`. */
import type { FigureFunction } from '@vcds/facet-engine';
import { echo, type FieldTable, nearest, oneOf, type ValueType, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { DIMENSION_IDS, type Dimension, dimensionById } from '@vcds/venture-model';
import { planDimension } from '../categories/plan.ts';
import type { Resource, ResourceField } from '../resources/index.ts';

export type Measure =
  | { readonly name: string; readonly kind: 'count' }
  | {
      readonly name: string;
      readonly kind: 'figure';
      readonly of: FigureFunction;
      readonly field: ResourceField;
    }
  | { readonly name: string; readonly kind: 'distinct'; readonly field: ResourceField };

export type TimeUnit = 'year' | 'quarter' | 'month';

export type GroupKey =
  | { readonly name: string; readonly kind: 'dimension'; readonly dimension: Dimension }
  | {
      readonly name: string;
      readonly kind: 'time';
      readonly unit: TimeUnit;
      readonly field: ResourceField;
    };

const NUMBERS: readonly ValueType[] = ['usd', 'integer', 'number', 'year', 'date'];
/** Sums of years and of dates mean nothing. */
const SUMMED: readonly ValueType[] = ['usd', 'integer', 'number'];
/** Ids of related records whose different ones are counted. */
const IDS: ReadonlySet<string> = new Set(['StartupId', 'Investor', 'LeadInvestor']);
const FUNCTIONS: Readonly<Record<FigureFunction, readonly ValueType[]>> = {
  sum: SUMMED,
  average: NUMBERS,
  min: NUMBERS,
  max: NUMBERS,
  median: NUMBERS,
  p25: NUMBERS,
  p75: NUMBERS,
  p90: NUMBERS,
};
/** Numbers in the currency of each record, by the field that has them in US dollars. */
const OWN_CURRENCY: Readonly<Record<string, string>> = { OriginalAmount: 'Amount' };
const FUNCTION_NAMES = [...Object.keys(FUNCTIONS), 'countdistinct'];
/** Names of other systems. */
const MEANT: Readonly<Record<string, string>> = {
  ...{ avg: 'average', mean: 'average', total: 'sum', minimum: 'min', maximum: 'max' },
  ...{ p50: 'median', percentile50: 'median', q1: 'p25', q3: 'p75', top: 'max' },
  ...{ distinct: 'countdistinct', count_distinct: 'countdistinct', unique: 'countdistinct' },
  ...{ nunique: 'countdistinct', uniq: 'countdistinct' },
};
const UNITS: readonly TimeUnit[] = ['year', 'quarter', 'month'];
const TIMES: readonly ValueType[] = ['date', 'instant'];

/** Without blanks. */
const CALL = /^([A-Za-z_]\w*)\(([^()]*)\)$/;
const COUNT = /^count(?:\(\*?\))?$/i;

/** @throws ApiError `bad_parameter`, `unknown_field`. */
export function planMeasure(text: string, resource: Resource): Measure {
  const written = withoutBlanks(text);
  if (COUNT.test(written)) return { name: 'count', kind: 'count' };
  const [, of = '', fieldName = ''] = CALL.exec(written) ?? [];
  const name = of.toLowerCase();
  if (name === 'countdistinct') {
    const field = fieldOf(fieldName, resource, 'measures', isDistinct, name);
    return { name: `countdistinct(${field.name})`, kind: 'distinct', field };
  }
  if (Object.hasOwn(FUNCTIONS, name)) {
    const ofFigure = name as FigureFunction;
    const isOf = ({ type, many }: ResourceField) => !many && FUNCTIONS[ofFigure].includes(type);
    const isComparable = (field: ResourceField) => isOf(field) && !(field.name in OWN_CURRENCY);
    const field = fieldOf(fieldName, resource, 'measures', isComparable, name);
    return { name: `${name}(${field.name})`, kind: 'figure', of: ofFigure, field };
  }
  throw unknownMeasure(written, name, fieldName, resource);
}

/**
 * @param ofEntity whether a dimension can group the records.
 * @throws ApiError `unknown_dimension`, `unknown_field`, `bad_parameter`.
 */
export function planKey(text: string, resource: Resource): GroupKey {
  const written = withoutBlanks(text);
  const [, of, fieldName = ''] = CALL.exec(written) ?? [];
  if (of === undefined) {
    const dimension = planDimension(written, 'by');
    return { name: dimension.id, kind: 'dimension', dimension };
  }
  const unit = UNITS.find((each) => each === of.toLowerCase());
  if (unit === undefined) {
    const times = namesOf(resource.fields, isTime);
    const meant = nearest(of, UNITS);
    const isField = times.includes(fieldName);
    const suggestion = meant && isField ? `${meant}(${fieldName})` : undefined;
    throw bad('by', written, `'${echo(written)}' is no key.`, suggestion, [
      ...UNITS.map((each) => `${each}(${times[0]})`),
      ...DIMENSION_IDS,
    ]);
  }
  const field = fieldOf(fieldName, resource, 'by', isTime, unit);
  return { name: `${unit}(${field.name})`, kind: 'time', unit, field };
}

/** The dimension of a field of ids of related funds. */
export function investorDimension(field: string): Dimension {
  return dimensionById(field === 'LeadInvestor' ? 'lead_investor' : 'investor');
}

/** Names of measures and keys have none. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s/g, '');
}

function fieldOf(
  name: string,
  { fields, title }: Resource,
  parameter: string,
  isOf: (field: ResourceField) => boolean,
  of: string,
): ResourceField {
  const found =
    fields.get(name) ??
    [...fields.values()].find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined && isOf(found)) return found;
  const allowed = namesOf(fields, isOf);
  // Another field is another question: only a misspelled one is suggested.
  const meant = found === undefined ? nearest(name, allowed) : undefined;
  const suggestion = meant === undefined ? undefined : `${of}(${meant})`;
  const dollars = found && OWN_CURRENCY[found.name];
  const message =
    found === undefined
      ? `${title} has no field '${echo(name)}'.`
      : dollars
        ? `${found.name} is in the currency of each record: use ${of}(${dollars}), in US dollars.`
        : `${of} of ${found.name} is not possible: it takes ${oneOf(allowed)}.`;
  throw new ApiError(
    found === undefined ? 'unknown_field' : 'bad_parameter',
    withHint(message, suggestion),
    { parameter, value: name, allowed, suggestion },
  );
}

function isDistinct({ name, type, many, match }: ResourceField): boolean {
  if (IDS.has(name)) return true;
  return !many && NUMBERS.includes(type) && match !== undefined;
}

function isTime({ type, many }: ResourceField): boolean {
  return !many && TIMES.includes(type);
}

function namesOf(
  fields: FieldTable<ResourceField>,
  isOf: (field: ResourceField) => boolean,
): readonly string[] {
  return [...fields.values()].filter(isOf).map(({ name }) => name);
}

function unknownMeasure(
  written: string,
  of: string,
  field: string,
  { fields }: Resource,
): ApiError {
  // Another percentile is another figure.
  const meant = MEANT[of] ?? (/^p\d/.test(of) ? undefined : nearest(of, FUNCTION_NAMES));
  const numbers = namesOf(fields, ({ type, many }) => !many && SUMMED.includes(type));
  const suggestion = meant === undefined || field === '' ? undefined : `${meant}(${field})`;
  const example = numbers.includes(written) ? written : (numbers[0] ?? 'Field');
  const allowed = ['count', ...FUNCTION_NAMES.map((each) => `${each}(${example})`)];
  return bad('measures', written, `'${echo(written)}' is no measure.`, suggestion, allowed);
}

function bad(
  parameter: string,
  value: string,
  message: string,
  suggestion: string | undefined,
  allowed: readonly string[],
): ApiError {
  return new ApiError('bad_parameter', withHint(message, suggestion), {
    ...{ parameter, value, allowed, suggestion },
  });
}
