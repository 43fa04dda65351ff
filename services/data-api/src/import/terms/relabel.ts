/**
 * After an import: terms whose most used spelling is another than the one in use take it over, and
 * the records that bear the old one are rewritten.
 */
import type pg from 'pg';
import { inTransaction } from '../apply/transaction.ts';
import { chunkLinesMax } from '../checks/order.ts';
import type { TermKind } from '../records/kinds.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { termKind } from './settle-spellings.ts';

/** A term that is written differently from now on. */
export interface Relabelled {
  readonly kind: TermKind;
  readonly from: string;
  readonly to: string;
  readonly records: number;
}

/**
 * Adds what was written by this import, and by killed ones, to the uses of each spelling, and notes
 * which terms are to be rewritten to a spelling now used more; the label in use wins ties.
 */
export async function countUses(client: pg.ClientBase, tables: StageTables): Promise<void> {
  const used = tables.name('used');
  await inTransaction(client, async () => {
    await client.query(
      `CREATE UNLOGGED TABLE ${used} AS
       SELECT kind, venture.term_fold(spelling) AS folded, spelling, uses
       FROM (
         SELECT ${termKind('spelling')} AS kind, substr(spelling, 2) AS spelling, sum(uses) AS uses
         FROM venture.term_use GROUP BY spelling) u`,
    );
    await client.query(`ANALYZE ${used}`);
    await client.query(
      `INSERT INTO venture.term_spelling AS s (kind, folded, spelling, uses)
       SELECT kind, folded, spelling, uses FROM ${used} ORDER BY 1, 2, 3
       ON CONFLICT (kind, folded, spelling) DO UPDATE SET uses = s.uses + excluded.uses`,
    );
    await client.query(
      `UPDATE venture.term t SET next_label = best.spelling
       FROM (SELECT DISTINCT kind, folded FROM ${used}) u
       JOIN venture.term l USING (kind, folded)
       JOIN LATERAL (
         SELECT s.spelling FROM venture.term_spelling s
         WHERE s.kind = l.kind AND s.folded = l.folded
         ORDER BY s.uses DESC, s.spelling = l.label DESC, s.spelling COLLATE "C" LIMIT 1) best ON true
       WHERE t.kind = l.kind AND t.folded = l.folded AND best.spelling <> l.label`,
    );
    await client.query('TRUNCATE venture.term_use');
  });
}

/**
 * Rewrites the terms that are to be written differently, each record in a transaction of at most
 * {@link chunkLinesMax}. Broken off, it goes on where it was the next time.
 */
export async function relabelTerms(client: pg.ClientBase): Promise<readonly Relabelled[]> {
  const { rows } = await client.query<{ kind: TermKind; folded: string; from: string; to: string }>(
    `SELECT kind, folded, label AS from, next_label AS to FROM venture.term
     WHERE next_label IS NOT NULL ORDER BY kind, folded`,
  );
  const relabelled: Relabelled[] = [];
  for (const { kind, folded, from, to } of rows) {
    const records = await rewrite(client, kind, from, to);
    await client.query(
      'UPDATE venture.term SET label = $3, next_label = NULL WHERE kind = $1 AND folded = $2',
      [kind, folded, to],
    );
    relabelled.push({ kind, from, to, records });
  }
  return relabelled;
}

/** A column that bears labels of a kind: how to find a label in it, and how to replace it. */
interface Bearer {
  readonly table: string;
  readonly has: string;
  readonly set: string;
}

const inArray = (table: string, column: string): Bearer => ({
  table,
  has: `${column} @> ARRAY[$1]`,
  set: `${column} = array_replace(${column}, $1, $2)`,
});

const inAddresses = (table: string, part: string, column: string): Bearer => ({
  table,
  has: `${column} @> ARRAY[$1]`,
  set: `addresses = (
    SELECT jsonb_agg(
      CASE WHEN e.value ->> '${part}' = $1
        THEN e.value || jsonb_build_object('${part}', $2::text) ELSE e.value END ORDER BY e.place)
    FROM jsonb_array_elements(addresses) WITH ORDINALITY AS e(value, place))`,
});

const bearers: Readonly<Record<TermKind, readonly Bearer[]>> = {
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
    { table: 'person', has: 'location = $1', set: 'location = $2' },
  ],
};

async function rewrite(
  client: pg.ClientBase,
  kind: TermKind,
  from: string,
  to: string,
): Promise<number> {
  let records = 0;
  for (const { table, has, set } of bearers[kind]) {
    for (let changed = chunkLinesMax; changed === chunkLinesMax; records += changed) {
      changed = await inTransaction(client, async () => {
        const { rows } = await client.query<{ changed: number }>(
          // A sequence of lines that was the last to change a record still is.
          `WITH changed AS (
             UPDATE venture.${table} SET ${set} WHERE id IN (
               SELECT id FROM venture.${table} WHERE ${has} ORDER BY id LIMIT ${chunkLinesMax})
             RETURNING id, revision
           ), carried AS (
             UPDATE venture.import_sequence q SET revision = c.revision FROM changed c
             WHERE q.record_id = c.id AND q.revision = c.revision - 1
           )
           SELECT count(*)::int AS changed FROM changed`,
          [from, to],
        );
        return rows[0]?.changed ?? 0;
      });
    }
  }
  return records;
}
