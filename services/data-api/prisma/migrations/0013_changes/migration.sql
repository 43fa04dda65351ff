-- The feed of changes of records (docs/spec/replica.md, docs/decisions/0015-changes.md). Triggers
-- write the records that a statement touched to an outbox, in the transaction of the change; the
-- publisher of signals moves them to the feed, with the state that the record has then.

-- One row for each collection of the feed. `dead` is the condition, on the row of the table, under which it
-- is in no listing. Every column is compared unless it is listed in `not_answered`, so a new column is by
-- default; a test compares the list with the fields of the collection.
CREATE TABLE venture.change_collection (
  code smallint PRIMARY KEY,
  name text NOT NULL UNIQUE,
  record_table text NOT NULL UNIQUE,
  id_column text NOT NULL DEFAULT 'id',
  -- The second part of the key of a record that has two.
  other_column text,
  dead text NOT NULL DEFAULT '%1$s.deleted_at IS NOT NULL',
  not_answered text[] NOT NULL
);
INSERT INTO venture.change_collection
  (code, name, record_table, id_column, other_column, dead, not_answered)
VALUES
  (1, 'startups', 'startup', 'id', NULL, '%1$s.deleted_at IS NOT NULL',
    '{name_folded,keywords,logo_url,addresses,total_raised_reported,total_raised_original,
      total_raised_currency,confirmed_raised,next_funding_stage_stated,next_funding_stage_predicted,
      operating_status_stated,operating_status_inferred,operating_status_source,
      operating_status_observed,changed_in,facts_changed_at}'),
  (2, 'funds', 'fund', 'id', NULL, '%1$s.deleted_at IS NOT NULL',
    '{name_folded,keywords,logo_url,addresses,groups,operating_status_stated,
      operating_status_inferred,operating_status_source,operating_status_observed,changed_in}'),
  (3, 'fundingrounds', 'funding_round', 'id', NULL,
    '%1$s.deleted_at IS NOT NULL OR %1$s.startup_deleted',
    '{startup_deleted,stage_stated,stage_of_series}'),
  (4, 'postvaluations', 'post_valuation', 'id', NULL,
    '%1$s.deleted_at IS NOT NULL OR %1$s.startup_deleted',
    '{startup_deleted,original_amount,original_currency}'),
  (5, 'persons', 'person', 'id', NULL, '%1$s.deleted_at IS NOT NULL', '{name_folded}'),
  (6, 'news', 'news', 'id', NULL, '%1$s.deleted_at IS NOT NULL OR %1$s.companies_deleted',
    '{title_folded,startup_id,fund_id,startup_deleted,fund_deleted,companies_deleted}'),
  (7, 'holdings', 'holding', 'fund_id', 'startup_id', '%1$s.deleted_at IS NOT NULL',
    '{stated,amounts_sum,amounts_count,created_at,updated_at}');

-- Changes that are not yet published: some hundred records that a statement changed in the same
-- columns. Without `columns` all are new, because the record was added or came back. `serial` as in
-- venture.signal_outbox. A merge or split that is stated here is published as such if the record is
-- gone, or there, as it says; every other operation is the state of the record.
CREATE TABLE venture.change_outbox (
  serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  collection smallint NOT NULL,
  ids uuid[] NOT NULL,
  -- The second parts of the keys; null if they have one.
  others uuid[],
  columns text[],
  -- 3 a merge, 4 a split, with the other record.
  op smallint CHECK (op IN (3, 4)),
  into_id uuid,
  CHECK ((op IS NULL) = (into_id IS NULL))
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1
);

