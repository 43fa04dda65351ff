import type { Literal } from '../ast/literal.ts';
import type { FieldSpec, ValueType } from '../field-spec.ts';
import type { BoundValue } from './bound-filter.ts';
import { readBoolean } from './value/boolean.ts';
import { readClosed } from './value/closed.ts';
import { readDate } from './value/date.ts';
import { readInstant } from './value/instant.ts';
import { readInteger, readUsd, readYear } from './value/integer.ts';
import { readKeywords } from './value/keywords.ts';
import { readNumber } from './value/number.ts';
import { readText } from './value/text.ts';
import { readUuid } from './value/uuid.ts';

/** Reads a literal that is not null as a value of the field's type, or throws QueryError. */
type ValueReader = (value: Literal, field: FieldSpec) => BoundValue;

const READERS: Readonly<Record<ValueType, ValueReader>> = {
  uuid: readUuid,
  text: (value, field) => {
    const text = readText(value, field);
    return field.canonical?.(text) ?? text;
  },
  year: readYear,
  integer: readInteger,
  usd: readUsd,
  number: readNumber,
  date: readDate,
  instant: readInstant,
  boolean: readBoolean,
  closed: readClosed,
  keywords: readKeywords,
};

/**
 * The value of a literal for a field. Any value may stand in quotes, the field's type decides how
 * it is read; text and the names of closed values must.
 */
export function bindValue(value: Literal, field: FieldSpec): BoundValue {
  return READERS[field.type](value, field);
}
