import type { Literal } from '../../ast/literal.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { wrongValue } from './wrong-value.ts';

/** Half of a surrogate pair: no character, and nothing UTF-8 can express. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Text, as it stands between the quotes. */
export function readText(value: Literal, field: FieldSpec): string {
  if (value.type !== 'string') {
    throw wrongValue(field, value);
  }
  if (!value.text.includes('\0') && !LONE_SURROGATE.test(value.text)) return value.text;
  const message = `The value of ${field.name} contains a character that text cannot contain.`;
  throw wrongValue(field, value, message);
}

/** @throws QueryError `bad_filter` for a text of more than `max` characters. */
export function assertLength(text: string, max: number, value: Literal, field: FieldSpec): void {
  if (text.length <= max) return;
  const message = `The value of ${field.name} can have at most ${max} characters; this one has ${text.length}.`;
  throw wrongValue(field, value, message);
}
