import { parseLikePattern } from '../bind/like-pattern.ts';
import { suggestable } from '../echo.ts';
import { type FieldSpec, operatorsOf } from '../field-spec.ts';
import type { Token } from '../lexer/token.ts';
import type { Operator } from '../operator.ts';
import { QueryError } from '../query-error.ts';
import { listElements, operandAt, unquoted } from './operand.ts';
import { isQuoted, meansNull, valueMeant } from './value-meant.ts';

/** Inputs of suggestions in addition to the invalid text. */
export interface SuggestionContext {
  /** `YYYY-MM-DD`, for a value such as `today`; without it such a value gets no suggestion. */
  readonly today?: string | undefined;
}

/**
 * The error for the text after an operator, with a suggestion for the field: what was
 * meant, over all the words that follow, or none. It replaces `value` at `position`.
 */
export function repairedOperand(
  error: QueryError,
  source: string,
  operatorToken: Pick<Token, 'start' | 'end'>,
  operator: Operator,
  field: FieldSpec,
  { today }: SuggestionContext,
): QueryError {
  const operand = operandAt(source, operatorToken.end);
  if (operand !== undefined && /^[([]/.test(operand.text)) {
    const list = listRepaired(operand.text, operator, field);
    if (list !== undefined) {
      const { start } = operatorToken;
      const whole = suggestable(source.slice(start, operand.start + operand.text.length));
      return error.with({ field: field.name, position: start, value: whole, suggestion: list });
    }
  }
  const value = operand === undefined ? undefined : suggestable(operand.text);
  const suggestion =
    value === undefined ? undefined : suggestable(operandMeant(value, operator, field, today));
  const details = { field: field.name, see: error.see ?? field.see };
  if (operand === undefined || suggestion === undefined || suggestion === value) {
    // A suggestion for a word within the operand would leave the words before it.
    const end = operand === undefined ? 0 : operand.start + operand.text.length;
    const isLater = operand !== undefined && (error.position ?? 0) >= end;
    return error.with({ ...details, suggestion: isLater ? error.suggestion : undefined });
  }
  return error.with({ ...details, position: operand.start, value, suggestion });
}

// `Tag eq ('a','b')` needs another operator.
function listRepaired(text: string, operator: Operator, field: FieldSpec): string | undefined {
  if (operator !== 'eq' && operator !== 'ne') return undefined;
  const instead = operator === 'eq' ? 'in' : 'notin';
  if (!operatorsOf(field).includes(instead)) return undefined;
  const list = suggestable(operandMeant(text, instead, field));
  return list === undefined ? undefined : `${instead} ${list}`;
}

/** A value as it is written in a filter for the field. */
export function writtenValue(text: string, field: FieldSpec): string {
  return isQuoted(field) ? `'${text.replaceAll("'", "''")}'` : text;
}

/** The filter syntax for a text after an operator. */
export function operandMeant(
  text: string,
  operator: Operator,
  field: FieldSpec,
  today?: string,
): string | undefined {
  if (operator === 'in' || operator === 'notin') {
    const values = listElements(text)?.map((each) => valueMeant(each, field, today));
    if (values?.every((each) => each !== undefined) !== true) return undefined;
    return `(${values.map((each) => writtenValue(each ?? '', field)).join(',')})`;
  }
  const plain = unquoted(text);
  if (plain === undefined || /^[([]/.test(plain)) return undefined;
  if (operator === 'like') return `'${patternMeant(plain).replaceAll("'", "''")}'`;
  if (meansNull(plain) && !isQuoted(field)) {
    return operator === 'eq' || operator === 'ne' ? 'null' : undefined;
  }
  const meant = valueMeant(plain, field, today);
  return meant === undefined ? undefined : writtenValue(meant, field);
}

function patternMeant(text: string): string {
  const pattern = text.replaceAll('*', '%');
  return repairedPattern(pattern) ?? pattern;
}

/**
 * A pattern with its last backslash doubled: at the end it escapes nothing, so it is meant as it
 * stands. Undefined for a valid pattern.
 */
export function repairedPattern(pattern: string): string | undefined {
  return parseLikePattern(pattern) === undefined ? `${pattern}\\` : undefined;
}

/** A sentence with a suggestion at its end. */
export function withHint(sentence: string, suggestion: string | undefined): string {
  if (suggestion === undefined) return sentence;
  return `${sentence.replace(/[.;:]$/, '')}; did you mean ${suggestion}?`;
}

/** The same error, its sentence ending with its suggestion. */
export function hinted(error: QueryError): QueryError {
  if (error.suggestion === undefined || /^Use |\?$/.test(error.message)) return error;
  return new QueryError(error.code, withHint(error.message, error.suggestion), error);
}
