import type { Literal } from '../../ast/literal.ts';
import { suggestable } from '../../echo.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { wrongValue } from './wrong-value.ts';

/** Half of a surrogate pair: no character, and nothing UTF-8 can express. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Text, as it stands between the quotes. */
export function readText(value: Literal, field: FieldSpec): string {
  if (value.type !== 'string') {
    const suggestion = value.type === 'null' ? undefined : suggestable(`'${value.text}'`);
    throw wrongValue(field, value, undefined, { suggestion });
  }
  if (!value.text.includes('\0') && !LONE_SURROGATE.test(value.text)) return value.text;
  const message = `The text for ${field.name} holds a character that no text here can contain.`;
  throw wrongValue(field, value, message);
}
