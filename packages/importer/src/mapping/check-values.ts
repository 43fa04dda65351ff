/** Checks the values that a mapping gives to a field, as far as they are known without a row. */
import { LineError } from '../errors/line-error.ts';
import { quote } from '../errors/quote.ts';
import { recordTables } from '../records/index.ts';
import type { FieldRow, Kind, RecordType } from '../records/kinds.ts';
import { validateLine } from '../schema/line-validator.ts';
import { EACH_COLUMN } from './each-column.ts';
import type { Conversion, Expression, Mapping, TableValue } from './mapping.ts';
import { type MappingError, pointer } from './mapping-error.ts';

/** The form of a value; `any` if only a row shows it. */
type Form = 'text' | 'number' | 'boolean' | 'object' | 'list' | 'any';

interface Accepted {
  readonly forms: readonly Form[];
  /** Of the elements, if the field takes a list. */
  readonly items?: readonly Form[];
  /** How a mapping gives such a value. */
  readonly advice: string;
}

const TEXT: Accepted = { forms: ['text'], advice: 'takes a text' };
const NUMBER: Accepted = {
  forms: ['number'],
  advice: 'takes a number: add "read": "number", "money" or "year"',
};
const REFERENCE: Accepted = {
  forms: ['object'],
  advice: 'takes a reference: {"ref": {"key": …}}',
};
const listOf = (...items: readonly Form[]): Accepted => ({
  forms: ['list'],
  items,
  advice: 'takes a list: put the value in [ ], or add "separator" or "list": true',
});

const ACCEPTED: Readonly<Record<Kind, Accepted>> = {
  ...{ text: TEXT, series: TEXT, url: TEXT, site: TEXT, place: TEXT, page: TEXT },
  ...{ currency: TEXT, date: TEXT, instant: TEXT, status: TEXT, statusSource: TEXT },
  ...{ year: NUMBER, count: NUMBER, money: NUMBER },
  boolean: { forms: ['boolean'], advice: 'takes true or false: add "read": "boolean"' },
  closed: { forms: ['text', 'number'], advice: 'takes one of its values' },
  ...{ closedList: listOf('text', 'number'), terms: listOf('text'), places: listOf('text') },
  identifiers: listOf('text', 'object'),
  ...{ addresses: listOf('object'), investors: listOf('object') },
  ...{ ref: REFERENCE, investor: REFERENCE, company: REFERENCE },
};

/** The field of a record whose values are checked. */
interface Field {
  readonly type: RecordType;
  readonly name: string;
  readonly row: FieldRow;
}

/** The faults of the value of a field: a wrong form, and constants that the field does not have. */
export function valueFaults(
  field: Field,
  value: Expression,
  at: string,
  mapping: Mapping,
): readonly MappingError[] {
  const { name, row } = field;
  const { forms, items, advice } = ACCEPTED[row.kind];
  if (isPlain(value)) return constantFaults(field, value, at, mapping);
  const found = formsOf(value, mapping);
  if (isWrong(found, forms)) {
    const isList = found.size === 1 && found.has('list');
    return [{ at, message: `${name} ${isList ? 'takes one value, not a list' : advice}` }];
  }
  const elements = Array.isArray(value) ? (value as readonly Expression[]) : [];
  const faults = elements.flatMap((element, index): MappingError[] =>
    isWrong(formsOf(element, mapping), [...(items ?? []), 'list'])
      ? [{ at: pointer(at, index), message: `an element of ${name} has another form` }]
      : [],
  );
  if (items?.includes('object') || forms.includes('object')) return faults;
  return [...faults, ...constantFaults(field, value, at, mapping)];
}

/** A constant, which the field takes as it is or not at all. */
function isPlain(value: Expression): boolean {
  if (value === null || typeof value === 'object') return value === null;
  return typeof value !== 'string' || !/[{}]/u.test(value);
}

function isWrong(found: ReadonlySet<Form>, accepted: readonly Form[]): boolean {
  return found.size > 0 && !found.has('any') && !accepted.some((form) => found.has(form));
}

/** The forms that a value may have; none if it is always unknown. */
function formsOf(value: Expression, mapping: Mapping): ReadonlySet<Form> {
  if (value === null) return new Set();
  if (typeof value === 'string') return new Set(['text']);
  if (typeof value === 'number') return new Set(['number']);
  if (typeof value === 'boolean') return new Set(['boolean']);
  if (Array.isArray(value)) return new Set(['list']);
  return formsOfConversion(value as Conversion, mapping);
}

