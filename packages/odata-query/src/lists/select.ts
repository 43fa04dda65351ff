import type { FieldSpec, FieldTable } from '../field-spec.ts';
import { resolveSelectable } from '../resolve-field.ts';
import { type ListGrammar, readItems } from './list-text.ts';

/** One name of a selection as written; `*` stands for every field. */
interface SelectItem {
  readonly name: string;
  readonly position: number;
}

/** A selection with its parameter, which errors contain. */
export interface SelectList {
  readonly parameter: string;
  readonly items: readonly SelectItem[];
}

const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['/', 'A selection takes field names; paths to related records are not supported.'],
  ['(', 'A selection takes field names; options in parentheses are not supported.'],
  ['@', 'A selection takes field names; annotations are not supported.'],
]);

/**
 * Reads a comma separated list of field names, or `*`. Errors contain the parameter's name.
 *
 * @throws QueryError `bad_parameter` with the position of the fault.
 */
export function parseSelect(text: string, parameter = '$select'): SelectList {
  const grammar: ListGrammar = {
    parameter,
    example: 'Id,Name',
    wordsMax: 1,
    star: true,
    unsupported: UNSUPPORTED,
  };
  const items = readItems(text, grammar).map(([word]) =>
    Object.freeze({ name: word.text, position: word.position }),
  );
  return Object.freeze({ parameter, items: Object.freeze(items) });
}

/**
 * The fields selected, each once however often named, in the order of the table.
 *
 * @throws QueryError `unknown_field`, also for a field that can be filtered but is no part of a
 * record.
 */
export function bindSelect<F extends FieldSpec>(
  list: SelectList,
  table: FieldTable<F>,
): readonly F[] {
  const selected = new Set<F>();
  let all = false;
  for (const { name, position } of list.items) {
    if (name === '*') all = true;
    else selected.add(resolveSelectable(table, name, list.parameter, position));
  }
  const fields = [...table.values()].filter((field) =>
    all ? field.selectable !== false : selected.has(field),
  );
  return Object.freeze(fields);
}
