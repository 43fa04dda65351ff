import type { Literal } from '../../ast/literal.ts';
import { echo } from '../../echo.ts';
import type { FieldSpec, ValueType } from '../../field-spec.ts';
import { printLiteral } from '../../print/print-literal.ts';
import { QueryError, type QueryErrorDetails } from '../../query-error.ts';

const EXPECTED: Readonly<Record<ValueType, string>> = {
  uuid: 'an id (a UUID), e.g. 5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11',
  text: "text in single quotes, e.g. 'Berlin'",
  year: 'a year, e.g. 2010',
  integer: 'a whole number, e.g. 250',
  usd: 'a whole number of US dollars, e.g. 5000000',
  number: 'a number, e.g. 0.75',
  date: 'a date, e.g. 2012-09-03',
  instant: 'a date or an instant, e.g. 2012-09-03 or 2012-09-03T13:52:00Z',
  boolean: 'true or false',
  closed: 'one of its listed values',
  keywords: "words in single quotes, e.g. 'machine learning'",
};

/** The error for a value that is not of the field's type, or beyond its range. */
export function wrongValue(
  field: FieldSpec,
  value: Literal,
  message: string = mismatch(field, value),
  details: QueryErrorDetails = {},
): QueryError {
  const isTemporal = field.type === 'date' || field.type === 'instant';
  return new QueryError(isTemporal ? 'bad_date' : 'bad_filter', message, {
    parameter: '$filter',
    field: field.name,
    position: value.position,
    value: echo(value.text),
    see: field.see,
    ...details,
  });
}

function mismatch(field: FieldSpec, value: Literal): string {
  return `${field.name} requires ${EXPECTED[field.type]}, not ${echo(printLiteral(value))}.`;
}
