import type { Literal } from '../../ast/literal.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { isNumberForm } from '../../lexer/bare-literal.ts';
import { wrongValue } from './wrong-value.ts';

/** Whether the literal is written as a number, bare or quoted. */
export function isNumeric(value: Literal): boolean {
  return value.type === 'number' || (value.type === 'string' && isNumberForm(value.text));
}

/** A finite double. */
export function readNumber(value: Literal, field: FieldSpec): number {
  if (!isNumeric(value)) throw wrongValue(field, value);
  const number = Number(value.text);
  if (!Number.isFinite(number)) {
    throw wrongValue(field, value, `The value of ${field.name} is too large.`);
  }
  return number === 0 ? 0 : number;
}
