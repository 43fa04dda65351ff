import { ENTITIES, ENTITY_IDS, type EntityId } from '@vcds/venture-model';
import type pg from 'pg';
import { APPLIED_TO } from './applied-to.ts';
import { PageSize } from './pages.ts';
import { recompute } from './recompute.ts';

/** The outcome of a rebuild: rows removed from the log, and records whose codes changed. */
export interface Rebuilt {
  readonly taken: number;
  readonly changed: number;
}

const TABLES = ENTITY_IDS.map((id) => `'${ENTITIES[id].table}'::regclass`).join(', ');

// Estimates: the positions of the log may have gaps, and the number of records is that of the
// planner, 0 in a table without statistics.
const IS_DUE = `SELECT l.rows > $1 AND l.rows > t.records AS due
  FROM (SELECT max(position) - min(position) + 1 AS rows FROM venture.facet_change
      WHERE position > ${APPLIED_TO}) AS l,
    (SELECT sum(greatest(reltuples, 0)) AS records FROM pg_class
     WHERE oid IN (${TABLES})) AS t`;

const LAST = 'SELECT max(position) AS last FROM venture.facet_change';

const TAKE_PAGE = `WITH page AS (
    SELECT position FROM venture.facet_change WHERE position > $1 AND position <= $2
    ORDER BY position LIMIT $3
  ), taken AS (DELETE FROM venture.facet_change AS c USING page WHERE c.position = page.position)
  SELECT count(*)::int AS taken, max(position) AS last FROM page`;

/**
 * Whether the log has more than `rowsMin` rows, and more rows than there are records: then computing
 * every record once costs less than following the log.
 */
export async function isRebuildDue(client: pg.ClientBase, rowsMin: number): Promise<boolean> {
  const { rows } = await client.query<{ due: boolean | null }>(IS_DUE, [rowsMin]);
  return rows[0]?.due === true;
}

/**
 * Empties the log and computes the codes of all records once, in the order of their ids, in the open
 * transaction: if it fails, the log remains. A change that commits after the log was emptied has a
 * row in the log, also if this has read the changed record before.
 *
 * @param onPage called with the number of records after each statement.
 */
export async function rebuildIndex(
  client: pg.ClientBase,
  version: string | undefined,
  onPage: (records: number) => void,
): Promise<Rebuilt> {
  const taken = await emptyLog(client);
  let changed = 0;
  for (const entity of ENTITY_IDS) {
    const size = new PageSize();
    let page = await pageAfter(client, entity, null, size.records);
    while (page.last !== null) {
      const { ids, records, last } = page;
      changed += await size.run(() => recompute(client, entity, ids, version));
      onPage(records);
      page = await pageAfter(client, entity, last, size.records);
    }
  }
  return { taken, changed };
}

/** Removes the rows that are in the log now; returns their number. */
async function emptyLog(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ last: string | null }>(LAST);
  const end = rows[0]?.last ?? null;
  const size = new PageSize();
  const takeAfter = async (position: string) => {
    const { rows } = await client.query<{ taken: number; last: string | null }>(TAKE_PAGE, [
      ...[position, end, size.records],
    ]);
    return rows[0] ?? { taken: 0, last: null };
  };
  let taken = 0;
  let position: string | null = '0';
  while (position !== null) {
    const after: string = position;
    const page = await size.run(() => takeAfter(after));
    taken += page.taken;
    position = page.last;
  }
  return taken;
}

/** Ids after one, as the text of a `uuid[]`; without a last one if there are none. */
async function pageAfter(
  client: pg.ClientBase,
  entity: EntityId,
  after: string | null,
  records: number,
) {
  interface Page {
    readonly ids: string;
    readonly records: number;
    readonly last: string | null;
  }
  const { rows } = await client.query<Page>(
    `SELECT p.ids::text AS ids, cardinality(p.ids) AS records, p.ids[cardinality(p.ids)] AS last
     FROM (SELECT ARRAY(SELECT id FROM ${ENTITIES[entity].table}
       ${after === null ? '' : 'WHERE id > $2'} ORDER BY id LIMIT $1) AS ids) AS p`,
    after === null ? [records] : [records, after],
  );
  return rows[0] ?? { ids: '{}', records: 0, last: null };
}
