import type { CountPlan, PagePlan } from './plan.ts';
import { type Filter, isComparison, termsOf } from './terms.ts';

/**
 * Whether one plan suits a statement for all values, because an index bounds its work whatever they
 * are: without conditions on values, among which is a position in an order by several keys; within a record of the path; with a term that requires ids; and
 * if all terms compare the first sort key, whose index then reads the rows of the page only. For any
 * other condition, the best plan for a rare value reads its rows and sorts them, and that for a
 * frequent one reads the order until the page is full: each is slow for the other's values.
 */
export function suitsGenericPlan(plan: PagePlan | CountPlan): boolean {
  const terms = termsOf(plan.filter);
  if (terms.some(needsValue)) return false;
  if (plan.parent !== undefined || terms.some(requiresIds)) return true;
  if (plan.narrowed !== undefined && plan.narrowed.by.length > 0) return false;
  if (plan.kind === 'page' && plan.after !== undefined && plan.orderBy.length > 1) return false;
  return terms.every((term) => plan.kind === 'page' && comparesOrder(term, plan));
}

// The planner folds a pattern or a search once, not for each row, if it has its value.
function needsValue(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.some(needsValue);
    case 'not':
      return needsValue(filter.operand);
    case 'compare':
    case 'in':
      return false;
    case 'like':
    case 'keywords':
      return true;
  }
}

// Ids of the record or of its company. Of related rows, such as investors, there may be many.
function requiresIds(term: Filter): boolean {
  if (term.kind !== 'compare' && term.kind !== 'in') return false;
  if (term.field.type !== 'uuid' || term.field.match?.kind !== 'column') return false;
  return term.kind === 'in' ? !term.negated : term.operator === 'eq' && term.value !== null;
}

function comparesOrder(term: Filter, { orderBy }: PagePlan): boolean {
  return orderBy.length === 1 && isComparison(term) && term.field.name === orderBy[0]?.field.name;
}
