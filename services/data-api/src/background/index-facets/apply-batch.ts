import { ENTITIES, ENTITY_IDS, type EntityId, RELATIONS } from '@vcds/venture-model';
import type pg from 'pg';
import { ADVISORY_LOCKS, tryTransactionLock } from '../../postgres/advisory-locks.ts';
import { compileRecompute, compileSpread } from './compile-recompute.ts';

/** The outcome of an attempt to apply a batch of the log. */
export type BatchOutcome =
  | { readonly status: 'idle' }
  /** Another process applies a batch. */
  | { readonly status: 'busy' }
  | {
      readonly status: 'applied';
      /** Rows removed from the log. */
      readonly taken: number;
      /** Records whose codes changed. */
      readonly changed: number;
    };

const IS_WAITING = 'SELECT EXISTS (SELECT FROM venture.facet_change) AS waiting';

const TAKE = `WITH taken AS (
    DELETE FROM venture.facet_change WHERE position = ANY (ARRAY(
      SELECT position FROM venture.facet_change ORDER BY position LIMIT $1))
    RETURNING entity, id, reach)
  SELECT entity, count(*)::int AS taken,
    array_agg(DISTINCT id)::text AS ids,
    (array_agg(DISTINCT id) FILTER (WHERE reach & 2 > 0))::text AS startups,
    (array_agg(DISTINCT id) FILTER (WHERE reach & 4 > 0))::text AS funds,
    (array_agg(DISTINCT id) FILTER (WHERE reach & 8 > 0))::text AS rounds
  FROM taken GROUP BY entity`;

// Microseconds of the clock, so that no number repeats after a failover to a replica without the
// last batches: a reader that has processed those must still read the following ones.
const NEXT_VERSION = `INSERT INTO venture.facet_state AS s (id, version, applied_at)
  SELECT 1, extract(epoch FROM n.now) * 1000000, n.now FROM clock_timestamp() AS n(now)
  ON CONFLICT (id) DO UPDATE SET
    version = greatest(s.version + 1, excluded.version), applied_at = excluded.applied_at
  RETURNING version`;

/** Log rows of one entity. Sets of ids remain text, because they are only passed on. */
interface Taken extends Readonly<Record<EntityId, string | null>> {
  readonly entity: number;
  readonly taken: number;
  readonly ids: string;
}

const RECOMPUTE = Object.fromEntries(ENTITY_IDS.map((id) => [id, compileRecompute(id)]));

/**
 * Removes up to `rowsMax` rows from the log and applies them in one transaction: it computes the
 * codes of their records from the committed data, and logs the related records that depend on them.
 * A row is visible only after its writer has committed. If the transaction fails, the rows remain.
 *
 * @throws with an open transaction: close the client, which rolls it back.
 */
export async function applyBatch(client: pg.ClientBase, rowsMax: number): Promise<BatchOutcome> {
  const { rows } = await client.query<{ waiting: boolean }>(IS_WAITING);
  if (rows[0]?.waiting !== true) return { status: 'idle' };
  await client.query('BEGIN');
  const outcome = await applyLocked(client, rowsMax);
  await client.query('COMMIT');
  return outcome;
}

async function applyLocked(client: pg.ClientBase, rowsMax: number): Promise<BatchOutcome> {
  if (!(await tryTransactionLock(client, ADVISORY_LOCKS.facetIndexer))) return { status: 'busy' };
  const { rows: batch } = await client.query<Taken>(TAKE, [rowsMax]);
  if (batch.length === 0) return { status: 'idle' };
  const { rows: states } = await client.query<{ version: string }>(NEXT_VERSION);
  let changed = 0;
  for (const taken of batch) changed += await applyEntity(client, taken, states[0]?.version);
  return {
    status: 'applied',
    taken: batch.reduce((sum, { taken }) => sum + taken, 0),
    changed,
  };
}

async function applyEntity(
  client: pg.ClientBase,
  taken: Taken,
  version: string | undefined,
): Promise<number> {
  const id = ENTITY_IDS.find((each) => ENTITIES[each].number === taken.entity);
  if (id === undefined) throw new RangeError(`The log names an entity ${taken.entity}.`);
  const { rows } = await client.query<{ changed: number }>(RECOMPUTE[id] ?? '', [
    taken.ids,
    version,
  ]);
  for (const relation of RELATIONS[id]) {
    const ids = taken[relation.to];
    if (ids !== null) await client.query(compileSpread(id, relation), [ids]);
  }
  return rows[0]?.changed ?? 0;
}