-- The feed. Operations: 1 upsert, 2 delete, 3 merge, 4 split.
CREATE TABLE venture.change (
  detected_at timestamptz PRIMARY KEY,
  collection smallint NOT NULL,
  op smallint NOT NULL,
  record_id uuid NOT NULL,
  other_id uuid,
  into_id uuid,
  revision bigint NOT NULL,
  columns text[]
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX change_by_collection ON venture.change (collection, detected_at);

-- The records that existed before the feed: of each collection those after the key. The publisher
-- adds them in batches while no change waits; a collection that is complete has no row.
CREATE TABLE venture.change_backfill (
  collection smallint PRIMARY KEY REFERENCES venture.change_collection,
  after_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  after_other uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO venture.change_backfill (collection) SELECT code FROM venture.change_collection;

-- Adds the next records of the back-fill to the outbox. Returns false when all are in the feed.
CREATE FUNCTION venture.backfill_changes(records_max integer) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  step record;
  last record;
BEGIN
  SELECT * INTO step FROM venture.change_backfill b
  JOIN venture.change_collection c ON c.code = b.collection
  ORDER BY b.collection LIMIT 1 FOR UPDATE OF b;
  IF NOT FOUND THEN RETURN false; END IF;
  EXECUTE format($q$
    WITH page AS MATERIALIZED (
      SELECT n.%2$I AS id, %3$s AS other, %4$s AS dead FROM venture.%1$I n
      WHERE (n.%2$I, %3$s) > ($2, $3) ORDER BY n.%2$I, %3$s LIMIT $4
    ), parts AS (
      SELECT p.*, (row_number() OVER (ORDER BY p.id, p.other) - 1) / 500 AS part
      FROM page p WHERE NOT p.dead
    ), added AS (
      INSERT INTO venture.change_outbox (collection, ids, others)
      SELECT $1, array_agg(p.id), %5$s FROM parts p GROUP BY p.part ORDER BY p.part
    )
    SELECT count(*) AS records, (array_agg(id ORDER BY id DESC, other DESC))[1] AS id,
      (array_agg(other ORDER BY id DESC, other DESC))[1] AS other FROM page$q$,
    step.record_table, step.id_column,
    CASE WHEN step.other_column IS NULL THEN quote_literal(step.after_other) || '::uuid'
      ELSE format('n.%I', step.other_column) END,
    format(step.dead, 'n'),
    CASE WHEN step.other_column IS NULL THEN 'NULL' ELSE 'array_agg(p.other)' END)
  INTO last USING step.collection, step.after_id, step.after_other, records_max;
  IF last.records < records_max THEN
    DELETE FROM venture.change_backfill WHERE collection = step.collection;
  ELSE
    UPDATE venture.change_backfill SET after_id = last.id, after_other = last.other
    WHERE collection = step.collection;
  END IF;
  RETURN true;
END $$;

-- Records whose answer contains something of other records. Both functions look the records up after
-- the other record is locked for update, as the functions of derived columns do: what refers to it has
-- committed and is found, or waits. Deleted ones are included, because a transaction that restores them may be
-- open; the publisher reads what they are then.
CREATE FUNCTION venture.change_rounds(investor_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO venture.change_outbox (collection, ids, columns)
  SELECT 3, array_agg(c.id), '{round_investor}' FROM (
    SELECT r.id, (row_number() OVER () - 1) / 500 AS part FROM (
      SELECT DISTINCT p.round_id AS id FROM venture.round_investor p
      WHERE p.investor_id = ANY (investor_ids)) r) c
  GROUP BY c.part;
END $$;

CREATE FUNCTION venture.change_holdings(
  startup_ids uuid[], fund_ids uuid[], changed text[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO venture.change_outbox (collection, ids, others, columns)
  SELECT 7, array_agg(c.fund_id), array_agg(c.startup_id), changed FROM (
    SELECT h.*, (row_number() OVER () - 1) / 500 AS part FROM (
      SELECT fund_id, startup_id FROM venture.holding WHERE startup_id = ANY (startup_ids)
      UNION SELECT fund_id, startup_id FROM venture.holding WHERE fund_id = ANY (fund_ids)) h) c
  GROUP BY c.part;
END $$;

-- The holdings of a startup contain its name and site, and are listed while it is.
CREATE FUNCTION venture.change_related_of_startups() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
  renamed uuid[];
BEGIN
  SELECT array_agg(c.id) INTO moved FROM (
    SELECT id, deleted_at IS NULL FROM new_rows EXCEPT SELECT id, deleted_at IS NULL FROM old_rows) c;
  SELECT array_agg(c.id) INTO renamed FROM (
    SELECT id, name, website FROM new_rows EXCEPT SELECT id, name, website FROM old_rows) c;
  IF moved IS NULL AND renamed IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM venture.startup WHERE id = ANY (moved || renamed) ORDER BY id FOR UPDATE;
  IF moved IS NOT NULL THEN PERFORM venture.change_holdings(moved, '{}', NULL); END IF;
  IF renamed IS NOT NULL THEN
    PERFORM venture.change_holdings(renamed, '{}', '{startup_name,startup_website}');
  END IF;
  RETURN NULL;
END $$;

-- The rounds of an investor contain its name; the holdings of a fund are listed while it is.
CREATE FUNCTION venture.change_related_of_investors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
  renamed uuid[];
BEGIN
  SELECT array_agg(c.id) INTO renamed FROM (
    SELECT id, name, deleted_at IS NULL FROM new_rows
    EXCEPT SELECT id, name, deleted_at IS NULL FROM old_rows) c;
  IF renamed IS NULL THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'fund' THEN
    PERFORM FROM venture.fund WHERE id = ANY (renamed) ORDER BY id FOR UPDATE;
    SELECT array_agg(c.id) INTO moved FROM (
      SELECT id, deleted_at IS NULL FROM new_rows EXCEPT SELECT id, deleted_at IS NULL FROM old_rows) c;
    IF moved IS NOT NULL THEN PERFORM venture.change_holdings('{}', moved, NULL); END IF;
  ELSE
    PERFORM FROM venture.person WHERE id = ANY (renamed) ORDER BY id FOR UPDATE;
  END IF;
  PERFORM venture.change_rounds(renamed);
  RETURN NULL;
END $$;

CREATE FUNCTION venture.change_round_investors() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO venture.change_outbox (collection, ids, columns)
  SELECT 3, array_agg(c.id), '{round_investor}' FROM (
    SELECT r.id, (row_number() OVER () - 1) / 500 AS part
    FROM (SELECT DISTINCT round_id AS id FROM new_rows) r) c
  GROUP BY c.part;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- Creates the functions and triggers that compare the rows of a table. They are generated, because
-- comparing columns is faster than comparing rows as jsonb, and must be generated again after a
-- migration adds a column: SELECT venture.capture_changes().
CREATE FUNCTION venture.capture_changes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  captured record;
  names text[];
  compared text;
  is_dead text;
BEGIN
  FOR captured IN
    SELECT code, record_table AS name, id_column, other_column, dead, not_answered, false AS is_part
    FROM venture.change_collection
    UNION ALL VALUES
      (1, 'startup_computed', 'id', NULL, 'false', ARRAY['id'], true),
      (2, 'fund_computed', 'id', NULL, 'false', ARRAY['id', 'startups_count'], true)
  LOOP
    names := ARRAY(
      SELECT attname::text FROM pg_attribute
      WHERE attrelid = format('venture.%I', captured.name)::regclass AND attnum > 0
        AND NOT attisdropped AND attname <> ALL (captured.not_answered || ARRAY[
          'source', 'source_key', 'source_url', 'occurred_at', 'revision', 'deleted_at'])
      ORDER BY attnum);
    SELECT string_agg(
      format('CASE WHEN o.%1$I IS DISTINCT FROM n.%1$I THEN %1$L END', name), ', ')
    INTO compared FROM unnest(names) AS name;
    is_dead := format('(' || captured.dead || ')', 'n');
    EXECUTE format($q$
      CREATE OR REPLACE FUNCTION venture.change_%1$s() RETURNS trigger LANGUAGE plpgsql
        SET enable_nestloop = off AS $f$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO venture.change_outbox (collection, ids, others, columns)
          SELECT %2$s, array_agg(c.id), %5$s, %10$s FROM (
            SELECT n.%3$I AS id, %4$s AS other, (row_number() OVER () - 1) / 500 AS part
            FROM new_rows n WHERE NOT %6$s) c
          GROUP BY c.part;
        ELSE
          INSERT INTO venture.change_outbox (collection, ids, others, columns)
          SELECT %2$s, array_agg(c.id), %5$s, c.columns FROM (
            SELECT n.%3$I AS id, %4$s AS other, (row_number() OVER () - 1) / 500 AS part,
              CASE WHEN %7$s = %6$s THEN array_remove(ARRAY[%8$s]::text[], NULL) END AS columns
            FROM old_rows o JOIN new_rows n ON n.%3$I = o.%3$I %9$s
            WHERE NOT (%7$s AND %6$s)) c
          WHERE c.columns IS NULL OR c.columns <> '{}'
          GROUP BY c.columns, c.part;
        END IF;
        IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
        RETURN NULL;
      END $f$
      $q$,
      captured.name, captured.code, captured.id_column,
      CASE WHEN captured.other_column IS NULL THEN 'NULL::uuid'
        ELSE format('n.%I', captured.other_column) END,
      CASE WHEN captured.other_column IS NULL THEN 'NULL::uuid[]' ELSE 'array_agg(c.other)' END,
      is_dead, format('(' || captured.dead || ')', 'o'), compared,
      CASE WHEN captured.other_column IS NULL THEN ''
        ELSE format('AND n.%1$I = o.%1$I', captured.other_column) END,
      CASE WHEN captured.is_part THEN quote_literal(names) ELSE 'NULL' END || '::text[]');
    IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'capture_insert'
      AND tgrelid = format('venture.%I', captured.name)::regclass) THEN CONTINUE; END IF;
    PERFORM venture.capture_table(captured.name, 'change_' || captured.name);
  END LOOP;
END $$;

-- The names sort after after_insert and after_update, so that rows of other tables that those
-- update are captured first.
CREATE FUNCTION venture.capture_table(name text, function_name text) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER capture_insert AFTER INSERT ON venture.%I
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION venture.%I()', name, function_name);
  EXECUTE format('CREATE TRIGGER capture_update AFTER UPDATE ON venture.%I
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION venture.%I()', name, function_name);
END $$;

SELECT venture.capture_changes();
SELECT venture.capture_table('round_investor', 'change_round_investors');
CREATE TRIGGER capture_related AFTER UPDATE ON venture.startup
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.change_related_of_startups();
CREATE TRIGGER capture_related AFTER UPDATE ON venture.fund
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.change_related_of_investors();
CREATE TRIGGER capture_related AFTER UPDATE ON venture.person
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.change_related_of_investors();
