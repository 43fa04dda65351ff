-- The ledger of charges, kept for good: what the worker drains out of Redis, what the account page
-- shows, and what Redis is healed from. One statement a batch writes all of these tables.

-- One row a charge. No reference to account: the ledger takes what the stream holds, and an entry
-- it refused would hold up its whole bucket.
CREATE TABLE access.charge (
  op uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  endpoint text NOT NULL,
  -- The X-Request-Id that the call was answered with: 8 to 64 letters, digits and '-'. Callers may
  -- send it, so it is not unique.
  request_id text NOT NULL,
  -- The month whose allowance it was charged to, as YYYYMM.
  period integer NOT NULL CHECK (period > 0),
  charged integer NOT NULL CHECK (charged > 0),
  purchased integer NOT NULL CHECK (purchased BETWEEN 0 AND charged),
  -- How many charges the account, and its bucket, had had with this one.
  seq bigint NOT NULL,
  bucket_seq bigint NOT NULL,
  charged_at timestamptz(3) NOT NULL
);
CREATE INDEX charge_account_id_charged_at_idx ON access.charge (account_id, charged_at);
CREATE INDEX charge_request_id_charged_at_idx ON access.charge (request_id, charged_at);

CREATE TRIGGER charge_is_append_only BEFORE UPDATE OR DELETE ON access.charge
  FOR EACH ROW EXECUTE FUNCTION access.refuse_change();

-- Sums of those rows, so that neither healing nor the account page ever adds up all charges.
CREATE TABLE access.charge_total (
  bucket smallint NOT NULL REFERENCES access.bucket,
  account_id uuid NOT NULL,
  period integer NOT NULL,
  endpoint text NOT NULL,
  key_id uuid NOT NULL,
  calls bigint NOT NULL,
  charged bigint NOT NULL,
  purchased bigint NOT NULL,
  -- The highest seq among them.
  seq bigint NOT NULL,
  PRIMARY KEY (bucket, account_id, period, endpoint, key_id)
);

-- The same by day of the month (UTC), for the account page's chart.
CREATE TABLE access.charge_day (
  account_id uuid NOT NULL,
  period integer NOT NULL,
  day smallint NOT NULL CHECK (day BETWEEN 1 AND 31),
  endpoint text NOT NULL,
  charged bigint NOT NULL,
  PRIMARY KEY (account_id, period, day, endpoint)
);

-- The highest bucket_seq of each bucket. Its row is locked by every batch, so that batches of one
-- bucket are committed one after another, whoever drains.
CREATE TABLE access.charge_bucket (
  id smallint PRIMARY KEY REFERENCES access.bucket,
  seq bigint NOT NULL DEFAULT 0
);
INSERT INTO access.charge_bucket (id) SELECT id FROM access.bucket;

-- Credits ever purchased, by the journal; never falls.
ALTER TABLE access.account
  ADD COLUMN purchased_credits bigint NOT NULL DEFAULT 0 CHECK (purchased_credits >= 0);
CREATE INDEX account_purchased_idx ON access.account (bucket, id) WHERE purchased_credits > 0;
