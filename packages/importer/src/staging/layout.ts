/**
 * Where the fields of a record type go: the columns of its staging table, and the columns of its
 * own table that each makes. Derived from the record tables; names no column of its own but those
 * that every staged line has.
 */
import { recordTables } from '../records/index.ts';
import type { FieldRow, RecordType, TermKind } from '../records/kinds.ts';

/** What a staged line is to do; the numbers are those of the staging tables. */
export const OP_CODES = { upsert: 0, mention: 1, patch: 2, delete: 3 } as const;

/** What became of a staged line before it was applied. */
export const OUTCOMES = { rejected: 1, duplicate: 2, unchanged: 3 } as const;

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** A field as it is staged: a patch that gives it sets the bit, and the columns are valid. */
export interface Part {
  readonly field: string;
  readonly row: FieldRow;
  /** A power of two in the staged column `given`. */
  readonly bit: number;
  readonly staged: readonly Column[];
  /** Columns of the record's table that take the staged columns as they are, one for one. */
  readonly columns: readonly string[];
}

export interface Layout {
  readonly type: RecordType;
  readonly table: string;
  readonly fields: Readonly<Record<string, FieldRow>>;
  readonly parts: readonly Part[];
  /** Columns that identify a record: its id, or the pair it ties. */
  readonly identity: readonly string[];
  /** Whether a source knows the record by a key of its own, rather than by the pair it ties. */
  readonly keyed: boolean;
  /** Whether lines carry tags or places. */
  readonly spelled: boolean;
  /** Columns that hold Ids of other records. */
  readonly refs: readonly {
    readonly field: string;
    readonly column: string;
    readonly to: RecordType;
  }[];
}

/** Columns of every staging table, before those of its type. */
export const LINE_COLUMNS: readonly Column[] = [
  // The line's place in what was read; unique.
  { name: 'n', type: 'bigint' },
  // The line of its file.
  { name: 'line', type: 'bigint' },
  // The place it is applied at: its own, or behind the line it has to wait for.
  { name: 'at', type: 'bigint' },
  { name: 'behind', type: 'smallint' },
  { name: 'op', type: 'smallint' },
  { name: 'id', type: 'uuid' },
  { name: 'occurred_at', type: 'timestamptz(3)' },
  { name: 'source', type: 'text' },
  { name: 'source_key', type: 'text' },
  { name: 'given', type: 'integer' },
  // Every tag and place as it was written: see stagedSpelling.
  { name: 'spellings', type: 'text[]' },
  // File, line and original, for lines that checks in the database may still reject.
  { name: 'raw', type: 'text' },
];

/** Stands in a staged spelling between the country of a place and the term itself. */
export const COUNTRY_END = '\x1f';

/**
 * A term as it is staged: the letter of its kind, of a city or region the country it lies in, and
 * the spelling.
 */
export function stagedSpelling(kind: TermKind, country: string, spelling: string): string {
  return `${TERM_LETTERS[kind]}${country.replaceAll(COUNTRY_END, '')}${COUNTRY_END}${spelling}`;
}

/** The letter that tells the kind of a spelling. */
export const TERM_LETTERS = { tag: 't', country: 'c', region: 'r', city: 'i', group: 'g' } as const;

export const layouts: ReadonlyMap<RecordType, Layout> = new Map(
  Object.values(recordTables).map((record) => [record.type, layoutOf(record.type)]),
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
  const parts: Part[] = [];
  for (const [field, row] of Object.entries(fields)) {
    for (const [staged, columns] of columnsOf(row)) {
      parts.push({ field, row, bit: 2 ** parts.length, staged, columns });
    }
  }
  const pair = parts.filter(({ row }) => row.identity === true);
  return Object.freeze({
    type,
    table,
    fields,
    parts,
    identity: pair.length === 0 ? ['id'] : pair.map(identityColumn),
    keyed: pair.length === 0,
    spelled: Object.values(fields).some(({ term }) => term !== undefined),
    refs: parts.flatMap((part) => refsOf(part)),
  });
}

type Staged = readonly [staged: readonly Column[], columns: readonly string[]];

/** How a field is staged; a status is two parts, since the two kinds of status are two facts. */
function columnsOf(row: FieldRow): readonly Staged[] {
  const name = row.column ?? '';
  const same = (type: string): readonly Staged[] => [[[{ name, type }], [name]]];
  const number = typeof row.closed?.[0]?.value === 'number';
  switch (row.kind) {
    case 'text':
    case 'url':
      return same('text');
    case 'place':
      return name === '' ? [] : same('text');
    case 'site':
      return [
        [
          [
            { name, type: 'text' },
            { name: 'domain', type: 'text' },
          ],
          [name, 'domain'],
        ],
      ];
    case 'year':
      return same('smallint');
    case 'count':
      return same('integer');
    case 'date':
      return same('date');
    case 'instant':
      return same('timestamptz(3)');
    case 'boolean':
      return same('boolean');
    case 'ref':
      return same('uuid');
    case 'closed':
      return same(number ? 'smallint' : 'text');
    case 'closedList':
      return same(number ? 'smallint[]' : 'text[]');
    case 'terms':
    case 'places':
      return same('text[]');
    case 'addresses':
      return [
        [
          [
            { name, type: 'jsonb' },
            { name: 'in_part', type: 'boolean' },
          ],
          [name],
        ],
      ];
    case 'investor':
      return [
        [
          [
            { name: 'fund_id', type: 'uuid' },
            { name: 'person_id', type: 'uuid' },
          ],
          ['fund_id', 'person_id'],
        ],
      ];
    case 'investors':
      return [[[{ name: 'listed', type: 'text' }], []]];
    case 'money':
      return [
        [
          [
            { name: 'money', type: 'numeric' },
            { name: 'currency', type: 'text' },
          ],
          [],
        ],
      ];
    case 'status':
      return [
        [
          [
            { name: 'status_stated', type: 'text' },
            { name: 'status_by', type: 'text' },
          ],
          [],
        ],
        [[{ name: 'status_inferred', type: 'text' }], []],
      ];
    case 'currency':
    case 'statusSource':
      return [];
  }
}

function identityColumn({ row, columns }: Part): string {
  return row.kind === 'investor' ? 'investor_id' : (columns[0] ?? '');
}

function refsOf({ field, row, columns }: Part): Layout['refs'] {
  if (row.kind === 'investor') {
    return [
      { field, column: 'fund_id', to: 'fund' },
      { field, column: 'person_id', to: 'person' },
    ];
  }
  const [column] = columns;
  return row.to === undefined || column === undefined ? [] : [{ field, column, to: row.to }];
}
