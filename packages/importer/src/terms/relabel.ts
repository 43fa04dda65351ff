/** Rewrites the records of terms for which an operator chose another label. */
import type pg from 'pg';
import { inTransaction } from '../apply/transaction.ts';
import { CHUNK_LINES_MAX } from '../checks/chunks.ts';
import type { TermKind } from '../records/kinds.ts';
import { onlyCountry } from './record-countries.ts';

/** A term whose label has changed. */
export interface Relabelled {
  readonly kind: TermKind;
  readonly from: string;
  readonly to: string;
  readonly records: number;
}

/**
 * Rewrites the records of marked terms, at most {@link CHUNK_LINES_MAX} in a transaction. If it is
 * interrupted, the next call continues.
 */
export async function relabelTerms(client: pg.ClientBase): Promise<readonly Relabelled[]> {
  const { rows } = await client.query<Term & { folded: string }>(
    `SELECT kind, country, folded, label AS from, next_label AS to FROM venture.term
     WHERE next_label IS NOT NULL ORDER BY kind, country, folded`,
  );
  const relabelled: Relabelled[] = [];
  for (const { folded, ...term } of rows) {
    const { kind, country, from, to } = term;
    const records = await rewrite(client, term);
    await client.query(
      `UPDATE venture.term SET label = $4, next_label = NULL
       WHERE kind = $1 AND country = $2 AND folded = $3`,
      [kind, country, folded, to],
    );
    relabelled.push({ kind, from, to, records });
  }
  return relabelled;
}

/** A marked term; `from`, `to` and `country` are $1, $2 and $3 of {@link LabelColumn}. */
interface Term {
  readonly kind: TermKind;
  readonly from: string;
  readonly to: string;
  /** The folded country of a city or region. */
  readonly country: string;
}

/** A column with labels of a kind: how to find a label in it, and how to replace it. */
interface LabelColumn {
  readonly table: string;
  readonly has: string;
  readonly set: string;
  /** Of companies: how to find the label in a statement, which has no derived columns. */
  readonly stated?: string;
}

const inArray = (table: string, column: string): LabelColumn => ({
  table,
  has: `${column} @> ARRAY[$1] AND $3::text = ''`,
  ...(table === 'person' ? {} : { stated: `${column} @> ARRAY[$1] AND $3::text = ''` }),
  set: `${column} = array_replace(${column}, $1, $2)`,
});

/** Whether a country is that of the term. */
const isIn = (country: string): string => `venture.fold(coalesce(${country}, '')) = $3::text`;

const inAddresses = (table: string, part: string, column: string): LabelColumn => {
  const isTerm = part === 'Country' ? `$3::text = ''` : isIn(`e.value ->> 'Country'`);
  const matches = `e.value ->> '${part}' = $1 AND ${isTerm}`;
  const stated = `EXISTS (SELECT FROM jsonb_array_elements(addresses) e WHERE ${matches})`;
  return {
    table,
    has: `${column} @> ARRAY[$1] AND ${stated}`,
    stated,
    set: `addresses = (
      SELECT jsonb_agg(
        CASE WHEN ${matches}
          THEN e.value || jsonb_build_object('${part}', $2::text) ELSE e.value END ORDER BY e.place)
      FROM jsonb_array_elements(addresses) WITH ORDINALITY AS e(value, place))`,
  };
};

const LABEL_COLUMNS: Readonly<Record<TermKind, readonly LabelColumn[]>> = {
  tag: [inArray('startup', 'tags'), inArray('fund', 'tags')],
  group: [inArray('fund', 'groups')],
  country: [
    inAddresses('startup', 'Country', 'countries'),
    inAddresses('fund', 'Country', 'countries'),
    inArray('person', 'countries'),
  ],
  region: [inAddresses('startup', 'Region', 'regions'), inAddresses('fund', 'Region', 'regions')],
  city: [
    inAddresses('startup', 'City', 'cities'),
    inAddresses('fund', 'City', 'cities'),
    {
      table: 'person',
      has: `location = $1 AND ${isIn(onlyCountry('person'))}`,
      set: 'location = $2',
    },
  ],
};

async function rewrite(client: pg.ClientBase, term: Term): Promise<number> {
  const { kind, from, to, country } = term;
  let records = 0;
  // The statements of merged companies first: their records are derived from them.
  const targets = LABEL_COLUMNS[kind].flatMap(({ table, has, set, stated }) => [
    ...(stated === undefined ? [] : [{ table: `stated.${table}`, has: stated, set }]),
    { table: `venture.${table}`, has, set },
  ]);
  for (const { table, has, set } of targets) {
    for (let changed = CHUNK_LINES_MAX; changed === CHUNK_LINES_MAX; records += changed) {
      changed = await inTransaction(client, async () => {
        await client.query('SELECT venture.begin_statements()');
        const { rows } = await client.query<{ changed: number }>(
          // Relabelling does not count as a change after an applied sequence of lines.
          `WITH changed AS (
             UPDATE ${table} SET ${set} WHERE id IN (
               SELECT id FROM ${table} WHERE ${has} ORDER BY id LIMIT ${CHUNK_LINES_MAX})
             RETURNING id, revision
           ), carried AS (
             UPDATE venture.import_sequence q SET revision = c.revision FROM changed c
             WHERE q.record_id = c.id AND q.revision = c.revision - 1
           )
           SELECT count(*)::int AS changed FROM changed`,
          [from, to, country],
        );
        await client.query('SELECT venture.derive_due()');
        return rows[0]?.changed ?? 0;
      });
    }
  }
  return records;
}
