import type { Literal } from '../../ast/literal.ts';
import { echo } from '../../echo.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { isDateForm, isInstantForm } from '../../lexer/bare-literal.ts';
import { isDay, toUtc } from '../../utc.ts';
import { wrongValue } from './wrong-value.ts';

const MIDNIGHT = 'T00:00:00Z';

/**
 * A day, as `YYYY-MM-DD`, bare or quoted. An instant is taken for the day whose midnight UTC it
 * is, which is how programs print a date; any other instant says more than a day can hold.
 */
export function readDate(value: Literal, field: FieldSpec): string {
  const text = value.text;
  if (value.type === 'date' || (value.type === 'string' && isDateForm(text))) {
    if (isDay(text)) return text;
    throw noSuchDay(value, field);
  }
  if (value.type === 'instant' || (value.type === 'string' && isInstantForm(text))) {
    const utc = toUtc(text);
    if (utc === undefined) throw noSuchDay(value, field);
    if (utc.endsWith(MIDNIGHT)) return utc.slice(0, -MIDNIGHT.length);
    const message = `${field.name} is a date without a time.`;
    throw wrongValue(field, value, message, { suggestion: utc.slice(0, 10) });
  }
  throw wrongValue(field, value);
}

function noSuchDay(value: Literal, field: FieldSpec): Error {
  return wrongValue(field, value, `'${echo(value.text)}' is not a valid date.`);
}
