import type pg from 'pg';
import { layout, OP_CODES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { isStale, type Target, targetOf } from './statements.ts';

/**
 * Applies the lists of investors of a chunk's rounds: adds and restores those listed, and deletes
 * those that are no longer listed. Participations that a line of type `investor` stated or deleted
 * have a key, belong to that line and stay as they are.
 *
 * @returns the number of rounds that only their list changed.
 */
export async function applyListedInvestors(
  client: pg.ClientBase,
  tables: StageTables,
  range: readonly unknown[],
  of: Target,
): Promise<number> {
  const { schema, lines } = targetOf(of);
  const bit = layout('round').parts.find(({ row }) => row.kind === 'investors')?.bit ?? 0;
  const { rows } = await client.query<{ changed: number }>(
    `WITH line AS MATERIALIZED (
       SELECT l.n, l.id, l.source, l.occurred_at, t.xmin = pg_current_xact_id()::xid AS written
       FROM ${tables.name('round')} l JOIN ${schema}.funding_round t ON t.id = l.id
       WHERE ${lines} AND l.op IN (${OP_CODES.upsert}, ${OP_CODES.patch}) AND l.given & ${bit} <> 0
         AND ${isStale} IS NOT TRUE
     ), listed AS MATERIALIZED (
       SELECT line.id AS round_id, i.fund_id, i.person_id, i.lead, line.source, line.occurred_at
       FROM line JOIN ${tables.name('listed')} i USING (n)
     ), added AS (
       INSERT INTO ${schema}.round_investor AS p
         (round_id, fund_id, person_id, lead, source, occurred_at)
       SELECT * FROM listed ORDER BY round_id, fund_id, person_id
       ON CONFLICT (round_id, investor_id) DO UPDATE
         SET lead = excluded.lead, deleted_at = NULL, source = coalesce(p.source, excluded.source),
           occurred_at = coalesce(excluded.occurred_at, p.occurred_at)
         WHERE p.source_key IS NULL AND (p.deleted_at IS NOT NULL OR p.lead <> excluded.lead)
       RETURNING round_id
     ), removed AS (
       UPDATE ${schema}.round_investor p
       SET deleted_at = now(), occurred_at = coalesce(gone.occurred_at, p.occurred_at)
       FROM (
         SELECT k.round_id, k.investor_id, line.occurred_at
         -- OFFSET 0 forces an index scan per round, and NOT IN a hash (no nulls): the planner has no
         -- current statistics of tables that have just grown.
         FROM line CROSS JOIN LATERAL (
           SELECT round_id, investor_id FROM ${schema}.round_investor
           WHERE round_id = line.id AND source_key IS NULL AND deleted_at IS NULL OFFSET 0) k
         WHERE (k.round_id, k.investor_id) NOT IN (
           SELECT i.round_id, coalesce(i.fund_id, i.person_id) FROM listed i)
       ) gone
       WHERE p.round_id = gone.round_id AND p.investor_id = gone.investor_id
       RETURNING p.round_id
     )
     SELECT count(DISTINCT line.id)::int AS changed
     FROM line JOIN (TABLE added UNION TABLE removed) c ON c.round_id = line.id
     WHERE NOT line.written`,
    [...range],
  );
  return rows[0]?.changed ?? 0;
}
