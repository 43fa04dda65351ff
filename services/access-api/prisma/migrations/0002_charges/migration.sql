-- The ledger of charges. The worker writes it from the streams in Redis, one statement per batch
-- for all of these tables. The account page reads it; counters lost by Redis are restored from it.

-- One row per charge. Without a foreign key to account: the ledger accepts every entry of the
-- stream, because an entry that it rejected would block all later entries of its bucket.
-- Partitioned by month, so that old charges are dropped without a scan.
CREATE TABLE access.charge (
  op uuid NOT NULL,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  endpoint text NOT NULL,
  -- The X-Request-Id of the response: 8 to 64 letters, digits and '-'. Callers may set it, so it is
  -- not unique.
  request_id text NOT NULL,
  -- The month whose allowance was charged, as YYYYMM.
  period integer NOT NULL CHECK (period > 0),
  charged integer NOT NULL CHECK (charged > 0),
  purchased integer NOT NULL CHECK (purchased BETWEEN 0 AND charged),
  -- The number of charges of the account, and of its bucket, up to and including this one.
  seq bigint NOT NULL,
  bucket_seq bigint NOT NULL,
  charged_at timestamptz(3) NOT NULL,
  -- A unique index of a partitioned table must contain the partition key. op alone is as unique: an
  -- operation is charged to the month of its hold, so an entry that is drained again has the same
  -- period, and no operation has two holds.
  PRIMARY KEY (op, period)
) PARTITION BY RANGE (period);
CREATE INDEX charge_account_id_charged_at_idx ON access.charge (account_id, charged_at);
CREATE INDEX charge_request_id_charged_at_idx ON access.charge (request_id, charged_at);

CREATE TRIGGER charge_is_append_only BEFORE UPDATE OR DELETE ON access.charge
  FOR EACH ROW EXECUTE FUNCTION access.reject_change();

-- Sums of those rows, so that neither the account page nor the recovery of Redis reads all charges.
CREATE TABLE access.charge_total (
  bucket smallint NOT NULL REFERENCES access.bucket,
  account_id uuid NOT NULL,
  period integer NOT NULL,
  endpoint text NOT NULL,
  key_id uuid NOT NULL,
  calls bigint NOT NULL,
  charged bigint NOT NULL,
  purchased bigint NOT NULL,
  -- The highest seq of the summed charges.
  seq bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, period, endpoint, key_id)
);

-- The same by day of the month (UTC), for the chart of the account page.
CREATE TABLE access.charge_day (
  account_id uuid NOT NULL,
  period integer NOT NULL,
  day smallint NOT NULL CHECK (day BETWEEN 1 AND 31),
  endpoint text NOT NULL,
  charged bigint NOT NULL,
  PRIMARY KEY (account_id, period, day, endpoint)
);

-- The highest bucket_seq of each bucket. Every batch locks the row, so that the batches of one
-- bucket commit one after another, whichever worker writes them.
CREATE TABLE access.charge_bucket (
  id smallint PRIMARY KEY REFERENCES access.bucket,
  seq bigint NOT NULL DEFAULT 0
);
INSERT INTO access.charge_bucket (id) SELECT id FROM access.bucket;

-- The partitions. No service has rights in this schema; rows are inserted through access.charge.
CREATE SCHEMA access_partition;
-- Months without a partition of their own, before the worker created it or after a jump of Redis'
-- clock: the ledger accepts every charge.
CREATE TABLE access_partition.charge_other PARTITION OF access.charge DEFAULT;

-- The month n months after the current one, as YYYYMM.
CREATE FUNCTION access.period_in(n integer) RETURNS integer LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
RETURN to_char((now() AT TIME ZONE 'UTC') + make_interval(months => n), 'YYYYMM')::integer;

-- Creates the partition of a month, and moves its charges there from charge_other.
CREATE FUNCTION access.add_charge_partition(period integer, following integer)
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  partition text := format('access_partition.%I', 'charge_' || period);
BEGIN
  EXECUTE format('CREATE TABLE %s (LIKE access.charge INCLUDING ALL)', partition);
  LOCK TABLE access_partition.charge_other IN ACCESS EXCLUSIVE MODE;
  ALTER TABLE access_partition.charge_other DISABLE TRIGGER USER;
  EXECUTE format('WITH moved AS (
      DELETE FROM access_partition.charge_other AS other WHERE other.period = $1 RETURNING other.*)
    INSERT INTO %s SELECT * FROM moved', partition) USING period;
  ALTER TABLE access_partition.charge_other ENABLE TRIGGER USER;
  EXECUTE format('ALTER TABLE access.charge ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
    partition, period, following);
END $$;

-- Creates the partitions of this month and the next three, and drops those of months before the
-- last `retention_months`. The worker calls it with the rights of the owner. A year is the minimum,
-- so that its role cannot drop recent charges. The sums of dropped charges stay in charge_total and
-- charge_day. A lock that is not free within 2 s is an error: the next call repeats it.
CREATE FUNCTION access.maintain_charges(retention_months integer)
RETURNS TABLE (created integer, dropped integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  partition text;
BEGIN
  IF retention_months < 12 THEN
    RAISE EXCEPTION 'charges must be retained for 12 months or more, not %', retention_months;
  END IF;
  created := 0;
  dropped := 0;
  -- One call at a time; charges can be inserted meanwhile.
  LOCK TABLE access.charge IN SHARE UPDATE EXCLUSIVE MODE;
  FOR n IN 0..3 LOOP
    CONTINUE WHEN to_regclass('access_partition.charge_' || access.period_in(n)) IS NOT NULL;
    PERFORM access.add_charge_partition(access.period_in(n), access.period_in(n + 1));
    created := created + 1;
  END LOOP;
  FOR partition IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'access.charge'::regclass AND relname ~ '^charge_[0-9]{6}$'
      AND substring(relname FROM 8)::integer < access.period_in(-retention_months)
  LOOP
    EXECUTE format('DROP TABLE access_partition.%I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN NEXT;
END $$;
