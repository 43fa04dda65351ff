import { LineError } from '../errors/line-error.ts';
import type { Compiled, ExpressionCompiler } from './expression.ts';
import type { Condition } from './mapping.ts';
import type { Row } from './row.ts';

/** A compiled condition: whether it holds for a row. */
export type CompiledCondition = (row: Row) => boolean;

/** Every part of a condition must hold. */
export function compileCondition(
  condition: Condition,
  compiler: ExpressionCompiler,
): CompiledCondition {
  const parts: CompiledCondition[] = [];
  const { blank, known, unknown, column, is, all, any, not } = condition;
  if (blank) parts.push(isBlank);
  if (known !== undefined) parts.push(knownness(compiler.compile(known), true));
  if (unknown !== undefined) parts.push(knownness(compiler.compile(unknown), false));
  if (column !== undefined) parts.push(isOneOf(column, is ?? []));
  if (all !== undefined) parts.push(...all.map((part) => compileCondition(part, compiler)));
  if (any !== undefined) {
    const some = any.map((part) => compileCondition(part, compiler));
    parts.push((row) => some.some((part) => part(row)));
  }
  if (not !== undefined) {
    const part = compileCondition(not, compiler);
    parts.push((row) => !part(row));
  }
  return (row) => parts.every((part) => part(row));
}

function isBlank(row: Row): boolean {
  return Object.values(row.cells).every((cell) => String(cell ?? '').trim() === '');
}

function isOneOf(column: string, values: readonly (string | number | boolean)[]) {
  const texts = new Set(values.map(String));
  return (row: Row) => texts.has(String(row.get(column) ?? '').trim());
}

/** Whether a value is known; an unreadable one is, and is reported where it is used. */
function knownness({ evaluate }: Compiled, wanted: boolean): CompiledCondition {
  return (row) => {
    try {
      const value = evaluate({ row, field: 'when', note: () => undefined, currency: undefined });
      return (value !== null && !(Array.isArray(value) && value.length === 0)) === wanted;
    } catch (error) {
      if (error instanceof LineError) return wanted;
      throw error;
    }
  };
}
