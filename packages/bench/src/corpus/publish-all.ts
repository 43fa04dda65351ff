import type pg from 'pg';
import { FOLLOWED_FROM, LAST_DAY } from './vocabulary.ts';

/** Of the ids of signals, as the publisher has it. */
const SIGNAL_NAMESPACE = '5a2c9d1e-7b64-5f08-9c3d-2e41f6a0b8d7';

/**
 * Moves the outbox to the feed in one statement. Changes before the day from which changes were
 * followed are one import, in the order in which it wrote them; later ones come day by day.
 */
export async function publishAll(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO venture.signal (detected_at, position, id, type, subject_type, subject_id,
      object_id, occurred_at, dated, amount, label)
    SELECT
      coalesce(n.day::timestamptz, timestamptz '2025-12-01Z')
        + row_number() OVER (PARTITION BY n.day ORDER BY n.serial) * interval '100 microseconds',
      row_number() OVER (ORDER BY n.day NULLS FIRST, n.serial),
      venture.uuid_generate_v5('${SIGNAL_NAMESPACE}', concat_ws('/', t.name, n.subject_id,
        coalesce(n.object_id::text, '-'), n.revision)),
      n.type, n.subject_type, n.subject_id, n.object_id, n.occurred_at, n.dated, n.amount, n.label
    FROM (
      SELECT *, CASE WHEN o.occurred_at >= '${FOLLOWED_FROM}'
        THEN least(o.occurred_at, '${LAST_DAY}')::date END AS day
      FROM venture.signal_outbox o) n
    JOIN venture.signal_type t ON t.code = n.type
    ORDER BY 2`);
  await client.query('TRUNCATE venture.signal_outbox');
}
