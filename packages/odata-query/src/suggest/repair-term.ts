import type { Literal, TermNode } from '../ast.ts';
import { suggestable } from '../echo.ts';
import { type FieldSpec, type FieldTable, operatorsOf } from '../field-spec.ts';
import { Lexer } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { isOrderOperator, type Operator, type OrderOperator } from '../operator.ts';
import { printLiteral } from '../print.ts';
import type { QueryError } from '../query-error.ts';
import { foldedName } from './nearest.ts';
import { operandAt, unquoted } from './operand.ts';
import { repairedPattern, type SuggestionContext, writtenValue } from './repair-operand.ts';
import { isQuoted, isValueOf, meansNull, valueMeant } from './value-meant.ts';

/** Inputs of a filter's suggestions. */
export interface FilterContext extends SuggestionContext {
  /** The text the filter was read from, for suggestions that replace more than one word. */
  readonly source?: string | undefined;
}

const ORDER: Readonly<Record<OrderOperator, (value: number, bound: number) => boolean>> = {
  gt: (value, bound) => value > bound,
  ge: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  le: (value, bound) => value <= bound,
};

/** The literals of a term. */
function literalsOf(node: TermNode): readonly Literal[] {
  if (node.kind === 'in') return node.values;
  return [node.kind === 'like' ? node.pattern : node.value];
}

/** The error for a value of a term, with a suggestion. */
export function repairedValue<F extends FieldSpec>(
  error: QueryError,
  node: TermNode,
  field: F,
  table: FieldTable<F>,
  context: FilterContext,
): QueryError {
  const value = literalsOf(node).find(({ position }) => position === error.position);
  if (value === undefined || value.type === 'null' || error.suggestion !== undefined) return error;
  const other = error.code === 'unknown_value' && node.kind === 'compare';
  const sibling = other && valueMeant(value.text, field) === undefined;
  if (sibling) return asOtherField(error, node, value, field, table, context);
  const written = value.type === 'string' && !value.text.includes("'");
  const meant = written
    ? plainMeant(node, value.text, field, context)?.replaceAll("'", "''")
    : outsideQuotes(node, value.text, field, context);
  const shown = suggestable(written ? value.text : printLiteral(value));
  if (shown === undefined || shown === '' || suggestable(meant) === undefined) return error;
  return meant === shown ? error : error.with({ value: shown, suggestion: meant });
}

function outsideQuotes(node: TermNode, text: string, field: FieldSpec, context: FilterContext) {
  if (meansNull(text) && !isQuoted(field)) return undefined;
  const meant = plainMeant(node, text, field, context);
  return meant === undefined ? undefined : writtenValue(meant, field);
}

/** The value or pattern that was meant, without quotes. */
function plainMeant(node: TermNode, text: string, field: FieldSpec, { today }: FilterContext) {
  return node.kind === 'like' ? repairedPattern(text) : valueMeant(text, field, today);
}

// `Status eq 'Active'`: the value of another closed field of the resource.
function asOtherField<F extends FieldSpec>(
  error: QueryError,
  node: TermNode,
  value: Literal,
  field: F,
  table: FieldTable<F>,
  { source }: FilterContext,
): QueryError {
  if (source === undefined || value.type !== 'string' || node.kind !== 'compare') return error;
  for (const other of table.values()) {
    if (other === field || !other.filterable || other.type !== 'closed') continue;
    const entry = other.closed?.find((each) =>
      [each.label, each.slug, each.name].some(
        (each) => foldedName(each) === foldedName(value.text),
      ),
    );
    if (entry === undefined) continue;
    const suggestion = `${other.name} ${node.operator} '${entry.label}'`;
    return error.with({
      position: node.position,
      value: suggestable(source.slice(node.position, endOf(source, value.position))),
      suggestion,
      see: other.see ?? error.see,
    });
  }
  return error;
}

/**
 * The error for an operator, with an equivalent as suggestion: of an order on a closed list that has one,
 * the values on that side of it; of `like` without a wildcard, `eq`.
 */
export function repairedOperator(
  error: QueryError,
  node: TermNode,
  field: FieldSpec,
  { source }: FilterContext,
): QueryError {
  if (source === undefined) return error;
  const start = node.operatorPosition;
  const operatorEnd = endOf(source, start);
  if (node.kind === 'compare' && node.value.type === 'null') {
    const takesNe = isOrderOperator(node.operator) && operatorsOf(field).includes('ne');
    return takesNe ? instead('ne', operatorEnd) : error;
  }
  if (node.kind === 'compare' && isOrderOperator(node.operator)) {
    const list = listInstead(node.operator, node.value.text, field);
    return list === undefined ? error : instead(list, endOf(source, node.value.position));
  }
  const { allowed = [] } = error;
  if (node.kind === 'like' && allowed.includes('eq') && isValueOf(node.pattern.text, field)) {
    return instead('eq', operatorEnd);
  }
  if (node.kind === 'compare' && node.operator === 'eq' && allowed.includes('like')) {
    return node.value.type === 'string' ? instead('like', operatorEnd) : error;
  }
  return error;

  function instead(suggestion: string, end: number): QueryError {
    return error.with({ value: suggestable(source?.slice(start, end)), suggestion });
  }
}

/** {@link repairedOperator} where the value is not even one: `LastFundingStage ge Seed`. */
export function repairedBareOperator(
  error: QueryError,
  source: string,
  { start, end }: Pick<Token, 'start' | 'end'>,
  operator: Operator,
  field: FieldSpec,
): QueryError {
  const operand = operandAt(source, end);
  const text = operand && unquoted(operand.text);
  if (operand === undefined || text === undefined || !isOrderOperator(operator)) return error;
  const suggestion = listInstead(operator, text, field);
  if (suggestion === undefined) return error;
  const value = suggestable(source.slice(start, operand.start + operand.text.length));
  return error.with({ value, suggestion });
}

function listInstead(operator: OrderOperator, text: string, field: FieldSpec): string | undefined {
  const ordered = (field.closed ?? []).filter(({ unordered }) => unordered !== true);
  const label = valueMeant(text, field);
  const bound = ordered.find((each) => isSame(each, label))?.value;
  if (typeof bound !== 'number') return undefined;
  const values = ordered.filter(({ value }) => ORDER[operator](Number(value), bound));
  return values.length === 0
    ? undefined
    : `in (${values.map((each) => `'${each.label}'`).join(',')})`;

  function isSame(entry: (typeof ordered)[number], meant: string | undefined): boolean {
    const { label, slug, name, value } = entry;
    return meant !== undefined && [label, slug, name, String(value)].includes(meant);
  }
}

function endOf(source: string, position: number): number {
  return new Lexer(source, position).next().end;
}
