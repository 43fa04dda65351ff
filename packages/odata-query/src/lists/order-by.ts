import { echo } from '../echo.ts';
import type { FieldSpec, FieldTable } from '../field-spec.ts';
import { resolveSortable } from '../resolve-field.ts';
import { type ListGrammar, listError, readItems, type Word } from './list-text.ts';

/** One key of an order as written. */
export interface OrderByItem {
  readonly field: string;
  readonly descending: boolean;
  readonly position: number;
}

/** One key of an order, its field resolved. */
interface BoundOrder<F extends FieldSpec> {
  readonly field: F;
  readonly descending: boolean;
}

const GRAMMAR: ListGrammar = {
  parameter: '$orderby',
  example: 'Name,Founded desc',
  wordsMax: 2,
  star: false,
  unsupported: new Map([
    ['/', '$orderby takes field names; paths to related records are not supported.'],
    ['(', '$orderby takes field names; functions are not supported.'],
    ['-', 'Write desc after the name for descending order, e.g. Founded desc.'],
    ['+', 'Ascending is the default: write the name alone, or asc after it.'],
  ]),
  meant: (character, name) => (character === '-' ? `${name} desc` : undefined),
};

/** Plain letters only, so that no look-alike in another script passes for a direction. */
const DESCENDING = /^[Dd][Ee][Ss][Cc]$/;
const ASCENDING = /^[Aa][Ss][Cc]$/;
/** Other words for a direction, in lower case. */
const DIRECTION_SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['descending', 'desc'],
  ['dsc', 'desc'],
  ['down', 'desc'],
  ['ascending', 'asc'],
  ['up', 'asc'],
]);

/**
 * Reads `Field`, `Field asc` or `Field desc`, comma separated, directions in any case.
 *
 * @throws QueryError `bad_parameter`, also for a field named twice: the second could have no
 * effect, so it must be a mistake.
 */
export function parseOrderBy(text: string): readonly OrderByItem[] {
  const seen = new Set<string>();
  const items: OrderByItem[] = [];
  for (const [name, direction] of readItems(text, GRAMMAR)) {
    if (seen.has(name.text)) {
      throw listError(`Duplicate field ${echo(name.text)} in $orderby.`, name, GRAMMAR);
    }
    seen.add(name.text);
    const descending = isDescending(direction);
    items.push(Object.freeze({ field: name.text, descending, position: name.position }));
  }
  return Object.freeze(items);
}

function isDescending(direction: Word | undefined): boolean {
  if (direction === undefined || ASCENDING.test(direction.text)) return false;
  if (DESCENDING.test(direction.text)) return true;
  const message = `Expected asc, desc or a comma after a field, found ${echo(direction.text)}.`;
  const meant = DIRECTION_SYNONYMS.get(direction.text.toLowerCase());
  throw listError(message, direction, GRAMMAR, meant);
}

/**
 * Resolves the keys of an order, in the order given.
 *
 * @throws QueryError `unknown_field`, or `field_not_filterable` for a field that cannot be sorted.
 */
export function bindOrderBy<F extends FieldSpec>(
  items: readonly OrderByItem[],
  table: FieldTable<F>,
): readonly BoundOrder<F>[] {
  return Object.freeze(
    items.map(({ field, descending, position }) =>
      Object.freeze({
        field: resolveSortable(table, field, GRAMMAR.parameter, position),
        descending,
      }),
    ),
  );
}
