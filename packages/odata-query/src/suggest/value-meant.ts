import { literal } from '../ast.ts';
import { bindValue } from '../bind/bind-value.ts';
import type { FieldSpec } from '../field-spec.ts';
import { QueryError } from '../query-error.ts';
import { closedValueMeant } from './closed-value-meant.ts';
import { dateMeant } from './date-meant.ts';
import { MEANT_LENGTH_MAX } from './nearest.ts';
import { numberMeant } from './number-meant.ts';

const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ...['yes', 'y', 't', 'on', '1'].map((text) => [text, 'true'] as const),
  ...['no', 'n', 'f', 'off', '0'].map((text) => [text, 'false'] as const),
]);
const NULLS: ReadonlySet<string> = new Set(['none', 'nil', 'undefined', 'empty', 'n/a', 'na']);
const UUID_DRESSING = /^\{|^urn:uuid:|\}$/gi;

/** Whether a value is written in quotes: text, and the names of closed values. */
export function isQuoted({ type }: FieldSpec): boolean {
  return type === 'text' || type === 'keywords' || type === 'closed';
}

/**
 * The most probable value of a field for a text, without quotes: of closed values the
 * label, of dates `YYYY-MM-DD`. {@link bindValue} accepts the result for the field.
 * Undefined where nothing is near, and for texts of more than 64 characters.
 *
 * @param today `YYYY-MM-DD`, for `today` and the like.
 */
export function valueMeant(text: string, field: FieldSpec, today?: string): string | undefined {
  if (text.length > MEANT_LENGTH_MAX) return undefined;
  const meant = candidateOf(text.trim(), field, today);
  return meant !== undefined && isValueOf(meant, field) ? meant : undefined;
}

/** Whether a text in quotes is a value of the field. */
export function isValueOf(text: string, field: FieldSpec): boolean {
  try {
    bindValue(literal('string', text, 0), field);
    return true;
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}

function candidateOf(text: string, field: FieldSpec, today?: string): string | undefined {
  switch (field.type) {
    case 'text':
    case 'keywords':
      return text;
    case 'uuid':
      return uuidMeant(text);
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase());
    case 'closed':
      return isValueOf(text, field) ? text : closedValueMeant(text, field.closed ?? []);
    case 'year':
      return yearMeant(text, today);
    case 'integer':
    case 'usd':
    case 'number':
      return numberMeant(text, true);
    case 'date':
    case 'instant':
      return dateMeant(text, today);
  }
}

function uuidMeant(text: string): string | undefined {
  const digits = text.replace(UUID_DRESSING, '').replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(digits)) return undefined;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

// The year of a date; `2,010` and `2010+` are years, `2k` is none.
function yearMeant(text: string, today?: string): string | undefined {
  const year = numberMeant(text.replace(/s$/i, ''), false);
  if (year !== undefined && /^\d{4}$/.test(year)) return year;
  return dateMeant(text, today)?.slice(0, 4).replace(/^0+/, '');
}

/** Whether a text is another language's word for null. */
export function meansNull(text: string): boolean {
  return NULLS.has(text.trim().toLowerCase());
}
