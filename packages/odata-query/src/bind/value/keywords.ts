import type { Literal } from '../../ast/literal.ts';
import { BOUNDS } from '../../bounds.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { assertLength, readText } from './text.ts';
import { wrongValue } from './wrong-value.ts';

/** The text of a full-text search, at most 1,000 characters; it must hold something to search for. */
export function readKeywords(value: Literal, field: FieldSpec): string {
  const text = readText(value, field);
  assertLength(text, BOUNDS.keywordsCharacters, value, field);
  if (text.trim() !== '') return text;
  throw wrongValue(field, value, `${field.name} requires at least one word to search for.`);
}
