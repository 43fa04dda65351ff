/**
 * Maps the fields of a record type to the columns of its staging table and of its own table.
 * Derived from the record tables.
 */
import { recordTables } from '../records/index.ts';
import {
  EITHER_TYPES,
  type FieldRow,
  type Kind,
  type RecordType,
  type TermKind,
} from '../records/kinds.ts';

/** The operation of a staged line, as the staging tables store it. */
export const OP_CODES = { upsert: 0, mention: 1, patch: 2, delete: 3 } as const;

/** The outcome of a staged line that is not applied, as the staging tables store it. */
export const OUTCOMES = { rejected: 1, duplicate: 2, unchanged: 3 } as const;

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** One fact of a field, as it is staged. A patch that gives it sets the bit. */
export interface Part {
  readonly field: string;
  readonly row: FieldRow;
  /** A power of two in the staged column `given`. */
  readonly bit: number;
  readonly staged: readonly Column[];
  /** Columns of the record's table that take the staged columns unchanged, one for one. */
  readonly columns: readonly string[];
}

export interface Layout {
  readonly type: RecordType;
  readonly table: string;
  readonly fields: Readonly<Record<string, FieldRow>>;
  readonly parts: readonly Part[];
  /** Columns that identify a record: its id, or the records and values that tie it to them. */
  readonly identity: readonly string[];
  /** Whether a source identifies the record by a key, not by the pair that it relates. */
  readonly keyed: boolean;
  /** Whether lines have tags or places. */
  readonly spelled: boolean;
  /** Columns that contain Ids of other records. */
  readonly refs: readonly Reference[];
  /** Columns that PostgreSQL computes while it stages a line, for the insert of a new record. */
  readonly computed: readonly Column[];
}

interface Reference {
  readonly field: string;
  readonly column: string;
  readonly to: RecordType;
}

/**
 * Columns of every staging table, before those of its type. `n` numbers all lines of the import.
 * A line is applied at the position (at, behind, n): at its own number, or behind the line that it
 * depends on. `spellings` has every tag and place, see {@link stagedSpelling}. `raw` has location
 * and original of a line that checks in the database may still reject.
 */
export const LINE_COLUMNS: readonly Column[] = columnsIn(
  'n bigint, line bigint, at bigint, behind integer, op smallint, id uuid,' +
    ' occurred_at timestamptz(3), source text, source_key text, given integer, spellings text[],' +
    ' raw text',
);

/** Separates the country of a place from the term itself in a staged spelling. */
export const COUNTRY_END = '\x1f';

/** The letter of each kind of term in staged spellings. */
export const TERM_LETTERS = { tag: 't', country: 'c', region: 'r', city: 'i', group: 'g' } as const;

/** A term as it is staged: the letter of its kind, the country of a city or region, the spelling. */
export function stagedSpelling(kind: TermKind, country: string, spelling: string): string {
  return `${TERM_LETTERS[kind]}${country.replaceAll(COUNTRY_END, '')}${COUNTRY_END}${spelling}`;
}

/** The full-text document of a profile: most of the work of inserting one. */
const DOCUMENT: Column = {
  name: 'keywords',
  type: 'tsvector GENERATED ALWAYS AS (venture.profile_document(name, tags, description)) STORED',
};

type Staged = Pick<Part, 'staged' | 'columns'>;

const part = (staged: string, ...columns: readonly string[]): Staged => ({
  staged: columnsIn(staged),
  columns,
});
const either = (kind: keyof typeof EITHER_TYPES) => {
  const [first, second] = EITHER_TYPES[kind];
  return [part(`${first}_id uuid, ${second}_id uuid`, `${first}_id`, `${second}_id`)];
};
const one = (type: string) => (name: string) => [part(`${name} ${type}`, name)];

/** The parts of a field, by its column; stated and inferred status are two facts, so two parts. */
const PARTS: Readonly<Record<Kind, (name: string, isNumber: boolean) => readonly Staged[]>> = {
  text: one('text'),
  series: (name) => [part(`${name} text, stage_of_series smallint`, name, 'stage_of_series')],
  url: one('text'),
  place: (name) => (name === '' ? [] : [part(`${name} text`, name)]),
  site: (name) => [part(`${name} text, domain text`, name, 'domain')],
  year: one('smallint'),
  count: one('integer'),
  date: one('date'),
  instant: one('timestamptz(3)'),
  boolean: one('boolean'),
  ref: one('uuid'),
  closed: (name, isNumber) => one(isNumber ? 'smallint' : 'text')(name),
  closedList: (name, isNumber) => one(isNumber ? 'smallint[]' : 'text[]')(name),
  terms: one('text[]'),
  places: one('text[]'),
  identifiers: one('text[]'),
  addresses: (name) => [part(`${name} jsonb, in_part boolean`, name)],
  investor: () => either('investor'),
  company: () => either('company'),
  page: (name) => [part(`${name} text, address text`, name, 'address')],
  investors: () => [part('listed text')],
  money: () => [part('money numeric, currency text')],
  status: () => [part('status_stated text, status_by text'), part('status_inferred text')],
  currency: () => [],
  statusSource: () => [],
};

export const layouts: ReadonlyMap<RecordType, Layout> = new Map(
  Object.values(recordTables).map(({ type }) => [type, layoutOf(type)]),
);

/** The layout of a record type. */
export function layout(type: RecordType): Layout {
  const found = layouts.get(type);
  if (found === undefined) throw new TypeError(`There is no record type ${type}.`);
  return found;
}

function layoutOf(type: RecordType): Layout {
  const { table } = recordTables[type];
  const fields: Readonly<Record<string, FieldRow>> = recordTables[type].fields;
  const staged = Object.entries(fields).flatMap(([field, row]) =>
    PARTS[row.kind](row.column ?? '', typeof row.closed?.[0]?.value === 'number').map((facts) => ({
      field,
      row,
      ...facts,
    })),
  );
  const parts = staged.map((facts, index): Part => ({ ...facts, bit: 2 ** index }));
  const pair = parts.filter(({ row }) => row.identity === true);
  return Object.freeze({
    type,
    table,
    fields,
    parts,
    identity: pair.length === 0 ? ['id'] : pair.map(identityColumn),
    keyed: pair.length === 0,
    spelled: Object.values(fields).some(({ term }) => term !== undefined),
    refs: parts.flatMap(refsOf),
    computed: hasProfile(parts) ? [DOCUMENT] : [],
  });
}

function hasProfile(parts: readonly Part[]): boolean {
  const names = new Set(parts.flatMap(({ columns }) => columns));
  return ['name', 'tags', 'description'].every((name) => names.has(name));
}

function columnsIn(list: string): readonly Column[] {
  return list.split(', ').map((column) => {
    const [name = '', type = ''] = column.split(' ');
    return { name, type };
  });
}

function identityColumn({ row, columns }: Part): string {
  if (row.kind === 'investor' || row.kind === 'company') return `${row.kind}_id`;
  return (row.kind === 'page' ? columns[1] : columns[0]) ?? '';
}

function refsOf({ field, row, columns }: Part): readonly Reference[] {
  if (row.kind === 'investor' || row.kind === 'company') {
    return EITHER_TYPES[row.kind].map((to) => ({ field, column: `${to}_id`, to }));
  }
  const [column] = columns;
  return row.to === undefined || column === undefined ? [] : [{ field, column, to: row.to }];
}
