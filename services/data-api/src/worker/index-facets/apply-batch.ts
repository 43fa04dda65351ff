import { ENTITIES, ENTITY_IDS, type EntityId, RELATIONS } from '@vcds/venture-model';
import type pg from 'pg';
import { ADVISORY_LOCKS, tryTransactionLock } from '../../postgres/advisory-locks.ts';
import type { TakenRows } from '../log-floor.ts';
import { APPLIED_TO } from './applied-to.ts';
import { inPages } from './pages.ts';
import { isRebuildDue, rebuildIndex } from './rebuild.ts';
import { compileSpread, recompute } from './recompute.ts';

/** The outcome of an attempt to apply a batch of the log. */
export type BatchOutcome =
  | { readonly status: 'idle' }
  /** Another process applies a batch. */
  | { readonly status: 'busy' }
  | {
      readonly status: 'applied';
      /** Whether all records were computed, not only those of the log. */
      readonly rebuilt: boolean;
      /** Rows removed from the log. */
      readonly taken: number;
      /** Records whose codes changed. */
      readonly changed: number;
    };

/** An attempt, and the rows of the log that it took. */
export interface Attempt {
  readonly outcome: BatchOutcome;
  /** Undefined if another process applies a batch. */
  readonly rows?: TakenRows;
}

/** How many batches before the last one are listed. */
const BATCHES_LISTED = 1_000;

/** Whether the log has rows after a position; null is {@link APPLIED_TO}. */
export const IS_WAITING = `SELECT (SELECT position FROM venture.facet_change
      WHERE position > coalesce($1::bigint, ${APPLIED_TO}) ORDER BY position LIMIT 1) IS NOT NULL AS waiting,
    pg_snapshot_xmin(pg_current_snapshot())::text AS xmin`;

const TAKE = `WITH taken AS (
    DELETE FROM venture.facet_change WHERE position = ANY (ARRAY(
      SELECT position FROM venture.facet_change WHERE position > coalesce($2::bigint, ${APPLIED_TO}) ORDER BY position LIMIT $1))
    RETURNING position, entity, id, reach)
  SELECT entity, count(*)::int AS taken, (min(min(position)) OVER ())::text AS first,
    (max(max(position)) OVER ())::text AS last,
    pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
    array_agg(DISTINCT id)::text AS ids,
    (array_agg(DISTINCT id) FILTER (WHERE reach & 2 > 0))::text AS startups,
    (array_agg(DISTINCT id) FILTER (WHERE reach & 4 > 0))::text AS funds,
    (array_agg(DISTINCT id) FILTER (WHERE reach & 8 > 0))::text AS rounds
  FROM taken GROUP BY entity`;

// Microseconds of the clock, so that no number repeats after a failover to a replica without the
// last batches: a reader that has processed those must not take the following ones for its own.
// `$1`: the first row of the batch; none may be below the position up to which all are applied.
const NEXT_VERSION = `WITH next AS (
    INSERT INTO venture.facet_state AS s (id, version, applied_at)
    SELECT 1, extract(epoch FROM n.now) * 1000000, n.now FROM clock_timestamp() AS n(now)
    ON CONFLICT (id) DO UPDATE SET
      version = greatest(s.version + 1, excluded.version), applied_at = excluded.applied_at,
      applied_to = least(s.applied_to, $1::bigint - 1)
    RETURNING version
  ), listed AS (
    INSERT INTO venture.facet_batch (version) SELECT version FROM next
  ), old AS (
    DELETE FROM venture.facet_batch WHERE version <= (
      SELECT version FROM venture.facet_batch ORDER BY version DESC LIMIT 1 OFFSET ${BATCHES_LISTED})
  )
  SELECT version FROM next`;

/** Log rows of one entity. Sets of ids remain text, because they are only passed on. */
interface Taken extends Readonly<Record<EntityId, string | null>> {
  readonly entity: number;
  readonly taken: number;
  /** The first and the last position of the batch. */
  readonly first: string;
  readonly last: string;
  readonly xmin: string;
  readonly ids: string;
}

export interface BatchOptions {
  /** Reads the log from its beginning, not from the position up to which every change is applied. */
  readonly isFromStart: boolean;
  /** The most rows of the log that a batch takes, if it does not rebuild the index. */
  readonly rowsMax: number;
  /** Fewer rows of the log never rebuild the index. */
  readonly rebuildRowsMin: number;
  /** Called with the number of records that a rebuild has computed since it was called last; 0 first. */
  readonly onRebuild: (records: number) => void;
}

/**
 * Removes up to `rowsMax` rows from the log and applies them in one transaction: it computes the
 * codes of their records from the committed data, and logs the related records that depend on them.
 * If the log has more rows than there are records, it computes all records instead.
 * A row is visible only after its writer has committed. If the transaction fails, the rows remain.
 *
 * @throws with an open transaction: close the client, which rolls it back.
 */
export async function applyBatch(client: pg.ClientBase, options: BatchOptions): Promise<Attempt> {
  const { rows } = await client.query<{ waiting: boolean; xmin: string }>(IS_WAITING, [
    options.isFromStart ? '0' : null,
  ]);
  const { waiting = false, xmin = '0' } = rows[0] ?? {};
  if (!waiting) {
    return { outcome: { status: 'idle' }, rows: { count: 0, last: null, xmin: BigInt(xmin) } };
  }
  await client.query('BEGIN');
  const attempt = await applyLocked(client, options);
  await client.query('COMMIT');
  return attempt;
}

async function applyLocked(client: pg.ClientBase, options: BatchOptions): Promise<Attempt> {
  const isMine = await tryTransactionLock(client, ADVISORY_LOCKS.facetIndexer);
  if (!isMine) return { outcome: { status: 'busy' } };
  if (await isRebuildDue(client, options.rebuildRowsMin)) {
    options.onRebuild(0);
    const version = await nextVersion(client, null);
    const done = await rebuildIndex(client, version, options.onRebuild);
    const rows = { count: done.taken, last: null, xmin: 0n };
    return { outcome: { status: 'applied', rebuilt: true, ...done }, rows };
  }
  const { rows: batch } = await client.query<Taken>(TAKE, [
    options.rowsMax,
    options.isFromStart ? '0' : null,
  ]);
  const [any] = batch;
  if (any === undefined) return { outcome: { status: 'idle' } };
  const count = batch.reduce((sum, { taken }) => sum + taken, 0);
  const rows = { count, last: BigInt(any.last), xmin: BigInt(any.xmin) };
  const version = await nextVersion(client, any.first);
  let changed = 0;
  for (const taken of batch) changed += await applyEntity(client, taken, version);
  return { outcome: { status: 'applied', rebuilt: false, taken: count, changed }, rows };
}

async function nextVersion(
  client: pg.ClientBase,
  first: string | null,
): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string }>(NEXT_VERSION, [first]);
  return rows[0]?.version;
}

async function applyEntity(
  client: pg.ClientBase,
  taken: Taken,
  version: string | undefined,
): Promise<number> {
  const id = ENTITY_IDS.find((each) => ENTITIES[each].number === taken.entity);
  if (id === undefined) throw new RangeError(`The log names an entity ${taken.entity}.`);
  let changed = 0;
  await inPages(taken.ids, async (page) => {
    changed += await recompute(client, id, page, version);
  });
  for (const relation of RELATIONS[id]) {
    const spread = compileSpread(id, relation);
    await inPages(taken[relation.to] ?? '{}', async (page) => {
      await client.query(spread, [page]);
    });
  }
  return changed;
}
