/** Compiles the expressions of a mapping to functions of a row. */
import { cutText } from '@vcds/service-kit/cut-text';
import { LineError, type NoteTaker } from '../errors/line-error.ts';
import { type Converter, convert } from './convert.ts';
import type { Conversion, Expression, Mapping, TableValue } from './mapping.ts';
import { mappingError } from './mapping-error.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import type { Row } from './row.ts';
import { parseTemplate } from './template.ts';
import { repairText } from './text-repair.ts';

/** The context in which an expression is evaluated. */
export interface Evaluation {
  readonly row: Row;
  /** The name of the field in reports. */
  readonly field: string;
  readonly note: NoteTaker;
  /** The Currency of the record; null if it has none, undefined if amounts may have any. */
  readonly currency: string | null | undefined;
}

/** A compiled expression; unknown values are null. */
export interface Compiled {
  /** @throws LineError if a cell cannot be read. */
  evaluate(evaluation: Evaluation): unknown;
  /** The columns it reads. */
  readonly columns: readonly string[];
}

/** Compiles expressions of one mapping. */
export class ExpressionCompiler {
  readonly #mapping: Mapping;
  readonly #nulls: ReadonlySet<string>;
  readonly #mangled: readonly Pattern[];

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
    this.#nulls = new Set(mapping.nulls);
    this.#mangled = (mapping.mangled ?? []).map(compilePattern);
  }

  /** @throws ImportError for an unknown table. */
  compile(expression: Expression): Compiled {
    if (typeof expression === 'string') return this.#template(expression);
    if (expression === null || typeof expression !== 'object') {
      return { columns: [], evaluate: () => expression };
    }
    if (isList(expression)) return this.#list(expression);
    const source = this.#source(expression);
    const converter = convert(expression, (name) => this.#table(name));
    return this.#converted(source, converter);
  }

  /**
   * Compiles a key. The parts of a list are joined by "|", and unknown parts are empty; the key is
   * unknown if all its parts are.
   */
  compileKey(expression: Expression): Compiled {
    const isOne = expression === null || typeof expression !== 'object' || !isList(expression);
    const parts = (isOne ? [expression] : expression).map((part) => this.compile(part));
    return {
      columns: columnsOf(parts),
      evaluate: (given) => {
        // Corrections in a key are reported for the field of the same cell. An amount in a key
        // needs no currency.
        const quietly = { ...given, note: () => undefined, currency: undefined };
        const values = parts.map((part) => part.evaluate(quietly));
        if (values.every((value) => value === null)) return null;
        return isOne ? String(values[0]) : keyText(values);
      },
    };
  }

  #converted(source: Compiled, converter: Converter): Compiled {
    return {
      columns: source.columns,
      evaluate: (evaluation) => {
        const value = source.evaluate(evaluation);
        return value === null ? null : converter(value, evaluation);
      },
    };
  }

  #source(conversion: Conversion): Compiled {
    const { column, template, first, join, object, ref } = conversion;
    if (column !== undefined) {
      return { columns: [column], evaluate: (given) => this.#cell(given, column) };
    }
    if (template !== undefined) return this.#template(template);
    if (first !== undefined) {
      const parts = first.map((part) => this.compile(part));
      return {
        columns: columnsOf(parts),
        evaluate: (given) => {
          for (const part of parts) {
            const value = part.evaluate(given);
            if (value !== null) return value;
          }
          return null;
        },
      };
    }
    if (join !== undefined) return this.#join(join, conversion.with ?? ' ');
    return this.#object(object ?? ref ?? {}, ref !== undefined);
  }

  #template(template: string): Compiled {
    const parts = parseTemplate(template);
    if ('fault' in parts)
      throw mappingError(this.#mapping.name, [{ at: '', message: parts.fault }]);
    const columns = parts.filter((_, index) => index % 2 === 1);
    return {
      columns,
      evaluate: (given) => {
        let text = '';
        for (const [index, part] of parts.entries()) {
          const value = index % 2 === 0 ? part : this.#cell(given, part);
          if (value === null) return null;
          text += String(value);
        }
        return text;
      },
    };
  }

  #join(expressions: readonly Expression[], between: string): Compiled {
    const list = this.#list(expressions);
    return {
      columns: list.columns,
      evaluate: (given) => {
        const values = list.evaluate(given);
        return Array.isArray(values) && values.length > 0 ? values.join(between) : null;
      },
    };
  }

  #list(expressions: readonly Expression[]): Compiled {
    const parts = expressions.map((part) => this.compile(part));
    return {
      columns: columnsOf(parts),
      evaluate: (given) =>
        parts.flatMap((part) => {
          const value = part.evaluate(given);
          return value === null ? [] : value;
        }),
    };
  }

  #object(members: Readonly<Record<string, Expression>>, isRef: boolean): Compiled {
    const parts = Object.entries(members).map(
      ([name, part]) =>
        [name, isRef && name === 'key' ? this.compileKey(part) : this.compile(part)] as const,
    );
    return {
      columns: columnsOf(parts.map(([, part]) => part)),
      evaluate: (given) => {
        const object: Record<string, unknown> = {};
        for (const [name, part] of parts) {
          const value = part.evaluate(given);
          if (value !== null) object[name] = value;
        }
        const known = isRef ? 'key' in object : Object.keys(object).length > 0;
        return known ? object : null;
      },
    };
  }

  /**
   * A cell, trimmed and repaired; null if it is empty.
   * @throws LineError for a number that JSON.parse has rounded: two keys could become one.
   */
  #cell({ row, field, note }: Evaluation, column: string): unknown {
    const value = row.get(column);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') {
      if (!isExact(value)) {
        const what = `${column} is a number too large to be read exactly; write it as text`;
        throw new LineError(field, what);
      }
      return value;
    }
    const repairs = this.#mapping.repairs?.filter(
      ({ columns }) => columns === undefined || columns.includes(column),
    );
    const trimmed = value.trim();
    if (trimmed === '' || this.#nulls.has(trimmed)) return null;
    if (this.#mangled.some((find) => find(trimmed) !== undefined)) {
      note({ field, kind: 'repaired', done: 'destroyed value removed', was: cut(value) });
      return null;
    }
    const text = repairs === undefined ? trimmed : repairText(trimmed, repairs);
    if (text !== trimmed) note({ field, kind: 'normalised', done: 'encoding corrected' });
    return text;
  }

  #table(name: string): ReadonlyMap<string, TableValue> {
    const { tables = {}, joined } = this.#mapping;
    const own = Object.hasOwn(tables, name) ? tables[name] : undefined;
    const table = own === undefined ? joined?.get(name) : new Map(Object.entries(own));
    if (table !== undefined) return table;
    const message = `there is no table "${name}"`;
    throw mappingError(this.#mapping.name, [{ at: '', message }]);
  }
}

/** Whether a cell or list has no number above 2^53 - 1; 1e400 is Infinity. */
function isExact(cell: unknown): boolean {
  if (Array.isArray(cell)) return cell.every(isExact);
  return typeof cell !== 'number' || Math.abs(cell) <= Number.MAX_SAFE_INTEGER;
}

function keyText(values: readonly unknown[]): string {
  return values.map((part) => String(part ?? '').replace(/[\\|]/gu, '\\$&')).join('|');
}

function isList(expression: object): expression is readonly Expression[] {
  return Array.isArray(expression);
}

function columnsOf(parts: readonly Compiled[]): readonly string[] {
  return parts.flatMap(({ columns }) => columns);
}

function cut(text: string): string {
  return text.length <= 100 ? text : `${cutText(text, 99)}…`;
}
