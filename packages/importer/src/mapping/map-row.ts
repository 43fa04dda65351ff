import { LineError, type Note } from '../errors/line-error.ts';
import { quote } from '../errors/quote.ts';
import { recordTables } from '../records/index.ts';
import type { FieldRow, RecordType } from '../records/kinds.ts';
import type { ErrorItem, SourceItem, SourceLocation } from '../sources/source-item.ts';
import { type CompiledCondition, compileCondition } from './condition.ts';
import { EACH_COLUMN } from './each-column.ts';
import { type Compiled, ExpressionCompiler } from './expression.ts';
import { inspectMapping, type NamedColumn } from './inspect-mapping.ts';
import type { Mapping, RecordTemplate } from './mapping.ts';
import { pointer } from './mapping-error.ts';
import { type Row, withColumn } from './row.ts';

/** A compiled mapping. */
export interface RowMapper {
  /** The columns it reads, with their positions in the mapping. */
  readonly columns: readonly NamedColumn[];
  /** Whether a position of the mapping applies to the row: the `when` of its record holds. */
  concerns(row: Row, at: string): boolean;
  map(row: Row, location: SourceLocation): readonly SourceItem[];
}

interface CompiledTemplate {
  readonly template: RecordTemplate;
  readonly when: CompiledCondition | undefined;
  readonly each: Compiled | undefined;
  readonly key: Compiled | undefined;
  readonly occurredAt: Compiled | undefined;
  readonly currency: Compiled | undefined;
  readonly fields: readonly (readonly [field: string, value: Compiled])[];
  /** The required fields. */
  readonly required: ReadonlySet<string>;
}

/** @throws ImportError for an invalid mapping. */
export function compileMapping(mapping: Mapping): RowMapper {
  const compiler = new ExpressionCompiler(mapping);
  const skips = (mapping.skip ?? []).map(({ when, because }) => ({
    when: compileCondition(when, compiler),
    because,
  }));
  const templates = mapping.records.map((template) => compileTemplate(template, compiler));
  return {
    columns: inspectMapping(mapping).columns,
    concerns(row, at) {
      if (skips.some(({ when }) => when(row))) return false;
      const concerned = templates.find((_, index) => {
        const record = pointer(mapping.at, 'records', index);
        return at.startsWith(`${record}/`) && !at.startsWith(`${record}/when`);
      });
      return concerned?.when?.(row) !== false;
    },
    map(row, location) {
      const skip = skips.find(({ when }) => when(row));
      if (skip !== undefined) return [{ kind: 'skipped', location, because: skip.because }];
      const items = templates.flatMap((template) => apply(template, row, location, mapping));
      if (items.length > 0) return items;
      return [{ kind: 'skipped', location, because: 'the row produces no record' }];
    },
  };
}

function compileTemplate(template: RecordTemplate, compiler: ExpressionCompiler): CompiledTemplate {
  const { when, each, key, occurredAt, fields = {} } = template;
  return {
    template,
    when: when === undefined ? undefined : compileCondition(when, compiler),
    each: each === undefined ? undefined : compiler.compile(each),
    key: key === undefined ? undefined : compiler.compileKey(key),
    occurredAt: occurredAt === undefined ? undefined : compiler.compile(occurredAt),
    currency: fields.Currency === undefined ? undefined : compiler.compile(fields.Currency),
    fields: Object.entries(fields).map(([field, value]) => [field, compiler.compile(value)]),
    required: new Set(
      Object.entries(recordFields(template.type)).flatMap(([field, { required }]) =>
        required === true ? [field] : [],
      ),
    ),
  };
}

function recordFields(type: string): Readonly<Record<string, FieldRow>> {
  return Object.hasOwn(recordTables, type) ? recordTables[type as RecordType].fields : {};
}

function apply(
  compiled: CompiledTemplate,
  row: Row,
  location: SourceLocation,
  mapping: Mapping,
): readonly SourceItem[] {
  if (compiled.when?.(row) === false) return [];
  if (compiled.each === undefined) return [one(compiled, row, location, mapping)];
  const { template, each } = compiled;
  try {
    const values = each.evaluate({ row, field: 'each', note: () => undefined, currency: null });
    const list: readonly unknown[] = Array.isArray(values)
      ? values
      : values === null
        ? []
        : [values];
    return list.map((value) =>
      one(compiled, withColumn(row, EACH_COLUMN, value), location, mapping),
    );
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    return [fault(template, row, location, error)];
  }
}

function one(
  { template, key, occurredAt, currency, fields, required }: CompiledTemplate,
  row: Row,
  location: SourceLocation,
  mapping: Mapping,
): SourceItem {
  const notes: Note[] = [];
  const line: Record<string, unknown> = {
    op: template.op ?? 'upsert',
    type: template.type,
    source: mapping.source,
  };
  try {
    const silent = { row, field: 'Currency', note: () => undefined, currency: null };
    const stated = currency?.evaluate(silent) ?? null;
    const given = { row, currency: stated === null ? null : String(stated) };
    const evaluate = (compiled: Compiled, field: string) =>
      compiled.evaluate({ ...given, field, note: (note) => notes.push(note) });
    if (key !== undefined) {
      const value = evaluate(key, 'key');
      if (value === null) {
        throw new LineError('key', `the row has no key for the record: ${seen(row, key.columns)}`);
      }
      line.key = value;
    }
    if (occurredAt !== undefined) line.occurredAt = evaluate(occurredAt, 'occurredAt');
    for (const [field, value] of fields) {
      // A patch has only the fields of which the row has a column.
      if (template.op === 'patch' && !givesAny(row, value.columns)) continue;
      line[field] = evaluate(value, field);
      if (line[field] === null && required.has(field)) {
        throw new LineError(field, `${field} is missing: ${seen(row, value.columns)}`);
      }
    }
    return { kind: 'line', location, original: row.cells, line, notes };
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    return { ...fault(template, row, location, error), made: line };
  }
}

/** The cells of a value, for a message. */
function seen(row: Row, columns: readonly string[]): string {
  const cells = [...new Set(columns)].map((column) => {
    const cell = row.get(column);
    return `${column} is ${cell === undefined ? 'missing' : quote(cell)}`;
  });
  return cells.join(', ') || 'the mapping defines none';
}

function givesAny(row: Row, columns: readonly string[]): boolean {
  return columns.length === 0 || columns.some((column) => row.get(column) !== undefined);
}

function fault(
  { type }: RecordTemplate,
  row: Row,
  location: SourceLocation,
  { message, field }: LineError,
): ErrorItem {
  return { kind: 'fault', location, original: row.cells, reason: message, type, field };
}
