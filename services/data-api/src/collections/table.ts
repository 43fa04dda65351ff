import { ApiError } from '@vcds/service-kit/api-errors';
import { resources } from '../resources/index.ts';
import { type Column, isObject, members, nested, type Table } from '../tables/csv.ts';
import { type Expand, isList, type RecordShape, relatedFields } from './json.ts';
import type { CountPlan, PagePlan, RecordPlan } from './plan.ts';
import { EXPAND } from './query.ts';

/**
 * Records as a table (docs/spec/addresses.md 1.10): a column for each field, one for each member of an object,
 * and for a list of related records their names and their number.
 *
 * @throws ApiError `bad_parameter` for a relation whose members have no names.
 */
export function pageTable(plan: PagePlan | CountPlan): Table {
  if (plan.kind === 'count') return { columns: members('count'), rows: (body) => [body] };
  return { columns: columnsOf(plan) };
}

/** One record as a table of one row. */
export function recordTable(plan: RecordPlan): Table {
  return { columns: columnsOf(plan), rows: (body) => [body] };
}

function columnsOf({ fields, selected = [], expands }: RecordShape): readonly Column[] {
  const named = selected.flatMap((name) => fields.filter((field) => field.name === name));
  return [
    ...[...new Set([...named, ...fields])].flatMap(({ name, members: inside }) =>
      inside === undefined ? members(name) : nested(name, members(...inside.map((m) => m.name))),
    ),
    ...expands.flatMap(expandedColumns),
  ];
}

function expandedColumns(expand: Expand): readonly Column[] {
  const { name } = expand;
  const inside =
    expand.kind === 'json' ? expand.members.map((each) => each.name) : relatedFields(expand);
  if (!isList(expand)) return nested(name, members(...inside));
  const label = ['Label', 'Name'].find((each) => inside.includes(each));
  if (label === undefined) throw withoutNames(expand);
  return [
    { name, cell: (row) => namesIn(row[name], label) },
    { name: `${name}@count`, cell: (row) => row[`${name}@count`] ?? lengthOf(row[name], expand) },
  ];
}

function namesIn(list: unknown, label: string): readonly unknown[] {
  return Array.isArray(list) ? list.map((each) => (isObject(each) ? each[label] : each)) : [];
}

// After the first ones, the number of a short list is unknown.
function lengthOf(list: unknown, { skip }: Expand): number | null {
  return Array.isArray(list) && skip === 0 ? list.length : null;
}

function withoutNames(expand: Expand): ApiError {
  const { name } = expand;
  const other =
    expand.kind === 'records'
      ? ` Read the ${resources[expand.target].title.toLowerCase()}s by a call of their own.`
      : '';
  return new ApiError(
    'bad_parameter',
    `${name} has several values without a name, which are no cell of a CSV file: omit it, or use $format=json.${other}`,
    { parameter: EXPAND.name, value: name },
  );
}
