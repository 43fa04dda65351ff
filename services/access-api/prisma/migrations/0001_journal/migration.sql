-- The journal of accounts and keys: written first, in one transaction a change, before Redis
-- hears of it. account and api_key say how things stand, event says how they came about.

CREATE SCHEMA IF NOT EXISTS access;

-- Every write to a bucket takes its row and the next position, so positions of a bucket are
-- committed in order and without gaps. Redis keeps the position it has come to.
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
  bucket smallint NOT NULL REFERENCES access.bucket,
  position bigint NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX account_bucket_position_idx ON access.account (bucket, position);

CREATE TABLE access.api_key (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES access.account,
  digest text NOT NULL UNIQUE CHECK (digest ~ '^[0-9a-f]{64}$'),
  hint text NOT NULL,
  label text,
  origin text NOT NULL
    CHECK (origin IN ('operator', 'registration', 'account_page', 'demonstration')),
  scopes text[] NOT NULL,
  is_narrowed boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  digest_bucket smallint NOT NULL REFERENCES access.bucket,
  digest_position bigint NOT NULL,
  CHECK (is_narrowed OR scopes = '{}')
);
CREATE INDEX api_key_account_id_idx ON access.api_key (account_id);
CREATE INDEX api_key_digest_bucket_position_idx
  ON access.api_key (digest_bucket, digest_position);

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

-- The past is not edited, and a revoked key stays revoked, whoever writes.
CREATE FUNCTION access.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'access.% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE ON access.event
  FOR EACH ROW EXECUTE FUNCTION access.refuse_change();

CREATE FUNCTION access.keep_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a revoked key stays revoked';
END $$;
CREATE TRIGGER api_key_stays_revoked BEFORE UPDATE ON access.api_key
  FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
  EXECUTE FUNCTION access.keep_revoked();
