-- The journal of accounts, keys, logins and purchases: each change commits here in one transaction
-- before it is written to Redis, and Redis is rebuilt from it. The tables account and api_key hold
-- the current state, event the history.

CREATE SCHEMA IF NOT EXISTS access;

-- Every write to a bucket locks the row of the bucket and takes the next position, so the positions
-- of a bucket commit in order and without gaps. Redis stores the last position applied to it.
CREATE TABLE access.bucket (
  id smallint PRIMARY KEY CHECK (id BETWEEN 0 AND 255),
  position bigint NOT NULL DEFAULT 0 CHECK (position >= 0)
);
INSERT INTO access.bucket (id) SELECT generate_series(0, 255);

CREATE TABLE access.account (
  id uuid PRIMARY KEY,
  email text UNIQUE CHECK (email = lower(email)),
  name text,
  plan text NOT NULL CHECK (plan IN ('free', 'starter', 'growth', 'scale')),
  -- The sum of all purchases; never decreases.
  purchased_credits bigint NOT NULL DEFAULT 0 CHECK (purchased_credits >= 0),
  -- Sessions of an earlier generation have ended.
  session_generation integer NOT NULL DEFAULT 0,
  bucket smallint NOT NULL REFERENCES access.bucket,
  position bigint NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX account_bucket_position_idx ON access.account (bucket, position);
CREATE INDEX account_purchased_idx ON access.account (bucket, id) WHERE purchased_credits > 0;

CREATE TABLE access.api_key (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES access.account,
  digest text NOT NULL UNIQUE CHECK (digest ~ '^[0-9a-f]{64}$'),
  hint text NOT NULL,
  label text,
  origin text NOT NULL
    CHECK (origin IN ('operator', 'registration', 'account_page', 'demonstration', 'login')),
  scopes text[] NOT NULL,
  is_narrowed boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  CHECK (is_narrowed OR scopes = '{}')
);
CREATE INDEX api_key_account_id_idx ON access.api_key (account_id);

-- User names and passwords for the legacy token exchange. Each has a key of its own whose text no
-- client has: charges and revocation apply to that key. A token that was exchanged for the password
-- contains the id of the key, so that it becomes invalid together with the password.
CREATE TABLE access.login (
  account_id uuid PRIMARY KEY REFERENCES access.account,
  -- Visible ASCII without a colon (RFC 7617), in lower case.
  user_name text NOT NULL UNIQUE CHECK (user_name ~ '^[!-9;-~]{1,254}$' AND user_name !~ '[A-Z]'),
  password_hash text NOT NULL CHECK (password_hash LIKE '$scrypt$%'),
  key_id uuid NOT NULL UNIQUE REFERENCES access.api_key,
  set_at timestamptz(3) NOT NULL
);

-- One row per purchase.
CREATE TABLE access.purchase (
  -- Chosen by the operator who grants the credits: an id counts once, however often it is sent.
  operation_id text PRIMARY KEY CHECK (operation_id ~ '^[!-~]{1,100}$'),
  account_id uuid NOT NULL REFERENCES access.account,
  credits bigint NOT NULL CHECK (credits > 0),
  note text,
  recorded_at timestamptz(3) NOT NULL
);
CREATE INDEX purchase_account_id_recorded_at_idx ON access.purchase (account_id, recorded_at);

CREATE TABLE access.event (
  bucket smallint NOT NULL REFERENCES access.bucket,
  position bigint NOT NULL,
  account_id uuid NOT NULL REFERENCES access.account,
  key_id uuid,
  kind text NOT NULL,
  detail jsonb NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  PRIMARY KEY (bucket, position)
);
CREATE INDEX event_account_id_recorded_at_idx ON access.event (account_id, recorded_at);

-- Rows of the history cannot be changed, whatever program writes.
CREATE FUNCTION access.reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'access.% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE ON access.event
  FOR EACH ROW EXECUTE FUNCTION access.reject_change();
CREATE TRIGGER purchase_is_append_only BEFORE UPDATE OR DELETE ON access.purchase
  FOR EACH ROW EXECUTE FUNCTION access.reject_change();

CREATE FUNCTION access.keep_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a revoked key stays revoked';
END $$;
CREATE TRIGGER api_key_stays_revoked BEFORE UPDATE ON access.api_key
  FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
  EXECUTE FUNCTION access.keep_revoked();
