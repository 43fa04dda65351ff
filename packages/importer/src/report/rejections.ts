/** Turns the rejections found in the database into lines of the files of rejected lines. */
import type pg from 'pg';
import { quote } from '../errors/quote.ts';
import { recordTables } from '../records/index.ts';
import type { FieldRow, RecordType } from '../records/kinds.ts';
import type { Place } from '../sources/source-item.ts';
import { referredIds } from '../staging/encode-line.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { type Referred, refusedLines } from './rejected-lines.ts';

/** What a staged line keeps of its origin, for the case that it is rejected. */
interface RawLine extends Place {
  readonly original?: unknown;
  /** Where the row is that a mapping made the line of. */
  readonly origin?: number;
  /** The line that a mapping made of a row. */
  readonly made?: unknown;
}

/** One rejected line, as it is written. */
export interface Rejection {
  readonly line: number;
  readonly type?: string | undefined;
  readonly field?: string | undefined;
  readonly reason: string;
  readonly original: unknown;
  readonly made?: unknown;
}

interface RejectionRow {
  readonly type: RecordType;
  readonly reason: string;
  readonly field: string | null;
  readonly raw: string;
}

const PAGE_ROWS = 1000;

/** Reads the rejections in the order of the lines. */
export async function* rejectionsFound(
  client: pg.ClientBase,
  tables: StageTables,
  names: readonly string[],
): AsyncGenerator<{ readonly file: number; readonly rejection: Rejection }> {
  for (const type of tables.types) {
    for (let after = '0'; ; ) {
      const { rows } = await client.query<RejectionRow & { n: string }>(
        `SELECT r.type, r.reason, r.field, r.n, l.raw FROM ${tables.name('rejection')} r
         JOIN ${tables.name(type)} l USING (n)
         WHERE r.type = $1 AND r.n > $2 ORDER BY r.n LIMIT ${PAGE_ROWS}`,
        [type, after],
      );
      const raws = rows.map(({ raw }): RawLine => JSON.parse(raw));
      const originals = await originalsOf(client, tables, raws);
      const given = raws.map((raw) => givenLine(raw, originals));
      const refused = await refusedLines(
        client,
        tables,
        rows.flatMap((row, index) => referredBy(row, given[index] ?? {})),
      );
      for (const [index, row] of rows.entries()) {
        const raw = raws[index];
        const line = given[index];
        after = row.n;
        if (raw === undefined || line === undefined) continue;
        const by = referredBy(row, line).flatMap(({ id }) => refused.get(id) ?? [])[0];
        const reason = by === undefined ? sentence(row, line) : refusedReason(row, line, by, names);
        yield { file: raw.file, rejection: rejectionOf(row, raw, originals, reason) };
      }
      if (rows.length < PAGE_ROWS) break;
    }
  }
}

/** The rows that lines were made of, by the numbers they were staged under. */
async function originalsOf(
  client: pg.ClientBase,
  tables: StageTables,
  raws: readonly RawLine[],
): Promise<ReadonlyMap<number, unknown>> {
  const origins = new Set(raws.flatMap(({ origin }) => origin ?? []));
  if (origins.size === 0) return new Map();
  const { rows } = await client.query<{ n: string; original: string }>(
    `SELECT n, original FROM ${tables.name('origin')} WHERE n = ANY ($1::bigint[])`,
    [[...origins]],
  );
  return new Map(rows.map(({ n, original }) => [Number(n), JSON.parse(original)]));
}

type GivenLine = Readonly<Record<string, unknown>>;

/** The line as it was checked: as given, or as a mapping made it. */
function givenLine(raw: RawLine, originals: ReadonlyMap<number, unknown>): GivenLine {
  const { made } = raw;
  const original = originalOf(raw, originals);
  const given = made ?? (typeof original === 'string' ? JSON.parse(original) : original);
  return given as GivenLine;
}

function originalOf(raw: RawLine, originals: ReadonlyMap<number, unknown>): unknown {
  return raw.origin === undefined ? raw.original : originals.get(raw.origin);
}

function rejectionOf(
  { type, field }: RejectionRow,
  raw: RawLine,
  originals: ReadonlyMap<number, unknown>,
  reason: string,
): Rejection {
  const { line, made } = raw;
  const original = originalOf(raw, originals);
  return { line, type, field: field ?? undefined, reason, original, made };
}

/** The records that a line refers to in vain. */
function referredBy({ type, reason, field }: RejectionRow, line: GivenLine): readonly Referred[] {
  if (reason !== 'unresolved' || field === null) return [];
  const fields: Readonly<Record<string, FieldRow>> = recordTables[type].fields;
  const row = fields[field];
  return row === undefined
    ? []
    : referredIds(row, line[field], { type, source: String(line.source) });
}

function refusedReason(
  { field }: RejectionRow,
  line: GivenLine,
  place: Place,
  names: readonly string[],
): string {
  const of = `line ${place.line} of ${names[place.file] ?? 'the import'}`;
  return `${field} ${quote(line[field ?? ''])} is made by ${of}, which was rejected`;
}

function sentence({ reason, type, field }: RejectionRow, line: GivenLine): string {
  const value = field === null ? undefined : line[field];
  const currency = value === undefined ? 'its currency' : `the currency ${quote(value)}`;
  switch (reason) {
    case 'unresolved':
      return `${field} ${quote(value)} is neither in the database nor in this import`;
    case 'no-record':
      return `there is no ${type} ${nameOf(type, line)} to ${line.op}`;
    case 'unknown-currency':
      return `there are no rates for ${currency}`;
    case 'undated-amount':
      return `${field} is not in US dollars and has no date to convert it at`;
    case 'no-rate':
      return `there is no rate for ${currency} on that day or before`;
    default:
      return reason;
  }
}

/** A record as its line names it: by the source's key, or by the pair it ties. */
function nameOf(type: RecordType, line: Readonly<Record<string, unknown>>): string {
  const fields: Readonly<Record<string, FieldRow>> = recordTables[type].fields;
  const pair = Object.keys(fields).filter((field) => fields[field]?.identity === true);
  if (pair.length === 0) return `${quote(line.key)} of ${quote(line.source)}`;
  return `of ${pair.map((field) => `${field} ${quote(line[field])}`).join(' and ')}`;
}
