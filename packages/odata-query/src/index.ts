export type { AndNode } from './ast/and-node.ts';
export type { CompareNode } from './ast/compare-node.ts';
export type { FilterNode, TermNode } from './ast/filter-node.ts';
export type { InNode } from './ast/in-node.ts';
export type { LikeNode } from './ast/like-node.ts';
export type { Literal, LiteralType } from './ast/literal.ts';
export type { NotNode } from './ast/not-node.ts';
export type { OrNode } from './ast/or-node.ts';
export { bindFilter } from './bind/bind-filter.ts';
export type {
  BoundAnd,
  BoundCompare,
  BoundFilter,
  BoundIn,
  BoundKeywords,
  BoundLike,
  BoundNot,
  BoundOr,
  BoundValue,
} from './bind/bound-filter.ts';
export { boundAnd, boundOr } from './bind/combine.ts';
export {
  isShortPattern,
  type LikePart,
  type LikePattern,
  parseLikePattern,
} from './bind/like-pattern.ts';
export { toUtc } from './bind/value/instant.ts';
export { BOUNDS } from './bounds.ts';
export { closedValueOf } from './closed-value.ts';
export { echo, oneOf } from './echo.ts';
export {
  type ClosedValue,
  type FieldSpec,
  type FieldTable,
  fieldTable,
  operatorsOf,
  type ValueType,
} from './field-spec.ts';
export { isInstantForm, isUuidForm } from './lexer/bare-literal.ts';
export { Lexer } from './lexer/lexer.ts';
export type { LiteralToken, Token } from './lexer/token.ts';
export {
  bindExpand,
  type ExpandItem,
  type ExpandList,
  parseExpand,
  printExpand,
} from './lists/expand.ts';
export {
  type BoundOrder,
  bindOrderBy,
  type OrderByItem,
  parseOrderBy,
  printOrderBy,
} from './lists/order-by.ts';
export {
  bindSelect,
  parseSelect,
  printSelect,
  type SelectItem,
  type SelectList,
} from './lists/select.ts';
export {
  type CompareOperator,
  type EqualityOperator,
  type ListOperator,
  OPERATORS,
  OPERATORS_BY_TYPE,
  type Operator,
  type OrderOperator,
} from './operator.ts';
export { parseFilter } from './parse/parse-filter.ts';
export { printFilter } from './print/print-filter.ts';
export { QueryError, type QueryErrorCode, type QueryErrorDetails } from './query-error.ts';
export { closedValueMeant } from './suggest/closed-value-meant.ts';
export { editDistance } from './suggest/edit-distance.ts';
export { foldedName, singularName } from './suggest/fold-name.ts';
export { type KnownName, namesMeant, namesOf } from './suggest/names-meant.ts';
export { nearest } from './suggest/nearest.ts';
export { operandMeant, withHint, writtenValue } from './suggest/repair-operand.ts';
export { valueMeant } from './suggest/value-meant.ts';
