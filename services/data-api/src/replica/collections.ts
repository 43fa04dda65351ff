/** The collections of the feed of changes and of snapshots: one row defines one of them. */
import { type RateCardEntry, rateFor } from '@vcds/metering';
import { column, type ResourceField, type RowSql } from '../resources/field.ts';
import { type Resource, resources } from '../resources/index.ts';

/** The operations by their numbers in the database; permanent. */
export const OPS = Object.freeze({ upsert: 1, delete: 2, merge: 3, split: 4 } as const);
export type Op = keyof typeof OPS;

export interface ChangeCollection {
  readonly name: string;
  /** In the database; permanent. */
  readonly code: number;
  readonly resource: Resource;
  /** The members of a record: those of the collection, after the key that its path has. */
  readonly fields: readonly ResourceField[];
  /** The columns of the key, one or two. */
  readonly key: readonly [string, string?];
  /** The condition under which a row that the resource lists is in a listing. */
  readonly live: RowSql;
  /** How the publisher reads what the record `r.id`, `r.other` is: the row `t`. */
  readonly published: { readonly from: string; readonly live: string };
  /** The price and the scope of its records. */
  readonly rate: RateCardEntry;
}

type Row = readonly [name: string, code: number, resource: Resource, path: string];

const ROWS: readonly Row[] = [
  ['startups', 1, resources.startup, '/startups'],
  ['funds', 2, resources.fund, '/funds'],
  ['fundingrounds', 3, resources.fundingRound, '/startups/fundingrounds'],
  ['postvaluations', 4, resources.postValuation, '/startups/postvaluations'],
  ['persons', 5, resources.person, '/persons'],
  ['news', 6, resources.news, '/news'],
];

// The portfolio of a deleted fund has no path.
const HOLDINGS: ChangeCollection = {
  ...{ name: 'holdings', code: 7, resource: resources.holding, key: ['fund_id', 'startup_id'] },
  fields: [
    column('FundId', 'uuid', 'fund_id', { notNull: true }),
    ...resources.holding.defaultFields,
  ],
  live: (row) =>
    `EXISTS (SELECT FROM venture.fund f WHERE f.id = ${row}.fund_id AND f.deleted_at IS NULL)`,
  published: {
    from: `venture.holding t JOIN venture.fund f ON f.id = t.fund_id
      JOIN venture.startup s ON s.id = t.startup_id
      WHERE t.fund_id = r.id AND t.startup_id = r.other`,
    live: 't.deleted_at IS NULL AND f.deleted_at IS NULL AND s.deleted_at IS NULL',
  },
  rate: rateFor('/funds/{id}/portfolio'),
};

/** In the order of the documentation, in which a record is after those that it refers to. */
export const CHANGE_COLLECTIONS: readonly ChangeCollection[] = Object.freeze([
  ...ROWS.map(
    ([name, code, resource, path]): ChangeCollection => ({
      ...{ name, code, resource, fields: resource.defaultFields, key: ['id'] },
      live: () => 'true',
      published: { from: `${resource.table} t WHERE t.id = r.id`, live: resource.live('t') },
      rate: rateFor(path),
    }),
  ),
  HOLDINGS,
]);

const BY_CODE = new Map(CHANGE_COLLECTIONS.map((each) => [each.code, each]));

/** @throws RangeError for a code that the database does not have. */
export function collectionCoded(code: number): ChangeCollection {
  const found = BY_CODE.get(code);
  if (found === undefined) throw new RangeError(`Unknown collection ${code}.`);
  return found;
}

/** SQL of the rows `r` of a collection, as it lists them. */
export function rowsOf({ resource, live }: ChangeCollection): string {
  return `${resource.table} AS r WHERE ${resource.live('r')} AND ${live('r')}`;
}

/** SQL of the JSON text of row `r` as a record. */
export function recordOf({ fields }: ChangeCollection): string {
  const columns = fields.map(({ name, answer }) => `${answer?.('r')} AS "${name}"`);
  return `(SELECT row_to_json(o)::text FROM (SELECT ${columns.join(', ')}) AS o)`;
}

const FIELDS_BY_COLUMN = new Map(
  CHANGE_COLLECTIONS.map(({ code, fields }) => [code, fieldsByColumn(fields)]),
);

/**
 * The fields of a collection whose values derive from one of these columns, in the order of the
 * record. A column is one of the row, of the row of its computed fields, or a table of related rows.
 */
export function fieldsOfColumns(code: number, columns: readonly string[]): string[] {
  const byColumn = FIELDS_BY_COLUMN.get(code);
  const changed = new Set(columns.flatMap((name) => byColumn?.get(name) ?? []));
  return collectionCoded(code)
    .fields.map(({ name }) => name)
    .filter((name) => changed.has(name));
}

/** The columns and tables in the SQL of each field. */
function fieldsByColumn(fields: readonly ResourceField[]): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>();
  for (const { name, answer } of fields) {
    for (const [, column = ''] of answer?.('r').matchAll(/\.(\w+)/g) ?? []) {
      map.set(column, [...(map.get(column) ?? []), name]);
    }
  }
  return map;
}
