/**
 * Several lines of one record in one import. Lines that change nothing get their outcome here, so
 * that they are not applied and do not end transactions.
 */
import type { RecordType } from '../records/kinds.ts';
import { OP_CODES, OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { creates, storedRecord } from './sql.ts';

/** The content of a line: every column but its position, its outcome and what is computed of others. */
const content = (alias: string): string =>
  `(to_jsonb(${alias}) - ARRAY['n', 'line', 'at', 'behind', 'raw', 'outcome', 'routed', 'keywords'])`;

/**
 * Marks mentions of records that an earlier line creates as unchanged, and lines that are equal to
 * the previous line of their record as duplicates.
 *
 * @returns whether records with several lines to apply remain; they are in `repeated_{type}`.
 */
export async function deduplicateLines(tables: StageTables, type: RecordType): Promise<boolean> {
  const table = tables.name(type);
  const repeated = tables.name(`repeated_${type}`);
  const ids = `SELECT id FROM ${table} WHERE outcome IS NULL GROUP BY id HAVING count(*) > 1`;
  if ((await tables.createAs(`repeated_${type}`, ids)) === 0) return false;
  // The updates below find lines by this index even if the planner underestimates their number.
  await tables.client.query(`CREATE UNIQUE INDEX ON ${table} (n)`);
  await tables.client.query(
    `UPDATE ${table} s SET outcome = ${OUTCOMES.unchanged}
     FROM (
       SELECT n, op, bool_or(${creates('l')}) OVER (
         PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS made
       FROM ${table} l WHERE outcome IS NULL AND id IN (SELECT id FROM ${repeated})
     ) m
     WHERE s.n = m.n AND m.op = ${OP_CODES.mention} AND m.made`,
  );
  await tables.client.query(
    `UPDATE ${table} s SET outcome = ${OUTCOMES.duplicate}
     FROM (
       SELECT n, content, lag(content) OVER (PARTITION BY id ORDER BY n) AS previous
       FROM (SELECT n, id, ${content('l')} AS content FROM ${table} l
             WHERE outcome IS NULL AND id IN (SELECT id FROM ${repeated})) c
     ) m
     WHERE s.n = m.n AND m.content = m.previous`,
  );
  await tables.client.query(`DELETE FROM ${repeated} WHERE id NOT IN (${ids})`);
  await tables.client.query(`ANALYZE ${repeated}`);
  return tables.any(repeated);
}

/**
 * Several lines of a record without dates, or with one date, are a sequence: importing the file
 * again would apply them all again. If such lines, or the first of them, were the last change of
 * the record, they are marked as unchanged. The table `sequence_{type}` gets the digests of the
 * others, each of a line and all earlier lines of its record.
 */
export async function skipAppliedSequences(tables: StageTables, type: RecordType): Promise<void> {
  const table = tables.name(type);
  const sequence = tables.name(`sequence_${type}`);
  await tables.createAs(
    `sequence_${type}`,
    `SELECT n, id, digest FROM (
       SELECT n, id, bool_or(undated) OVER (PARTITION BY id) AS undated,
         venture.digest_chain(content) OVER (PARTITION BY id ORDER BY n) AS digest
       FROM (
         SELECT id, n, md5(${content('l')}::text) AS content,
           occurred_at IS NULL OR count(*) OVER (PARTITION BY id, occurred_at) > 1 AS undated
         FROM ${table} l
         WHERE outcome IS NULL AND id IN (SELECT id FROM ${tables.name(`repeated_${type}`)})
       ) l
     ) l WHERE undated`,
  );
  await tables.client.query(`CREATE UNIQUE INDEX ON ${sequence} (n)`);
  await tables.client.query(`CREATE INDEX ON ${sequence} (id, n)`);
  await tables.client.query(
    `WITH known AS (
       SELECT q.id, q.n FROM ${sequence} q
       JOIN venture.import_sequence k ON k.record_id = q.id AND k.digest = q.digest
       JOIN ${table} l ON l.n = q.n
       JOIN ${storedRecord(tables, type)} AND t.revision = k.revision
     ), applied AS (
       DELETE FROM ${sequence} q USING known
       WHERE q.id = known.id AND q.n <= known.n RETURNING q.n
     )
     UPDATE ${table} s SET outcome = ${OUTCOMES.unchanged} FROM applied WHERE s.n = applied.n`,
  );
}

/**
 * Updates the revisions stored with the applied sequences: a later round of the import, or the end
 * of a grace period, may have changed the startup's status.
 */
export async function updateSequences(tables: StageTables, type: RecordType): Promise<void> {
  await tables.client.query(
    `UPDATE venture.import_sequence k SET revision = t.revision
     FROM ${tables.name(`sequence_${type}`)} q
     JOIN ${tables.name(type)} l ON l.n = q.n JOIN ${storedRecord(tables, type)}
     WHERE k.record_id = q.id AND k.digest = q.digest AND k.revision <> t.revision`,
  );
}
