-- What the last run has compared (docs/spec/one-company.md 25.13), so that the next one compares only what changed.

CREATE TABLE venture.compared_statement (
  entity smallint NOT NULL CHECK (entity IN (1, 2)),
  statement_id uuid NOT NULL,
  source text NOT NULL,
  -- Of the evidence as it was compared.
  digest uuid NOT NULL,
  -- Of the name of the record of this id, which is evidence of those that it is linked with.
  name_hash integer NOT NULL,
  -- The keys under which it is looked for.
  keys integer[] NOT NULL,
  PRIMARY KEY (entity, statement_id)
);

ALTER TABLE venture.resolution_run
  -- Rows of this transaction and later ones may be unknown to the run; null: the next one compares all statements.
  ADD COLUMN seen_until xid8,
  -- When a run last compared all statements.
  ADD COLUMN all_compared_at timestamptz(3) NOT NULL DEFAULT 'epoch';

CREATE INDEX company_pair_high ON venture.company_pair (entity, high_id);
CREATE INDEX company_ruling_high ON venture.company_ruling (entity, high_id);
