-- Identifiers of companies as `scheme:value`, normalized by packages/venture-model
-- (docs/spec/resources.md 4.19). Nothing in the database checks their form.

ALTER TABLE venture.startup ADD COLUMN identifiers text[] NOT NULL DEFAULT '{}';
ALTER TABLE venture.fund ADD COLUMN identifiers text[] NOT NULL DEFAULT '{}';

CREATE INDEX startup_identifiers ON venture.startup USING gin (identifiers);
CREATE INDEX fund_identifiers ON venture.fund USING gin (identifiers);

-- The functions compare the new column too. As in 0004_derived_columns, with what later migrations derive.
DO $$
DECLARE
  bookkeeping text[] := ARRAY['source', 'source_key', 'source_url', 'occurred_at', 'created_at',
    'updated_at', 'facts_changed_at', 'revision', 'changed_in', 'deleted_at'];
  stated text[] := ARRAY['total_raised_original', 'total_raised_currency',
    'operating_status_stated', 'operating_status_inferred', 'operating_status_source',
    'operating_status_observed'];
  derived text[] := ARRAY['location', 'countries', 'regions', 'cities', 'total_raised',
    'confirmed_raised', 'last_funding_stage', 'last_funding_date', 'next_funding_stage',
    'rounds_count', 'average_round_amount', 'latest_post_valuation', 'exit_statuses',
    'investments_count', 'first_investment_date', 'last_investment_date', 'keywords'];
  record text;
  facts text[];
BEGIN
  FOREACH record IN ARRAY ARRAY['startup', 'fund'] LOOP
    facts := ARRAY(
      SELECT quote_ident(attname) FROM pg_attribute
      WHERE attrelid = format('venture.%I', record)::regclass AND attnum > 0
        AND NOT attisdropped AND attgenerated = ''
        AND attname <> ALL (bookkeeping || stated || derived)
      ORDER BY attnum);
    EXECUTE format(
      'CREATE OR REPLACE FUNCTION venture.%1$I(o venture.%2$I, n venture.%2$I) RETURNS boolean
       LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
       $f$ SELECT (o.deleted_at IS NULL, o.%3$s) IS DISTINCT FROM (n.deleted_at IS NULL, n.%4$s) $f$',
      record || '_facts_differ', record,
      array_to_string(facts, ', o.'), array_to_string(facts, ', n.'));
  END LOOP;
END $$;

SELECT venture.capture_changes();
