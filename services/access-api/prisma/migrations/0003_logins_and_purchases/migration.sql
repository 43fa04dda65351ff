-- User names with passwords for the older token exchange, and purchases of credits. Both are part
-- of the journal: written before Redis hears of them, and read when Redis is rebuilt.

-- A password stands for a key nobody holds: what opens with it, is revoked, and is charged, is that
-- key. A token made from the password names it, so that it dies with the password.
ALTER TABLE access.api_key DROP CONSTRAINT api_key_origin_check;
ALTER TABLE access.api_key ADD CONSTRAINT api_key_origin_check
  CHECK (origin IN ('operator', 'registration', 'account_page', 'demonstration', 'login'));

CREATE TABLE access.login (
  account_id uuid PRIMARY KEY REFERENCES access.account,
  -- Visible ASCII without a colon (RFC 7617), in lower case.
  user_name text NOT NULL UNIQUE CHECK (user_name ~ '^[!-9;-~]{1,254}$' AND user_name !~ '[A-Z]'),
  password_hash text NOT NULL CHECK (password_hash LIKE '$scrypt$%'),
  key_id uuid NOT NULL UNIQUE REFERENCES access.api_key,
  set_at timestamptz(3) NOT NULL
);

-- One row a purchase, for good; account.purchased_credits is their sum.
CREATE TABLE access.purchase (
  -- Given by whoever grants: the same purchase is never counted twice.
  operation_id text PRIMARY KEY CHECK (operation_id ~ '^[!-~]{1,100}$'),
  account_id uuid NOT NULL REFERENCES access.account,
  credits bigint NOT NULL CHECK (credits > 0),
  note text,
  recorded_at timestamptz(3) NOT NULL
);
CREATE INDEX purchase_account_id_recorded_at_idx ON access.purchase (account_id, recorded_at);
CREATE TRIGGER purchase_is_append_only BEFORE UPDATE OR DELETE ON access.purchase
  FOR EACH ROW EXECUTE FUNCTION access.refuse_change();
