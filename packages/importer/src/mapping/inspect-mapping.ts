/** Finds the faults of a mapping, and the columns it reads, before a row is read. */
import iconv from 'iconv-lite';
import { addressParts } from '../normalise/address.ts';
import { recordTables } from '../records/index.ts';
import type { AnyRecordTable, FieldRow, RecordType } from '../records/kinds.ts';
import { valueFaults } from './check-values.ts';
import { dateFormatError } from './date-format.ts';
import { EACH_COLUMN } from './each-column.ts';
import type {
  Condition,
  Conversion,
  Expression,
  Join,
  Mapping,
  RecordTemplate,
} from './mapping.ts';
import { hint, type MappingError, pointer } from './mapping-error.ts';
import { parseTemplate } from './template.ts';

/** A column that a mapping reads, and its position in the mapping. */
export interface NamedColumn {
  readonly column: string;
  readonly at: string;
}

/** The faults and columns of a mapping. */
export interface Inspection {
  readonly faults: readonly MappingError[];
  readonly columns: readonly NamedColumn[];
}

/** The faults of a mapping that its schema cannot express, and every column it reads. */
export function inspectMapping(mapping: Mapping): Inspection {
  const inspector = new Inspector(mapping);
  inspector.file();
  return inspector;
}

/** The same of a join, which reads rows of the mapping's file. */
export function inspectJoin(mapping: Mapping, join: Join, at: string): Inspection {
  const inspector = new Inspector({ ...mapping, joins: {} });
  inspector.join(join, at);
  return inspector;
}

/** Members of a conversion that have no effect without another, and that other. */
const needs: readonly (readonly [keyof Conversion, string, (given: Conversion) => boolean])[] = [
  ['formats', '"read": "date", "year" or "instant"', isDated],
  ['yearMax', '"read": "date", "year" or "instant"', isDated],
  ['patterns', '"read": "address"', ({ read }) => read === 'address'],
  ['partTables', '"read": "address"', ({ read }) => read === 'address'],
  ['decimal', '"read": "money" or "number"', ({ read }) => read === 'money' || read === 'number'],
  ['range', '"read": "money"', ({ read }) => read === 'money'],
  ['otherwise', '"table"', ({ table }) => table !== undefined],
  ['with', '"join"', ({ join }) => join !== undefined],
];

function isDated({ read }: Conversion): boolean {
  return read === 'date' || read === 'year' || read === 'instant';
}

class Inspector {
  readonly faults: MappingError[] = [];
  readonly columns: NamedColumn[] = [];
  readonly #mapping: Mapping;
  #inEach = false;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  file(): void {
    const { at, encoding, repairs = [], skip = [], records } = this.#mapping;
    this.#encoding(encoding, this.#at('encoding'));
    for (const [index, repair] of repairs.entries()) {
      const place = pointer(this.#at('repairs'), index);
      this.#encoding(repair.written, pointer(place, 'written'));
      this.#encoding(repair.readAs, pointer(place, 'readAs'));
    }
    for (const [index, { when }] of skip.entries()) {
      this.#condition(when, pointer(this.#at('skip'), index, 'when'));
    }
    for (const [index, record] of records.entries()) {
      this.#record(record, pointer(at, 'records', index));
    }
  }

  /** Inspects a join, which reads a file of this mapping. */
  join({ key, value }: Join, at: string): void {
    this.#expression(key, pointer(at, 'key'));
    this.#expression(value, pointer(at, 'value'));
  }

