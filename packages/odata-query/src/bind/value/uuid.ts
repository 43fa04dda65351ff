import type { Literal } from '../../ast/literal.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { isUuidForm } from '../../lexer/bare-literal.ts';
import { wrongValue } from './wrong-value.ts';

/** An id, bare or quoted, in any case; in lower case from here on. */
export function readUuid(value: Literal, field: FieldSpec): string {
  const isId = value.type === 'uuid' || (value.type === 'string' && isUuidForm(value.text));
  if (isId) return value.text.toLowerCase();
  throw wrongValue(field, value);
}
