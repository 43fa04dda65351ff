import { BOUNDS } from './bounds.ts';
import { echo } from './echo.ts';
import type { FieldSpec, FieldTable } from './field-spec.ts';
import { nearest } from './nearest.ts';
import { QueryError, type QueryErrorCode } from './query-error.ts';

/** What a field is wanted for. */
type Use = 'filter' | 'sort' | 'select';

const PARTICIPLE: Readonly<Record<Use, string>> = {
  filter: 'filtered',
  sort: 'sorted',
  select: 'selected',
};

const CAN_BE_USED: Readonly<Record<Use, (field: FieldSpec) => boolean>> = {
  filter: (field) => field.filterable && field.computed !== true,
  sort: (field) => field.sortable && field.computed !== true,
  select: (field) => field.selectable !== false,
};

/** The field a filter names. @throws QueryError `unknown_field` or `field_not_filterable`. */
export function resolveFilterable<F extends FieldSpec>(
  table: FieldTable<F>,
  name: string,
  position: number,
): F {
  return resolve(table, name, { use: 'filter', parameter: '$filter', position });
}

/** The field an order names. @throws QueryError `unknown_field` or `field_not_filterable`. */
export function resolveSortable<F extends FieldSpec>(
  table: FieldTable<F>,
  name: string,
  parameter: string,
  position: number,
): F {
  return resolve(table, name, { use: 'sort', parameter, position });
}

/** The field a selection names. @throws QueryError `unknown_field`. */
export function resolveSelectable<F extends FieldSpec>(
  table: FieldTable<F>,
  name: string,
  parameter: string,
  position: number,
): F {
  return resolve(table, name, { use: 'select', parameter, position });
}

interface Place {
  readonly use: Use;
  readonly parameter: string;
  readonly position: number;
}

function resolve<F extends FieldSpec>(table: FieldTable<F>, name: string, place: Place): F {
  const field = table.get(name);
  if (field !== undefined && CAN_BE_USED[place.use](field)) return field;
  const usable = namesUsableFor(table, place.use);
  const suggestion = field === undefined ? nearest(name, usable) : undefined;
  const details = {
    parameter: place.parameter,
    field: echo(name),
    position: place.position,
    allowed: usable.slice(0, BOUNDS.errorAllowed),
    suggestion,
  };
  if (field === undefined) {
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    throw new QueryError('unknown_field', `There is no field ${echo(name)}.${hint}`, details);
  }
  throw new QueryError(codeOf(place.use), sentenceAbout(field, place.use), details);
}

function namesUsableFor<F extends FieldSpec>(table: FieldTable<F>, use: Use): string[] {
  const names: string[] = [];
  for (const field of table.values()) if (CAN_BE_USED[use](field)) names.push(field.name);
  return names;
}

/** A filter-only field is no part of a record: as far as a selection goes there is none. */
function codeOf(use: Use): QueryErrorCode {
  return use === 'select' ? 'unknown_field' : 'field_not_filterable';
}

function sentenceAbout(field: FieldSpec, use: Use): string {
  if (field.computed === true) {
    const why = 'is computed after the rows are read';
    return `${field.name} ${why}: it can be selected, but neither filtered nor sorted.`;
  }
  const uses: readonly Use[] = ['filter', 'sort', 'select'];
  const possible = uses.filter((other) => CAN_BE_USED[other](field));
  if (possible.length === 0) return `${field.name} cannot be ${PARTICIPLE[use]}.`;
  const can = possible.map((other) => PARTICIPLE[other]).join(' and ');
  return `${field.name} can be ${can}, but not ${PARTICIPLE[use]}.`;
}
