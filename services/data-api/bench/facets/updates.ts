import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@vcds/test-kit/bench';
import { ENTITIES } from '@vcds/venture-model';
import type { LoadedFacetEngine } from '../../src/categories/facet-schema.ts';

const TABLE = ENTITIES.startups.facetTable;

/**
 * Changes so many startups in one batch, as the indexer does: each gets the codes of another, so
 * that the counts by value stay what they are. Waits until the engine holds them.
 *
 * @returns how the engine took it; `visibleMs`: from the commit until it was known to hold them.
 */
export function measureUpdates(url: string, engine: LoadedFacetEngine, records: number) {
  return withClient(url, async (client) => {
    const { bytes: bytesBefore } = engine.state();
    await client.query('BEGIN');
    await client.query(`WITH next AS (
        UPDATE venture.facet_state SET version = version + 1, applied_at = now() RETURNING version
      ) INSERT INTO venture.facet_batch SELECT version FROM next`);
    const { rowCount } = await client.query(
      `WITH chosen AS (
         SELECT id, codes, row_number() OVER (ORDER BY id) AS n
         FROM (SELECT id, codes FROM ${TABLE} ORDER BY md5(id::text || now()) LIMIT $1) AS f
       )
       UPDATE ${TABLE} AS f SET codes = other.codes, version = s.version
       FROM chosen AS c JOIN chosen AS other
         ON other.n = CASE WHEN c.n = 1 THEN (SELECT max(n) FROM chosen) ELSE c.n - 1 END,
         venture.facet_state AS s
       WHERE f.id = c.id`,
      [records],
    );
    await client.query('COMMIT');
    const committedMs = Date.now();
    const isTaken = () => Date.now() - (engine.state().lagMs ?? Date.now()) > committedMs;
    while (!isTaken()) await delay(5);
    const visibleMs = Date.now() - committedMs;
    return { records: rowCount ?? 0, visibleMs, bytesBefore, bytesAfter: engine.state().bytes };
  });
}
