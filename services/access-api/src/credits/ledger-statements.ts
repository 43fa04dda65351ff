/** The SQL of the ledger of charges; see prisma/migrations/0002_charges. */

/** A statement that each connection prepares once, under its name. */
export interface LedgerStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Commits a batch in the given order: new charges, their sums by key and by day, and the position
 * of the bucket. One statement is one transaction and one round trip. It locks the row of the
 * bucket first; ON CONFLICT then covers rows that were committed while it waited, which its
 * snapshot lacks.
 * $1 bucket, then one array per column. Returns the operations that were new.
 */
export const COMMIT: LedgerStatement = {
  name: 'ledger-commit',
  text: `
WITH locked AS MATERIALIZED (
  SELECT id FROM access.charge_bucket WHERE id = $1 FOR UPDATE
), entry AS (
  SELECT entry.*
  FROM locked, unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::integer[],
    $8::integer[], $9::integer[], $10::bigint[], $11::bigint[], $12::timestamptz[])
    WITH ORDINALITY AS entry (op, account_id, key_id, endpoint, request_id, period, charged,
      purchased, seq, bucket_seq, charged_at, row_number)
), fresh AS (
  INSERT INTO access.charge (op, account_id, key_id, endpoint, request_id, period, charged,
    purchased, seq, bucket_seq, charged_at)
  SELECT op, account_id, key_id, endpoint, request_id, period, charged, purchased, seq, bucket_seq,
    charged_at
  FROM entry
  ORDER BY row_number
  ON CONFLICT (op, period) DO NOTHING
  RETURNING op, account_id, key_id, endpoint, period, charged, purchased, seq, bucket_seq, charged_at
), summed AS (
  INSERT INTO access.charge_total AS total (bucket, account_id, period, endpoint, key_id, calls,
    charged, purchased, seq)
  SELECT $1, account_id, period, endpoint, key_id, count(*), sum(charged), sum(purchased), max(seq)
  FROM fresh
  GROUP BY account_id, period, endpoint, key_id
  ON CONFLICT (bucket, account_id, period, endpoint, key_id) DO UPDATE SET
    calls = total.calls + excluded.calls,
    charged = total.charged + excluded.charged,
    purchased = total.purchased + excluded.purchased,
    seq = greatest(total.seq, excluded.seq)
), dated AS (
  SELECT account_id, period, endpoint, charged, charged_at AT TIME ZONE 'UTC' AS at,
    make_date(period / 100, period % 100, 1) AS month
  FROM fresh
), daily AS (
  -- A call that began in the month before is charged to that month: to its last day.
  INSERT INTO access.charge_day AS day (account_id, period, day, endpoint, charged)
  SELECT account_id, period,
    extract(day FROM greatest(month, least(at, month + interval '1 month - 1 day'))), endpoint,
    sum(charged)
  FROM dated
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (account_id, period, day, endpoint) DO UPDATE SET
    charged = day.charged + excluded.charged
), counted AS (
  INSERT INTO access.charge_bucket AS bucket (id, seq)
  SELECT $1, max(bucket_seq) FROM fresh HAVING count(*) > 0
  ON CONFLICT (id) DO UPDATE SET seq = greatest(bucket.seq, excluded.seq)
)
SELECT op FROM fresh`,
};

/** $1 bucket. */
export const BUCKET_SEQ: LedgerStatement = {
  name: 'ledger-bucket-seq',
  text: 'SELECT seq FROM access.charge_bucket WHERE id = $1',
};

/**
 * The totals of the accounts of a bucket with a charge or a purchase, in order of their id, and the
 * charges of each key in the newest month.
 * $1 bucket, $2 the account before the first one, $3 limit.
 */
export const TOTALS: LedgerStatement = {
  name: 'ledger-totals',
  text: `
WITH page AS (
  SELECT account_id FROM (
    (SELECT DISTINCT account_id FROM access.charge_total
      WHERE bucket = $1 AND account_id > $2 ORDER BY account_id LIMIT $3)
    UNION
    (SELECT id FROM access.account
      WHERE bucket = $1 AND id > $2 AND purchased_credits > 0 ORDER BY id LIMIT $3)
  ) AS either (account_id)
  ORDER BY account_id
  LIMIT $3
)
SELECT
  page.account_id AS account,
  coalesce(newest.period, 0) AS period,
  coalesce(newest.used, 0) AS used,
  coalesce(ever.spent, 0) AS spent,
  coalesce(ever.seq, 0) AS seq,
  coalesce(account.purchased_credits, 0) AS purchased,
  keys.used AS keys
FROM page
LEFT JOIN LATERAL (
  SELECT sum(purchased) AS spent, max(seq) AS seq
  FROM access.charge_total WHERE bucket = $1 AND account_id = page.account_id
) AS ever ON true
LEFT JOIN LATERAL (
  SELECT period, sum(charged - purchased) AS used
  FROM access.charge_total WHERE bucket = $1 AND account_id = page.account_id
  GROUP BY period ORDER BY period DESC LIMIT 1
) AS newest ON true
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(json_build_object('keyId', total.key_id, 'used', total.used)), '[]') AS used
  FROM (
    SELECT key_id, sum(charged)::bigint AS used
    FROM access.charge_total
    WHERE bucket = $1 AND account_id = page.account_id AND period = newest.period
    GROUP BY key_id
  ) AS total
) AS keys
LEFT JOIN access.account ON account.id = page.account_id
ORDER BY page.account_id`,
};
