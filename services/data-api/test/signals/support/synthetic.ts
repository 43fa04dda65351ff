import type pg from 'pg';

/**
 * Inserts signals into the feed: every type, rare and frequent subjects, market dates in another
 * order than the feed, with and without amounts, 37 microseconds apart.
 */
export async function insertSignals(pool: pg.Pool, count: number, subjects: number): Promise<void> {
  await pool.query(
    `INSERT INTO venture.signal (detected_at, position, id, type, subject_type, subject_id,
       object_id, occurred_at, amount, label)
     SELECT '2024-01-01'::timestamptz + n * interval '37 microseconds', n, gen_random_uuid(),
       t.type, CASE WHEN t.type IN (3, 5, 6, 9, 10, 11) THEN 2 ELSE 1 END,
       ('00000000-0000-4000-8000-' || lpad((power(random(), 3) * $2)::int::text, 12, '0'))::uuid,
       CASE WHEN t.type NOT IN (7, 8, 9, 10) THEN gen_random_uuid() END,
       date_trunc('day', '2010-01-01'::timestamptz + random() * 4000 * interval '1 day'),
       CASE WHEN t.type IN (1, 2, 3, 4) AND random() < 0.8
         THEN (power(10, 4 + random() * 5))::bigint END,
       CASE WHEN t.type IN (1, 2, 3) THEN 'Series A' END
     FROM generate_series(1, $1) n
     CROSS JOIN LATERAL (SELECT (1 + floor(power(random(), 2) * 12 + n * 0))::int AS type) t
     ORDER BY n`,
    [count, subjects],
  );
  await pool.query('ANALYZE venture.signal');
}
