import type { Literal } from '../../ast/literal.ts';
import type { FieldSpec } from '../../field-spec.ts';
import { keywordNamed } from '../../keyword.ts';
import { wrongValue } from './wrong-value.ts';

/** `true` or `false`, in any case, bare or quoted. */
export function readBoolean(value: Literal, field: FieldSpec): boolean {
  if (value.type === 'boolean' || value.type === 'string') {
    const constant = keywordNamed(value.text);
    if (constant === 'true') return true;
    if (constant === 'false') return false;
  }
  throw wrongValue(field, value);
}
