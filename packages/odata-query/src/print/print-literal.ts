import type { Literal } from '../ast/literal.ts';

/** A value as it is written in a filter: strings quoted, their quotes doubled. */
export function printLiteral(value: Literal): string {
  return value.type === 'string' ? `'${value.text.replaceAll("'", "''")}'` : value.text;
}