  /** The position of a member of the file. */
  #at(member: string): string {
    const { at, shared } = this.#mapping;
    return pointer(shared.has(member) ? '' : at, member);
  }

  #fault(at: string, message: string): void {
    this.faults.push({ at, message });
  }

  #encoding(encoding: string | undefined, at: string): void {
    if (encoding === undefined || iconv.encodingExists(encoding)) return;
    this.#fault(at, `there is no encoding "${encoding}"`);
  }

  #record(record: RecordTemplate, at: string): void {
    const { type, when, each, key, occurredAt } = record;
    this.#inEach = each !== undefined;
    if (when !== undefined) this.#condition(when, pointer(at, 'when'));
    if (each !== undefined) this.#expression(each, pointer(at, 'each'));
    if (key !== undefined) this.#expression(key, pointer(at, 'key'));
    if (occurredAt !== undefined) this.#expression(occurredAt, pointer(at, 'occurredAt'));
    this.#fields(record, at);
    this.#inEach = false;
    if (!isRecordType(type)) {
      this.#fault(pointer(at, 'type'), `unknown type "${type}"${hint(type, recordTypes)}`);
    }
  }

  #fields({ type, op = 'upsert', key, occurredAt, fields = {} }: RecordTemplate, at: string): void {
    for (const [name, value] of Object.entries(fields)) {
      this.#expression(value, pointer(at, 'fields', name));
    }
    if (!isRecordType(type)) return;
    const rows: Readonly<Record<string, FieldRow>> = recordTables[type].fields;
    for (const [name, value] of Object.entries(fields)) {
      const place = pointer(at, 'fields', name);
      if (!Object.hasOwn(rows, name)) {
        this.#fault(place, `unknown field of ${type}${hint(name, Object.keys(rows))}`);
        continue;
      }
      const row = rows[name];
      if (row === undefined) continue;
      this.faults.push(...valueFaults({ type, name, row }, value, place, this.#mapping));
    }
    const { dated = false }: AnyRecordTable = recordTables[type];
    if (dated && occurredAt === undefined)
      this.#fault(at, `lines of type ${type} need "occurredAt"`);
    const isPair = Object.values(rows).some(({ identity }) => identity === true);
    if (key === undefined && !isPair) this.#fault(at, `a ${type} needs "key"`);
    for (const [name, { required, identity }] of Object.entries(rows)) {
      const isNeeded = identity === true || (required === true && isWhole(op));
      if (isNeeded && !Object.hasOwn(fields, name)) {
        this.#fault(pointer(at, 'fields'), `the field ${name} of ${type} is missing`);
      }
    }
  }

  #condition(condition: Condition, at: string): void {
    const { known, unknown, column, all, any, not } = condition;
    if (known !== undefined) this.#expression(known, pointer(at, 'known'));
    if (unknown !== undefined) this.#expression(unknown, pointer(at, 'unknown'));
    if (column !== undefined) this.#column(column, pointer(at, 'column'));
    for (const [name, parts] of [['all', all] as const, ['any', any] as const]) {
      for (const [index, part] of (parts ?? []).entries()) {
        this.#condition(part, pointer(at, name, index));
      }
    }
    if (not !== undefined) this.#condition(not, pointer(at, 'not'));
  }

  #expression(expression: Expression, at: string): void {
    if (typeof expression === 'string') this.#template(expression, at);
    else if (expression === null || typeof expression !== 'object') return;
    else if (isList(expression)) this.#list(expression, at);
    else this.#conversion(expression, at);
  }

  #list(expressions: readonly Expression[], at: string): void {
    for (const [index, part] of expressions.entries()) this.#expression(part, pointer(at, index));
  }

  #conversion(conversion: Conversion, at: string): void {
    const { column, template, first, join, object, ref, table } = conversion;
    if (column !== undefined) this.#column(column, pointer(at, 'column'));
    if (template !== undefined) this.#template(template, pointer(at, 'template'));
    if (first !== undefined) this.#list(first, pointer(at, 'first'));
    if (join !== undefined) this.#list(join, pointer(at, 'join'));
    for (const [name, members] of [['object', object] as const, ['ref', ref] as const]) {
      for (const [member, value] of Object.entries(members ?? {})) {
        this.#expression(value, pointer(at, name, member));
      }
    }
    for (const member of Object.keys(ref ?? {})) this.#refMember(member, pointer(at, 'ref'));
    if (typeof table === 'string') this.#table(table, pointer(at, 'table'));
    for (const [member, wanted, isMet] of needs) {
      if (conversion[member] === undefined || isMet(conversion)) continue;
      this.#fault(pointer(at, member), `has no effect without ${wanted}`);
    }
    for (const [index, format] of (conversion.formats ?? []).entries()) {
      const fault = dateFormatError(format);
      if (fault !== undefined) this.#fault(pointer(at, 'formats', index), fault);
    }
    this.#address(conversion, at);
  }

  #refMember(member: string, at: string): void {
    if (REF_MEMBERS.includes(member)) return;
    this.#fault(pointer(at, member), `unknown member${hint(member, REF_MEMBERS)}`);
  }

  #address({ read, patterns, partTables = {} }: Conversion, at: string): void {
    if (read === 'address' && patterns === undefined) {
      this.#fault(at, '"read": "address" needs "patterns"');
    }
    this.#partTables(partTables, pointer(at, 'partTables'));
    for (const [index, { pattern, parts = {}, partTables: own = {} }] of (
      patterns ?? []
    ).entries()) {
      const place = pointer(at, 'patterns', index);
      const groups = [...pattern.matchAll(/\(\?<([A-Za-z]\w*)>/gu)].map(([, name = '']) => name);
      for (const name of groups) this.#part(name, pointer(place, 'pattern'));
      for (const name of Object.keys(parts)) this.#part(name, pointer(place, 'parts', name));
      this.#partTables(own, pointer(place, 'partTables'));
    }
  }

  #partTables(tables: Readonly<Record<string, string>>, at: string): void {
    for (const [part, table] of Object.entries(tables)) {
      this.#part(part, pointer(at, part));
      this.#table(table, pointer(at, part));
    }
  }

  #part(name: string, at: string): void {
    if (partNames.includes(name)) return;
    this.#fault(at, `"${name}" is not a part of an address${hint(name, partNames)}`);
  }

  #table(name: string, at: string): void {
    const tables = { ...this.#mapping.tables, ...this.#mapping.joins };
    if (Object.hasOwn(tables, name)) return;
    this.#fault(at, `there is no table "${name}"${hint(name, Object.keys(tables))}`);
  }

  #template(template: string, at: string): void {
    const parts = parseTemplate(template);
    if ('fault' in parts) {
      this.#fault(at, parts.fault);
      return;
    }
    for (const [index, part] of parts.entries()) if (index % 2 === 1) this.#column(part, at);
  }

  #column(column: string, at: string): void {
    if (column !== EACH_COLUMN) this.columns.push({ column, at });
    else if (!this.#inEach) this.#fault(at, '"it" is only defined in a record with "each"');
  }
}

const recordTypes = Object.keys(recordTables);
const REF_MEMBERS = ['key', 'source', 'type', 'Lead'];
const partNames = addressParts.map(([part]): string => part);

function isRecordType(type: string): type is RecordType {
  return Object.hasOwn(recordTables, type);
}

function isWhole(op: string): boolean {
  return op === 'upsert' || op === 'mention';
}

function isList(expression: object): expression is readonly Expression[] {
  return Array.isArray(expression);
}
