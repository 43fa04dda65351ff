-- The credits that a key may use of its account's in a month; null: all.
ALTER TABLE access.api_key ADD COLUMN credit_limit integer
  CHECK (credit_limit BETWEEN 1 AND 1000000000);
