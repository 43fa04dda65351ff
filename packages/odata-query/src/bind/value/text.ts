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

/** @throws QueryError `bad_filter` for a text of more than `max` characters. */
export function assertLength(text: string, max: number, value: Literal, field: FieldSpec): void {
  if (text.length <= max) return;
  const message = `A text for ${field.name} has at most ${max} characters; this one has ${text.length}.`;
  throw wrongValue(field, value, message);
}
