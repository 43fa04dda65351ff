/**
 * Several lines of one record in one import: those that say nothing new are settled here, so that
 * they neither cut transactions nor write anything.
 */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { fates, layout, opCodes } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { creates, recordTable, sameRecord } from './sql.ts';

/** A line's content: every column but its place and what became of it. */
const content = (alias: string): string =>
  `(to_jsonb(${alias}) - ARRAY['n', 'at', 'behind', 'raw', 'fate'])`;

/**
 * Settles mentions of records that an earlier line makes (unchanged), and lines that repeat their
 * record's previous line word for word (duplicate).
 *
 * @returns whether records with several lines to apply remain.
 */
export async function settleRepeats(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<boolean> {
  const table = tables.name(type);
  const repeated = tables.name(`repeated_${type}`);
  await client.query(
    `CREATE UNLOGGED TABLE ${repeated} AS
     SELECT id FROM ${table} WHERE fate IS NULL GROUP BY id HAVING count(*) > 1`,
  );
  await client.query(`ANALYZE ${repeated}`);
  const { rows } = await client.query(`SELECT FROM ${repeated} LIMIT 1`);
  if (rows.length === 0) return false;
  await client.query(
    `UPDATE ${table} s SET fate = ${fates.unchanged}
     FROM (
       SELECT n, op, bool_or(${creates('l')}) OVER (
         PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS made
       FROM ${table} l WHERE fate IS NULL AND id IN (SELECT id FROM ${repeated})
     ) m
     WHERE s.n = m.n AND m.op = ${opCodes.mention} AND m.made`,
  );
  await client.query(
    `UPDATE ${table} s SET fate = ${fates.duplicate}
     FROM (
       SELECT n, content, lag(content) OVER (PARTITION BY id ORDER BY n) AS previous
       FROM (SELECT n, id, ${content('l')} AS content FROM ${table} l
             WHERE fate IS NULL AND id IN (SELECT id FROM ${repeated})) c
     ) m
     WHERE s.n = m.n AND m.content = m.previous`,
  );
  await client.query(
    `DELETE FROM ${repeated} WHERE id NOT IN (
       SELECT id FROM ${table} WHERE fate IS NULL GROUP BY id HAVING count(*) > 1)`,
  );
  await client.query(`ANALYZE ${repeated}`);
  const left = await client.query(`SELECT FROM ${repeated} LIMIT 1`);
  return left.rows.length > 0;
}

/**
 * Lines of one record that bear no date, or the same, apply one after the other, and would do so
 * again when their file comes again. Where the same sequence was the last thing that changed the
 * record, its lines are settled as unchanged.
 */
export async function settleKnownSequences(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<void> {
  const table = tables.name(type);
  const shape = layout(type);
  const sequence = tables.name(`sequence_${type}`);
  await client.query(
    `CREATE UNLOGGED TABLE ${sequence} AS
     SELECT id, md5(string_agg(content::text, E'\\n' ORDER BY n))::uuid AS digest
     FROM (
       SELECT id, n, ${content('l')} AS content,
         occurred_at IS NULL
           OR occurred_at = lag(occurred_at) OVER (PARTITION BY id ORDER BY n) AS undated
       FROM ${table} l
       WHERE fate IS NULL AND id IN (SELECT id FROM ${tables.name(`repeated_${type}`)})
     ) c
     GROUP BY id HAVING bool_or(undated)`,
  );
  await client.query(
    `WITH line AS (SELECT DISTINCT ON (l.id) l.* FROM ${table} l JOIN ${sequence} USING (id)
                   WHERE l.fate IS NULL),
     known AS (
       DELETE FROM ${sequence} q USING venture.import_sequence k, line l, ${recordTable(type)} t
       WHERE k.record_id = q.id AND k.digest = q.digest AND l.id = q.id
         AND ${sameRecord(shape, 'l', 't')} AND t.revision = k.revision
       RETURNING q.id
     )
     UPDATE ${table} s SET fate = ${fates.unchanged} FROM known
     WHERE s.id = known.id AND s.fate IS NULL`,
  );
}

/** Remembers the sequences that were applied, with the revisions they ended in. */
export async function rememberSequences(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<void> {
  const shape = layout(type);
  await client.query(
    `INSERT INTO venture.import_sequence (record_id, digest, revision)
     SELECT q.id, q.digest, t.revision
     FROM ${tables.name(`sequence_${type}`)} q
     JOIN (SELECT DISTINCT ON (id) * FROM ${tables.name(type)} WHERE fate IS NULL) l ON l.id = q.id
     JOIN ${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')}
     ON CONFLICT (record_id) DO UPDATE SET digest = excluded.digest, revision = excluded.revision`,
  );
}
