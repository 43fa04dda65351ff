import { BOUNDS } from './bounds.ts';
import { echo } from './echo.ts';
import type { FieldSpec, FieldTable } from './field-spec.ts';
import { QueryError, type QueryErrorCode } from './query-error.ts';
import { fieldsMeant } from './suggest/fields-meant.ts';
import { withHint } from './suggest/repair-operand.ts';

/** The use of a field. */
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

/**
 * The field a filter names.
 *
 * @param suits of the fields a name may mean, the first that suits is suggested.
 * @throws QueryError `unknown_field` or `field_not_filterable`.
 */
export function resolveFilterable<F extends FieldSpec>(
  table: FieldTable<F>,
  name: string,
  position: number,
  suits?: (field: F) => boolean,
): F {
  return resolve(table, name, { use: 'filter', parameter: '$filter', position }, suits);
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

interface FieldUse {
  readonly use: Use;
  readonly parameter: string;
  readonly position: number;
}

function resolve<F extends FieldSpec>(
  table: FieldTable<F>,
  name: string,
  fieldUse: FieldUse,
  suits: (field: F) => boolean = () => true,
): F {
  const field = table.get(name);
  const canBeUsed = CAN_BE_USED[fieldUse.use];
  if (field !== undefined && canBeUsed(field)) return field;
  const meant = fieldsMeant(table, name, canBeUsed);
  const suggestion = (meant.find(suits) ?? meant[0])?.name;
  const details = {
    parameter: fieldUse.parameter,
    field: echo(name),
    position: fieldUse.position,
    allowed: namesUsableFor(table, fieldUse.use).slice(0, BOUNDS.errorAllowed),
    suggestion,
  };
  if (field === undefined) {
    const on = table.title === undefined ? '' : ` on ${table.title}`;
    const message = withHint(`Unknown field "${echo(name)}"${on}.`, suggestion);
    throw new QueryError('unknown_field', message, details);
  }
  const message = withHint(sentenceAbout(field, fieldUse.use), suggestion);
  throw new QueryError(codeOf(fieldUse.use), message, details);
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
    return `${field.name} ${why}: it can be selected, but not filtered or sorted.`;
  }
  const uses: readonly Use[] = ['filter', 'sort', 'select'];
  const possible = uses.filter((other) => CAN_BE_USED[other](field));
  if (possible.length === 0) return `${field.name} cannot be ${PARTICIPLE[use]}.`;
  const can = possible.map((other) => PARTICIPLE[other]).join(' and ');
  return `${field.name} can be ${can}, but not ${PARTICIPLE[use]}.`;
}
