import { oneOf } from '../echo.ts';
import { type FieldSpec, operatorsOf } from '../field-spec.ts';
import type { Operator } from '../operator.ts';
import { QueryError } from '../query-error.ts';

/** @throws QueryError `operator_not_supported` for an operator the field does not take. */
export function checkOperator(field: FieldSpec, operator: Operator, position: number): void {
  const allowed = operatorsOf(field);
  if (allowed.includes(operator)) return;
  const message = `${field.name} does not support ${operator}. Use ${oneOf(allowed)}.`;
  throw operatorNotSupported(message, field, operator, position, allowed);
}

/** The error for an operator, with the valid operators. */
export function operatorNotSupported(
  message: string,
  field: FieldSpec,
  operator: Operator,
  position: number,
  allowed: readonly Operator[],
): QueryError {
  const details = { parameter: '$filter', field: field.name, operator, position, allowed };
  return new QueryError('operator_not_supported', message, { ...details, see: field.see });
}
