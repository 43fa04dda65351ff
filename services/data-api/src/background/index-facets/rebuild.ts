import { ENTITIES, ENTITY_IDS, type EntityId } from '@vcds/venture-model';
import type pg from 'pg';
import { compileRecompute } from './compile-recompute.ts';

/** Records of one statement. */
const PAGE_RECORDS = 20_000;

/** The outcome of a rebuild: rows removed from the log, and records whose codes changed. */
export interface Rebuilt {
  readonly taken: number;
  readonly changed: number;
}

const TABLES = ENTITY_IDS.map((id) => `'${ENTITIES[id].table}'::regclass`).join(', ');

// Estimates: the positions of the log may have gaps, and the number of records is that of the
// planner, 0 in a table without statistics.
const IS_DUE = `SELECT l.rows > $1 AND l.rows > t.records AS due
  FROM (SELECT max(position) - min(position) + 1 AS rows FROM venture.facet_change) AS l,
    (SELECT sum(greatest(reltuples, 0)) AS records FROM pg_class
     WHERE oid IN (${TABLES})) AS t`;

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
  const { rowCount } = await client.query('DELETE FROM venture.facet_change');
  let changed = 0;
  for (const id of ENTITY_IDS) {
    for await (const page of pagesOf(client, id)) {
      const { rows } = await client.query<{ changed: number }>(compileRecompute(id), [
        page.ids,
        version,
      ]);
      changed += rows[0]?.changed ?? 0;
      onPage(page.records);
    }
  }
  return { taken: rowCount ?? 0, changed };
}

/** Ids, as the text of a `uuid[]`, in pages. */
async function* pagesOf(client: pg.ClientBase, entity: EntityId) {
  interface Page {
    readonly ids: string;
    readonly records: number;
    readonly last: string | null;
  }
  let after: string | null = null;
  for (;;) {
    const { rows }: { rows: Page[] } = await client.query<Page>(
      `SELECT p.ids::text AS ids, cardinality(p.ids) AS records, p.ids[cardinality(p.ids)] AS last
       FROM (SELECT ARRAY(SELECT id FROM ${ENTITIES[entity].table}
         ${after === null ? '' : 'WHERE id > $2'} ORDER BY id LIMIT $1) AS ids) AS p`,
      after === null ? [PAGE_RECORDS] : [PAGE_RECORDS, after],
    );
    const page: Page | undefined = rows[0];
    if (page === undefined || page.last === null) return;
    after = page.last;
    yield page;
  }
}
