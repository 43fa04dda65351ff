/** Pieces of SQL shared by the checks. `l` is a staged line, `t` the record's own table. */

import type { RecordType } from '../records/kinds.ts';
import { type Layout, layout, opCodes } from '../staging/layout.ts';

/** Lines that make the record they are about. */
export const creates = (alias: string): string =>
  `${alias}.op IN (${opCodes.upsert}, ${opCodes.mention})`;

/** The staged line and the stored record are the same one. */
export function sameRecord(shape: Layout, line: string, record: string): string {
  return shape.identity
    .map((column) => `${record}.${column} = ${identityOf(shape, column, line)}`)
    .join(' AND ');
}

/** The staged value of an identifying column. */
export function identityOf(shape: Layout, column: string, line: string): string {
  return column === 'investor_id' && !shape.keyed
    ? `coalesce(${line}.fund_id, ${line}.person_id)`
    : `${line}.${column}`;
}

/** The place a line is applied at. */
export const position = (alias: string): string => `(${alias}.at, ${alias}.behind, ${alias}.n)`;

/** The table that holds records of a type. */
export const recordTable = (type: RecordType): string => `venture.${layout(type).table}`;
