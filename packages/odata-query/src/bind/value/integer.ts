import type { Literal } from '../../ast/literal.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { isNumeric } from './number.ts';
import { wholeNumber } from './whole-number.ts';
import { wrongValue } from './wrong-value.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** The columns' own ranges: smallint, int4, and what JSON can carry exactly of int8. */
const YEAR: Range = { min: -32_768, max: 32_767 };
const INTEGER: Range = { min: -2_147_483_648, max: 2_147_483_647 };
const USD: Range = { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

/** A year. */
export const readYear = (value: Literal, field: FieldSpec): number =>
  readWithin(value, field, YEAR);

/** A count. */
export const readInteger = (value: Literal, field: FieldSpec): number =>
  readWithin(value, field, INTEGER);

/** Whole US dollars. */
export const readUsd = (value: Literal, field: FieldSpec): number => readWithin(value, field, USD);

/**
 * Any way of writing a whole number will do (5000000, 5e6, 5000000.00); one with a fraction or
 * beyond the column is rejected, never rounded.
 */
function readWithin(value: Literal, field: FieldSpec, { min, max }: Range): number {
  if (!isNumeric(value)) throw wrongValue(field, value);
  const number = wholeNumber(value.text);
  if (number === undefined) throw wrongValue(field, value);
  if (number >= min && number <= max) return number;
  throw wrongValue(field, value, `The value of ${field.name} must be from ${min} to ${max}.`);
}
