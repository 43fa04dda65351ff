import { suggestable } from '../echo.ts';
import type { Operator } from '../operator.ts';
import type { Cursor } from './cursor.ts';
import { likeInsteadOf } from './words.ts';

/** Names of the operators in other languages. */
const OPERATOR_BY_WORD: ReadonlyMap<string, Operator> = new Map([
  ['equals', 'eq'],
  ['equal', 'eq'],
  ['is', 'eq'],
  ['has', 'eq'],
  ['neq', 'ne'],
  ['gte', 'ge'],
  ['lte', 'le'],
  ['matches', 'like'],
  ['contains', 'like'],
  ['ilike', 'like'],
  ['nin', 'notin'],
  ['not_in', 'notin'],
]);

/** A replacement for a part of the filter. */
export interface OperatorMeant {
  readonly value: string | undefined;
  readonly suggestion: string | undefined;
}

/**
 * The operator for another language's word at the cursor, in any case:
 * `is not` is ne, `between 1 and 2` two comparisons of the field, `startswith 'x'` like 'x%'.
 */
export function operatorMeantBy(cursor: Cursor, field: string): OperatorMeant | undefined {
  const { token } = cursor;
  const word = token.text.toLowerCase();
  const [first, second, third] = cursor.ahead(3);
  const through = (end: number | undefined) =>
    suggestable(cursor.context.source?.slice(token.start, end));
  if (word === 'is' && first?.keyword === 'not') {
    return { value: through(first.end), suggestion: 'ne' };
  }
  if (word === 'between' && second?.keyword === 'and' && first && third) {
    const written = (kind: string, text: string) => (kind === 'string' ? `'${text}'` : text);
    const low = written(first.kind, first.text);
    const high = written(third.kind, third.text);
    const suggestion = suggestable(`ge ${low} and ${field} le ${high}`);
    return { value: through(third.end), suggestion };
  }
  if (first?.kind === 'string' && (word === 'startswith' || word === 'endswith')) {
    const condition = likeInsteadOf(word, field, first.text)?.slice(field.length + 1);
    return { value: through(first.end), suggestion: suggestable(condition) };
  }
  const operator = OPERATOR_BY_WORD.get(word);
  return operator === undefined ? undefined : { value: undefined, suggestion: operator };
}
