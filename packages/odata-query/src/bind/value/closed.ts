import type { Literal } from '../../ast/literal.ts';
import { BOUNDS } from '../../bounds.ts';
import { closedValueOf } from '../../closed-value.ts';
import { echo } from '../../echo.ts';
import type { ClosedValue, FieldSpec } from '../../field-spec.ts';
import { printLiteral } from '../../print/print-literal.ts';
import { QueryError } from '../../query-error.ts';
import { wholeNumber } from './whole-number.ts';

/** One of a fixed list; a number that is not in quotes may be written in any way. */
export function readClosed(value: Literal, field: FieldSpec): ClosedValue['value'] {
  const list = field.closed ?? [];
  const number = value.type === 'number' ? wholeNumber(value.text) : undefined;
  const found = closedValueOf(list, number === undefined ? value.text : String(number));
  if (found === undefined) throw unknownValue(value, field, list);
  return found.value;
}

function unknownValue(value: Literal, field: FieldSpec, list: readonly ClosedValue[]): QueryError {
  const message = `${field.name} has no value ${echo(printLiteral(value))}.`;
  return new QueryError('unknown_value', message, {
    parameter: '$filter',
    field: field.name,
    position: value.position,
    value: echo(value.text),
    allowed: list.slice(0, BOUNDS.errorAllowed).map((entry) => entry.label),
    see: field.see,
  });
}
