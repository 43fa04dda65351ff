export type { FilterNode, Literal } from './ast.ts';
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
export { echo, oneOf } from './echo.ts';
export {
  type ClosedValue,
  closedValueOf,
  type FieldSpec,
  type FieldTable,
  fieldTable,
  operatorsOf,
  spellingsOf,
  type ValueType,
} from './field-spec.ts';
export { isUuidForm } from './lexer/bare-literal.ts';
export { Lexer } from './lexer/lexer.ts';
export { bindExpand, type ExpandList, parseExpand } from './lists/expand.ts';
export { bindOrderBy, type OrderByItem, parseOrderBy } from './lists/order-by.ts';
export { bindSelect, parseSelect, type SelectList } from './lists/select.ts';
export { type CompareOperator, OPERATORS, type Operator } from './operator.ts';
export { parseFilter } from './parse/parse-filter.ts';
export { printFilter } from './print.ts';
export { QueryError } from './query-error.ts';
export { closedValueMeant } from './suggest/closed-value-meant.ts';
export { namesMeant, namesOf } from './suggest/names-meant.ts';
export { editDistance, foldedName, nearest, singularName } from './suggest/nearest.ts';
export { operandMeant, withHint } from './suggest/repair-operand.ts';
export { valueMeant } from './suggest/value-meant.ts';
export { cutInstant, isCalendarDay, isDay, toUtc } from './utc.ts';
