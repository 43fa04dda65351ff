/** Reads the rejections that the checks in the database found. */
import { quote } from '../errors/quote.ts';
import { recordTables } from '../records/index.ts';
import type { FieldRow, RecordType } from '../records/kinds.ts';
import type { SourceLocation } from '../sources/source-item.ts';
import { referredIds } from '../staging/encode-line.ts';
import { OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** The staged location and original of a line that may be rejected. */
interface RawLine extends SourceLocation {
  readonly original?: unknown;
  /** The number under which the row is staged that a mapping made the line of. */
  readonly origin?: number;
  /** The line that a mapping made of a row. */
  readonly made?: unknown;
}

/** A rejected line as the file of rejected lines has it. */
export interface Rejection {
  readonly line: number;
  readonly type?: string | undefined;
  readonly field?: string | undefined;
  readonly reason: string;
  readonly original: unknown;
  readonly made?: unknown;
}

type Line = Readonly<Record<string, unknown>>;

interface RejectedLine {
  readonly type: RecordType;
  readonly reason: string;
  readonly field: string | null;
  readonly raw: RawLine;
  readonly original: unknown;
  /** The line as it was checked: the original, or the line that a mapping made. */
  readonly line: Line;
}

const PAGE_ROWS = 1000;

/** The rejections of each type in the order of the lines, with the index of their file. */
export async function* readRejections(
  tables: StageTables,
  fileNames: readonly string[],
): AsyncGenerator<{
  readonly file: number;
  readonly rejection: Rejection;
  /** Whether another rejected line is the cause. */
  readonly follows: boolean;
}> {
  for (const type of tables.types) {
    for (let after = '0'; ; ) {
      const { rows } = await tables.client.query<Record<'n' | 'reason' | 'field' | 'raw', string>>(
        `SELECT r.n, r.reason, r.field, l.raw FROM ${tables.name('rejection')} r
         JOIN ${tables.name(type)} l USING (n)
         WHERE r.type = $1 AND r.n > $2 ORDER BY r.n LIMIT ${PAGE_ROWS}`,
        [type, after],
      );
      const raws = rows.map(({ raw }): RawLine => JSON.parse(raw));
      const originals = await originalsOf(tables, raws);
      const page = rows.map(({ reason, field }, index): RejectedLine => {
        const raw = raws[index] ?? { file: 0, line: 0 };
        const original = raw.origin === undefined ? raw.original : originals.get(raw.origin);
        const line = raw.made ?? (typeof original === 'string' ? JSON.parse(original) : original);
        return { type, reason, field, raw, original, line };
      });
      const locations = await locateRejected(tables, page.flatMap(referredBy));
      for (const rejected of page) {
        const { field, raw, original } = rejected;
        const cause = referredBy(rejected).flatMap(({ id }) => locations.get(id) ?? [])[0];
        const reason =
          cause === undefined ? sentence(rejected) : becauseOf(rejected, cause, fileNames);
        const { file, line, made } = raw;
        yield {
          file,
          rejection: { line, type, field: field ?? undefined, reason, original, made },
          follows: cause !== undefined,
        };
      }
      if (rows.length < PAGE_ROWS) break;
      after = rows.at(-1)?.n ?? after;
    }
  }
}

/** The rows that lines were made of, by the numbers under which they are staged. */
async function originalsOf(
  tables: StageTables,
  raws: readonly RawLine[],
): Promise<ReadonlyMap<number, unknown>> {
  const origins = new Set(raws.flatMap(({ origin }) => origin ?? []));
  if (origins.size === 0) return new Map();
  const { rows } = await tables.client.query<{ n: string; original: string }>(
    `SELECT n, original FROM ${tables.name('origin')} WHERE n = ANY ($1::bigint[])`,
    [[...origins]],
  );
  return new Map(rows.map(({ n, original }) => [Number(n), JSON.parse(original)]));
}

/** For each of the records, the location of the first rejected line about it. */
async function locateRejected(
  tables: StageTables,
  referred: readonly { readonly type: RecordType; readonly id: string }[],
): Promise<ReadonlyMap<string, SourceLocation>> {
  const found = new Map<string, SourceLocation>();
  if (referred.length === 0) return found;
  const { rows } = await tables.client.query<SourceLocation & { id: string }>(
    `SELECT DISTINCT ON (id) id, file, line::float8 AS line FROM ${tables.name('rejected')}
     WHERE id = ANY ($1::uuid[]) ORDER BY id, file, line`,
    [referred.map(({ id }) => id)],
  );
  for (const { id, file, line } of rows) found.set(id, { file, line });
  for (const type of new Set(referred.map((each) => each.type))) {
    if (!tables.has(type)) continue;
    const staged = await tables.client.query<{ id: string; raw: string }>(
      `SELECT DISTINCT ON (id) id, raw FROM ${tables.name(type)}
       WHERE outcome = ${OUTCOMES.rejected} AND id = ANY ($1::uuid[]) ORDER BY id, n`,
      [referred.flatMap((each) => (each.type === type ? each.id : []))],
    );
    for (const { id, raw } of staged.rows) {
      if (!found.has(id)) found.set(id, JSON.parse(raw));
    }
  }
  return found;
}

const fieldsOf = (type: RecordType): Readonly<Record<string, FieldRow>> =>
  recordTables[type].fields;

/** The records that a line refers to and that do not exist. */
function referredBy({ type, reason, field, line }: RejectedLine) {
  const row = reason === 'unresolved' && field !== null ? fieldsOf(type)[field] : undefined;
  if (row === undefined || field === null) return [];
  return referredIds(row, line[field], { type, source: String(line.source) });
}

function becauseOf(
  { field, line }: RejectedLine,
  cause: SourceLocation,
  fileNames: readonly string[],
): string {
  const where = `line ${cause.line} of ${fileNames[cause.file] ?? 'the import'}`;
  return `${field} ${quote(line[field ?? ''])} is created by ${where}, which was rejected`;
}

function sentence({ reason, type, field, line }: RejectedLine): string {
  const value = field === null ? undefined : line[field];
  const currency = value === undefined ? 'its currency' : `currency ${quote(value)}`;
  switch (reason) {
    case 'unresolved':
      return `${field} ${quote(value)} is neither in the database nor in this import`;
    case 'no-record':
      return (
        `${type} ${nameOf(type, line)} does not exist, ` +
        `so it cannot be ${line.op === 'delete' ? 'deleted' : 'patched'}`
      );
    case 'unknown-currency':
      return `there are no exchange rates for ${currency}`;
    case 'undated-amount':
      return `${field} is not in US dollars and has no date to convert it at`;
    case 'no-rate':
      return `there is no exchange rate for ${currency} on or before that day`;
    default:
      return reason;
  }
}

/** A record by its key and source, or by the pair of records that it relates. */
function nameOf(type: RecordType, line: Line): string {
  const pair = Object.entries(fieldsOf(type)).filter(([, { identity }]) => identity === true);
  if (pair.length === 0) return `${quote(line.key)} of ${quote(line.source)}`;
  return `of ${pair.map(([field]) => `${field} ${quote(line[field])}`).join(' and ')}`;
}
