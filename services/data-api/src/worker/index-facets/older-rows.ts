import { ENTITIES, ENTITY_IDS, FIGURES } from '@vcds/venture-model';
import type pg from 'pg';

/** `$1`: the version up to which rows were examined before. */
const LOG_OLDER = ENTITY_IDS.map((id) => {
  const { facetTable, number } = ENTITIES[id];
  return `SELECT ${number} AS entity, id FROM ${facetTable}
    WHERE version > $1::bigint AND NOT deleted AND cardinality(figures) < ${FIGURES[id].length}`;
}).join(' UNION ALL ');

const LOG = `WITH seen AS (SELECT coalesce(max(version), 0)::text AS version FROM venture.facet_state),
  logged AS (INSERT INTO venture.facet_change (entity, id) ${LOG_OLDER} RETURNING 1)
  SELECT seen.version, (SELECT count(*)::int FROM logged) AS logged FROM seen`;

/**
 * Logs the records whose rows of the index lack figures, so that they are computed again: an older version wrote
 * them, before an upgrade or beside this process during one. No reader takes such a row.
 *
 * @param after the version that this returned before; '-1' examines all rows.
 * @returns the version of the last batch, and how many records it logged.
 */
export async function logOlderRows(
  client: pg.ClientBase,
  after: string,
): Promise<{ readonly version: string; readonly logged: number }> {
  const { rows } = await client.query<{ version: string; logged: number }>(LOG, [after]);
  return rows[0] ?? { version: after, logged: 0 };
}
