-- Connections of assistants (OAuth): each is a key whose text no program has, and the tokens that
-- stand for it.
ALTER TABLE access.api_key DROP CONSTRAINT api_key_origin_check;
ALTER TABLE access.api_key ADD CONSTRAINT api_key_origin_check CHECK (
  origin IN ('operator', 'registration', 'account_page', 'demonstration', 'login', 'oauth'));

-- One row per connection, written when a person consents. Codes and tokens only as SHA-256 digests.
CREATE TABLE access.oauth_grant (
  key_id uuid PRIMARY KEY REFERENCES access.api_key,
  account_id uuid NOT NULL REFERENCES access.account,
  client_digest text NOT NULL CHECK (client_digest ~ '^[0-9a-f]{64}$'),
  redirect_uri text NOT NULL CHECK (length(redirect_uri) <= 512),
  resource text NOT NULL,
  code_challenge text NOT NULL CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  code_digest text NOT NULL UNIQUE CHECK (code_digest ~ '^[0-9a-f]{64}$'),
  code_expires_at timestamptz(3) NOT NULL,
  -- A code that is used again revokes the key.
  code_used_at timestamptz(3),
  access_digest text UNIQUE CHECK (access_digest ~ '^[0-9a-f]{64}$'),
  access_expires_at timestamptz(3),
  -- The part that all refresh tokens of the connection share: an old one is recognized by it.
  family_digest text CHECK (family_digest ~ '^[0-9a-f]{64}$'),
  refresh_digest text CHECK (refresh_digest ~ '^[0-9a-f]{64}$'),
  refresh_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX oauth_grant_account_id_idx ON access.oauth_grant (account_id);