function formsOfConversion(conversion: Conversion, mapping: Mapping): ReadonlySet<Form> {
  const { separator, list, table, otherwise, read, as, match } = conversion;
  const source = formsOfSource(conversion, mapping);
  if (source.has('list') || separator !== undefined || list === true) return new Set(['list']);
  if (as !== undefined) return new Set([typeof as === 'string' ? 'text' : (typeof as as Form)]);
  if (read !== undefined) return new Set([READ_FORMS[read]]);
  if (table === undefined) return match === undefined ? source : new Set(['text']);
  const values = tableOf(table, mapping);
  if (values === undefined) return new Set(['any']);
  const forms = new Set(values.map(formOfConstant));
  if (otherwise === 'keep') for (const form of source) forms.add(form);
  return new Set([...forms].filter((form) => form !== undefined));
}

const READ_FORMS: Readonly<Record<NonNullable<Conversion['read']>, Form>> = {
  ...{ text: 'text', date: 'text', instant: 'text', currency: 'text' },
  ...{ number: 'number', money: 'number', year: 'number' },
  boolean: 'boolean',
  address: 'object',
};

function formsOfSource(conversion: Conversion, mapping: Mapping): ReadonlySet<Form> {
  const { column, first, object, ref } = conversion;
  if (column !== undefined) {
    return new Set([mapping.format === 'jsonl' || column === EACH_COLUMN ? 'any' : 'text']);
  }
  if (first !== undefined) return new Set(first.flatMap((part) => [...formsOf(part, mapping)]));
  return new Set([object !== undefined || ref !== undefined ? 'object' : 'text']);
}

function formOfConstant(value: TableValue): Form | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : (typeof value as Form);
}

/** The values of a table that the mapping itself has; a join has them in a file. */
function tableOf(
  table: NonNullable<Conversion['table']>,
  { tables = {} }: Mapping,
): readonly TableValue[] | undefined {
  if (typeof table !== 'string') return Object.values(table);
  return Object.hasOwn(tables, table) ? Object.values(tables[table] ?? {}) : undefined;
}

interface Constant {
  readonly value: string | number | boolean;
  readonly at: string;
  readonly isInTable: boolean;
}

function constantFaults(
  { type, name, row }: Field,
  value: Expression,
  at: string,
  mapping: Mapping,
): readonly MappingError[] {
  const isList = ACCEPTED[row.kind].items !== undefined && !isPlain(value);
  return constantsOf(value, at, mapping).flatMap((constant): MappingError[] => {
    const given = isList ? [constant.value] : constant.value;
    try {
      const identity = { op: 'patch', type, source: 'x', key: 'x' };
      validateLine({ ...identity, ...companions(type, row.kind), [name]: given });
      return [];
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      if (error.field !== name) return [];
      const where = constant.isInTable ? `the table has ${quote(constant.value)}: ` : '';
      return [{ at: constant.at, message: `${where}${error.message}` }];
    }
  });
}

/** Fields that a line must have beside one of the kind. */
function companions(type: RecordType, kind: Kind): Readonly<Record<string, unknown>> {
  if (kind === 'statusSource') return { OperatingStatus: 'Active' };
  const fields: Readonly<Record<string, FieldRow>> = recordTables[type].fields;
  const money = Object.entries(fields).find(([, row]) => row.kind === 'money');
  return kind === 'currency' && money !== undefined ? { [money[0]]: 1 } : {};
}

/** The constants that an expression may give. */
function constantsOf(value: Expression, at: string, mapping: Mapping): readonly Constant[] {
  if (value === null) return [];
  if (typeof value === 'string') {
    return /[{}]/u.test(value) ? [] : [{ value, at, isInTable: false }];
  }
  if (typeof value !== 'object') return [{ value, at, isInTable: false }];
  if (Array.isArray(value)) {
    return (value as readonly Expression[]).flatMap((part, index) =>
      constantsOf(part, pointer(at, index), mapping),
    );
  }
  const { first, table, read, as, match } = value as Conversion;
  if (as !== undefined) return [{ value: as, at: pointer(at, 'as'), isInTable: false }];
  if (read !== undefined && read !== 'text') return [];
  if (table !== undefined) {
    const values = tableOf(table, mapping) ?? [];
    return [...new Set(values.flat())].flatMap((each) =>
      each === null ? [] : { value: each, at: pointer(at, 'table'), isInTable: true },
    );
  }
  if (first === undefined || match !== undefined) return [];
  return first.flatMap((part, index) => constantsOf(part, pointer(at, 'first', index), mapping));
}
