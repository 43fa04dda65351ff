-- The ledger of charges. The worker writes it from the streams in Redis, one statement per batch
-- for all of these tables. The account page reads it; counters lost by Redis are restored from it.

-- One row per charge. Without a foreign key to account: the ledger accepts every entry of the
-- stream, because an entry that it rejected would block all later entries of its bucket.
CREATE TABLE access.charge (
  op uuid PRIMARY KEY,
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
  charged_at timestamptz(3) NOT NULL
);
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
