import {
  type ExpandList,
  parseExpand,
  parseFilter,
  parseOrderBy,
  parseSelect,
  QueryError,
  type SelectList,
} from '@vcds/odata-query';
import { atom, sexpr } from '../sexpr.ts';
import type { Case, CaseKind } from './cases.ts';

/** The outcome of a case: our tree on one line, or our error. */
export type Outcome = { readonly tree: string } | { readonly error: QueryError };

const VALUE_PREFIX = 'F eq ';

const READERS: Readonly<Record<CaseKind, (text: string) => string>> = {
  filter: (text) => sexpr(parseFilter(text)),
  value: (text) => {
    const node = parseFilter(VALUE_PREFIX + text);
    return node.kind === 'compare' ? atom(node.value) : sexpr(node);
  },
  orderby: (text) =>
    parseOrderBy(text)
      .map(({ field, descending }) => (descending ? `${field} desc` : field))
      .join(','),
  select: (text) => namesIn(parseSelect(text)),
  expand: (text) => namesIn(parseExpand(text)),
};

function namesIn({ items }: SelectList | ExpandList): string {
  return items.map(({ name }) => name).join(',');
}

/** Runs a case through its parser; anything but a QueryError is thrown on. */
export function outcomeOf({ kind, text }: Pick<Case, 'kind' | 'text'>): Outcome {
  try {
    return { tree: READERS[kind](text) };
  } catch (error) {
    if (error instanceof QueryError) return { error };
    throw error;
  }
}

/** Length of the text as the parser saw it. */
export function parsedLength({ kind, text }: Pick<Case, 'kind' | 'text'>): number {
  return text.length + (kind === 'value' ? VALUE_PREFIX.length : 0);
}

/** Our position of an error as an offset in the case's own text. */
export function positionIn({ kind }: Pick<Case, 'kind'>, error: QueryError): number {
  return (error.position ?? Number.NaN) - (kind === 'value' ? VALUE_PREFIX.length : 0);
}
