export type { FilterNode } from './ast/filter-node.ts';
export type { Literal } from './ast/literal.ts';
export { bindFilter } from './bind/bind-filter.ts';
export type {
  BoundCompare,
  BoundFilter,
  BoundIn,
  BoundKeywords,
  BoundValue,
} from './bind/bound-filter.ts';
export {
  isShortPattern,
  type LikePart,
  type LikePattern,
  parseLikePattern,
} from './bind/like-pattern.ts';
export { BOUNDS } from './bounds.ts';
export { closedValueOf, spellingsOf } from './closed-value.ts';
export { echo, oneOf } from './echo.ts';
export {
  type ClosedValue,
  type FieldSpec,
  type FieldTable,
  fieldTable,
  operatorsOf,
  type ValueType,
} from './field-spec.ts';
export { isUuidForm } from './lexer/bare-literal.ts';
export { Lexer } from './lexer/lexer.ts';
export { bindExpand, type ExpandList, parseExpand, printExpand } from './lists/expand.ts';
export { bindOrderBy, type OrderByItem, parseOrderBy, printOrderBy } from './lists/order-by.ts';
export { bindSelect, parseSelect, printSelect, type SelectList } from './lists/select.ts';
export { type CompareOperator, OPERATORS, type Operator } from './operator.ts';
export { parseFilter } from './parse/parse-filter.ts';
export { printFilter } from './print/print-filter.ts';
export { QueryError } from './query-error.ts';
export { closedValueMeant } from './suggest/closed-value-meant.ts';
export { editDistance } from './suggest/edit-distance.ts';
export { foldedName, singularName } from './suggest/fold-name.ts';
export { namesMeant, namesOf } from './suggest/names-meant.ts';
export { nearest } from './suggest/nearest.ts';
export { operandMeant, withHint } from './suggest/repair-operand.ts';
export { valueMeant } from './suggest/value-meant.ts';
export { isCalendarDay, isDay, toUtc } from './utc.ts';
