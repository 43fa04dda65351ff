/**
 * Several lines of one record in one import: those that say nothing new are settled here, so that
 * they neither cut transactions nor write anything.
 */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { layout, OP_CODES, OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { creates, recordTable, sameRecord } from './sql.ts';

/** A line's content: every column but its place and what became of it. */
const content = (alias: string): string =>
  `(to_jsonb(${alias}) - ARRAY['n', 'line', 'at', 'behind', 'raw', 'fate'])`;

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
  // However few lines the planner expects to find below, it finds each by this, not by a scan.
  await client.query(`CREATE UNIQUE INDEX ON ${table} (n)`);
  await client.query(
    `UPDATE ${table} s SET fate = ${OUTCOMES.unchanged}
     FROM (
       SELECT n, op, bool_or(${creates('l')}) OVER (
         PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS made
       FROM ${table} l WHERE fate IS NULL AND id IN (SELECT id FROM ${repeated})
     ) m
     WHERE s.n = m.n AND m.op = ${OP_CODES.mention} AND m.made`,
  );
  await client.query(
    `UPDATE ${table} s SET fate = ${OUTCOMES.duplicate}
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
 * Lines of one record that bear no date, or the same (whatever stands between them), apply one
 * after the other, and would do so again when their file comes again. Where the same lines, or the
 * first of them, were the last thing that changed the record, they are settled as unchanged. The
 * digests of the others, each of a line and all of its record before it, go to the run's table
 * `sequence_…`.
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
     SELECT n, id, digest FROM (
       SELECT n, id, bool_or(undated) OVER (PARTITION BY id) AS undated,
         venture.digest_chain(content) OVER (PARTITION BY id ORDER BY n) AS digest
       FROM (
         SELECT id, n, md5(${content('l')}::text) AS content,
           occurred_at IS NULL OR count(*) OVER (PARTITION BY id, occurred_at) > 1 AS undated
         FROM ${table} l
         WHERE fate IS NULL AND id IN (SELECT id FROM ${tables.name(`repeated_${type}`)})
       ) l
     ) l WHERE undated`,
  );
  await client.query(`CREATE UNIQUE INDEX ON ${sequence} (n)`);
  await client.query(`CREATE INDEX ON ${sequence} (id, n)`);
  await client.query(`ANALYZE ${sequence}`);
  await client.query(
    `WITH known AS (
       SELECT q.id, q.n FROM ${sequence} q
       JOIN venture.import_sequence k ON k.record_id = q.id AND k.digest = q.digest
       JOIN ${table} l ON l.n = q.n
       JOIN ${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')} AND t.revision = k.revision
     ), settled AS (
       DELETE FROM ${sequence} q USING known
       WHERE q.id = known.id AND q.n <= known.n RETURNING q.n
     )
     UPDATE ${table} s SET fate = ${OUTCOMES.unchanged} FROM settled WHERE s.n = settled.n`,
  );
}

/**
 * Notes the revisions that the sequences applied have ended in: a round applied after its startup,
 * or the end of its protection, may have changed the startup's status.
 */
export async function renewSequences(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<void> {
  const same = sameRecord(layout(type), 'l', 't');
  await client.query(
    `UPDATE venture.import_sequence k SET revision = t.revision
     FROM ${tables.name(`sequence_${type}`)} q
     JOIN ${tables.name(type)} l ON l.n = q.n JOIN ${recordTable(type)} t ON ${same}
     WHERE k.record_id = q.id AND k.digest = q.digest AND k.revision <> t.revision`,
  );
}
