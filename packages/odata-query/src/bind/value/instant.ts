import type { Literal } from '../../ast/literal.ts';
import { echo } from '../../echo.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { isDateForm, isInstantForm } from '../../lexer/bare-literal.ts';
import { toUtc } from '../../utc.ts';
import { wrongValue } from './wrong-value.ts';

/** An instant, bare or quoted, in UTC as {@link toUtc} writes it. */
export function readInstant(value: Literal, field: FieldSpec): string {
  const { type, text } = value;
  const isWritten = type === 'date' || type === 'instant' || type === 'string';
  if (!isWritten || !(isDateForm(text) || isInstantForm(text))) throw wrongValue(field, value);
  const utc = toUtc(text);
  if (utc !== undefined) return utc;
  throw wrongValue(
    field,
    value,
    `'${echo(text)}' is not a valid instant: years go from 1 to 9999, hours to 23, offsets to` +
      ' 14:00, and seconds have at most six decimals.',
  );
}
