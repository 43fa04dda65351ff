-- Row triggers: columns derived from other columns of the row, revisions and tombstones, whatever
-- program writes.

-- Whether a startup may raise another round: it is not closed and was not acquired.
CREATE FUNCTION venture.may_raise(operating_status text, exit_statuses text[]) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(operating_status, 'Active') = 'Active' AND 'Acquired' <> ALL (exit_statuses);

-- The distinct values of one part of an array of addresses, in the order in which they are written.
CREATE FUNCTION venture.address_part(addresses jsonb, part text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT a.value ->> part FROM jsonb_array_elements(addresses) WITH ORDINALITY AS a
    WHERE a.value ->> part IS NOT NULL
    GROUP BY a.value ->> part ORDER BY min(a.ordinality)
  );

CREATE FUNCTION venture.utc_day(moment timestamptz) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (moment AT TIME ZONE 'UTC')::date;

-- venture.startup_facts_differ and venture.fund_facts_differ tell whether two versions of a row differ
-- in a fact. Every column is a fact unless it is listed here, so a new column is one by default. The
-- functions are generated because comparing columns is faster than comparing rows as jsonb.
DO $$
DECLARE
  -- Origin and history.
  bookkeeping text[] := ARRAY['source', 'source_key', 'source_url', 'occurred_at', 'created_at',
    'updated_at', 'facts_changed_at', 'revision', 'changed_in', 'deleted_at'];
  -- Stated amounts and statuses are not facts: the amount in US dollars and the status are.
  stated text[] := ARRAY['total_raised_original', 'total_raised_currency',
    'operating_status_stated', 'operating_status_inferred', 'operating_status_source',
    'operating_status_observed'];
  derived text[] := ARRAY['location', 'countries', 'regions', 'cities', 'total_raised',
    'confirmed_raised', 'last_funding_stage', 'last_funding_date', 'next_funding_stage',
    'rounds_count', 'average_round_amount', 'latest_post_valuation', 'exit_statuses',
    'investments_count', 'last_investment_date', 'keywords'];
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
      'CREATE FUNCTION venture.%1$I(o venture.%2$I, n venture.%2$I) RETURNS boolean
       LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
       $f$ SELECT (o.deleted_at IS NULL, o.%3$s) IS DISTINCT FROM (n.deleted_at IS NULL, n.%4$s) $f$',
      record || '_facts_differ', record,
      array_to_string(facts, ', o.'), array_to_string(facts, ', n.'));
  END LOOP;
END $$;

-- The columns that startups and funds derive from other columns of the row in the same way. The
-- document of the full-text search may be written by the program that inserts the row.
CREATE FUNCTION venture.derive_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW.addresses IS DISTINCT FROM OLD.addresses THEN
    NEW.location := NEW.addresses -> 0 ->> 'City';
    IF jsonb_array_length(NEW.addresses) <= 1 THEN
      NEW.countries := array_remove(ARRAY[NEW.addresses -> 0 ->> 'Country'], NULL);
      NEW.regions := array_remove(ARRAY[NEW.addresses -> 0 ->> 'Region'], NULL);
      NEW.cities := array_remove(ARRAY[NEW.location], NULL);
    ELSE
      NEW.countries := venture.address_part(NEW.addresses, 'Country');
      NEW.regions := venture.address_part(NEW.addresses, 'Region');
      NEW.cities := venture.address_part(NEW.addresses, 'City');
    END IF;
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.keywords IS NULL THEN
      NEW.keywords := venture.profile_document(NEW.name, NEW.tags, NEW.description);
    END IF;
  ELSIF (NEW.name, NEW.tags, NEW.description) IS DISTINCT FROM (OLD.name, OLD.tags, OLD.description)
  THEN
    NEW.keywords := venture.profile_document(NEW.name, NEW.tags, NEW.description);
  ELSE
    NEW.keywords := OLD.keywords;
  END IF;
  RETURN NEW;
END $$;

-- A write that changes a fact of the record increases its revision. A write that changes derived
-- columns only sets updated_at, because the response changes. A write that changes nothing sets
-- neither.
CREATE FUNCTION venture.startup_before_write() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fact_changed boolean := TG_OP = 'INSERT';
BEGIN
  NEW.total_raised := coalesce(NEW.total_raised_reported, NEW.confirmed_raised);
  IF TG_OP = 'UPDATE' AND NEW.domain IS DISTINCT FROM OLD.domain THEN
    NEW.operating_status_observed := venture.observed_status_of(NEW.id, NEW.domain);
  END IF;
  NEW.operating_status := venture.operating_status(
    NEW.operating_status_stated, NEW.operating_status_observed, NEW.operating_status_inferred,
    NEW.last_funding_date);
  IF TG_OP = 'UPDATE' THEN
    -- Clearing a prediction is not a change of a fact: the round or the status is. A trigger of
    -- rounds clears it by an update of its own.
    IF pg_trigger_depth() > 1 AND NEW.next_funding_stage_predicted IS NULL THEN
      NEW.next_funding_stage_predicted := OLD.next_funding_stage_predicted;
      fact_changed := venture.startup_facts_differ(OLD, NEW);
      NEW.next_funding_stage_predicted := NULL;
    ELSE
      fact_changed := venture.startup_facts_differ(OLD, NEW);
    END IF;
    NEW.revision := OLD.revision + fact_changed::int;
  END IF;
  IF NOT venture.may_raise(NEW.operating_status, NEW.exit_statuses) OR TG_OP = 'UPDATE'
     AND (NEW.last_funding_stage, NEW.last_funding_date, NEW.rounds_count)
         IS DISTINCT FROM (OLD.last_funding_stage, OLD.last_funding_date, OLD.rounds_count)
  THEN NEW.next_funding_stage_predicted := NULL; END IF;
  NEW.next_funding_stage :=
    coalesce(NEW.next_funding_stage_stated, NEW.next_funding_stage_predicted);
  IF TG_OP = 'UPDATE' THEN
    IF fact_changed OR
       (NEW.total_raised, NEW.last_funding_stage, NEW.last_funding_date, NEW.next_funding_stage,
        NEW.rounds_count, NEW.latest_post_valuation, NEW.exit_statuses)
       IS DISTINCT FROM
       (OLD.total_raised, OLD.last_funding_stage, OLD.last_funding_date, OLD.next_funding_stage,
        OLD.rounds_count, OLD.latest_post_valuation, OLD.exit_statuses)
    THEN NEW.updated_at := now(); END IF;
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION venture.fund_before_write() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fact_changed boolean := TG_OP = 'INSERT';
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.domain IS DISTINCT FROM OLD.domain THEN
    NEW.operating_status_observed := venture.observed_status_of(NEW.id, NEW.domain);
  END IF;
  NEW.operating_status := venture.operating_status(
    NEW.operating_status_stated, NEW.operating_status_observed, NEW.operating_status_inferred,
    NULL);
  IF TG_OP = 'UPDATE' THEN
    fact_changed := venture.fund_facts_differ(OLD, NEW);
    NEW.revision := OLD.revision + fact_changed::int;
    IF fact_changed OR (NEW.investments_count, NEW.last_investment_date)
                       IS DISTINCT FROM (OLD.investments_count, OLD.last_investment_date)
    THEN NEW.updated_at := now(); END IF;
  END IF;
  RETURN NEW;
END $$;

-- All other records: every column is a fact except origin and history, the columns derived from other
-- records, and generated columns, which have no value before the row is written.
CREATE FUNCTION venture.record_before_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- From the deletion of the company, and of a holding from the rounds that imply it.
  derived text[] := ARRAY['startup_deleted', 'fund_deleted', 'rounds_count',
                          'first_investment_date', 'last_investment_date'];
  bookkeeping text[] := ARRAY['source', 'source_key', 'source_url', 'occurred_at', 'created_at',
                              'updated_at', 'revision', 'stated', 'deleted_at',
                              'year', 'investor_id', 'name_folded', 'title_folded',
                              'live_startup_id', 'live_fund_id', 'companies_deleted',
                              'company_id', 'amounts_sum', 'amounts_count', 'stage_stated',
                              'stage_of_series'];
  old_row jsonb := to_jsonb(OLD) - bookkeeping;
  new_row jsonb := to_jsonb(NEW) - bookkeeping;
BEGIN
  NEW.revision := OLD.revision;
  IF new_row - derived IS DISTINCT FROM old_row - derived
     OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)
  THEN
    NEW.revision := OLD.revision + 1;
    NEW.updated_at := now();
  ELSIF new_row IS DISTINCT FROM old_row
  THEN
    NEW.updated_at := now();
  END IF;
  RETURN NEW;
END $$;

-- The name sorts before before_write.
CREATE TRIGGER before_derive BEFORE INSERT OR UPDATE ON venture.startup
  FOR EACH ROW EXECUTE FUNCTION venture.derive_profile();
CREATE TRIGGER before_derive BEFORE INSERT OR UPDATE ON venture.fund
  FOR EACH ROW EXECUTE FUNCTION venture.derive_profile();
CREATE TRIGGER before_write BEFORE INSERT OR UPDATE ON venture.startup
  FOR EACH ROW EXECUTE FUNCTION venture.startup_before_write();
CREATE TRIGGER before_write BEFORE INSERT OR UPDATE ON venture.fund
  FOR EACH ROW EXECUTE FUNCTION venture.fund_before_write();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.person
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.funding_round
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.round_investor
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.holding
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.post_valuation
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.news
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.startup_person
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.fund_person
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.reference
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();
CREATE TRIGGER before_update BEFORE UPDATE ON venture.observation
  FOR EACH ROW EXECUTE FUNCTION venture.record_before_update();

CREATE FUNCTION venture.mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;

CREATE FUNCTION venture.mark_facts_changed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.facts_changed_at := now();
  RETURN NEW;
END $$;

-- The names sort after before_write, which decides on the revision and must run first.
CREATE TRIGGER mark_changed BEFORE UPDATE ON venture.startup FOR EACH ROW
  WHEN (NEW.revision <> OLD.revision) EXECUTE FUNCTION venture.mark_changed();
CREATE TRIGGER mark_changed BEFORE UPDATE ON venture.fund FOR EACH ROW
  WHEN (NEW.revision <> OLD.revision) EXECUTE FUNCTION venture.mark_changed();
-- A new prediction is not a change of what a source states.
CREATE TRIGGER mark_facts_changed_at BEFORE UPDATE ON venture.startup FOR EACH ROW
  WHEN (NEW.revision <> OLD.revision AND (NEW.next_funding_stage_predicted IS NULL
    OR NEW.next_funding_stage_predicted IS NOT DISTINCT FROM OLD.next_funding_stage_predicted))
  EXECUTE FUNCTION venture.mark_facts_changed_at();

-- A deleted record keeps its row and has a tombstone, so that its revisions continue if it is
-- restored.
CREATE FUNCTION venture.reject_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of venture.% are never deleted: set deleted_at', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE
  record_table text;
BEGIN
  FOREACH record_table IN ARRAY ARRAY[
    'startup', 'fund', 'person', 'funding_round', 'round_investor', 'holding', 'post_valuation',
    'news', 'startup_person', 'fund_person', 'reference']
  LOOP
    EXECUTE format(
      'CREATE TRIGGER reject_delete BEFORE DELETE ON venture.%I
         FOR EACH STATEMENT EXECUTE FUNCTION venture.reject_delete()', record_table);
  END LOOP;
END $$;

-- The records that a relation connects identify it: columns derived from relations, signals and the
-- facet index follow rows that are added, restored and deleted, and not rows that move.
CREATE FUNCTION venture.reject_identity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of venture.% identify the row and never change', TG_ARGV[0], TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation',
          HINT = 'Add a new row, and delete this one by setting deleted_at.';
END $$;

-- Updates that set none of these columns do not evaluate the condition.
DO $$
DECLARE
  relation record;
BEGIN
  FOR relation IN SELECT * FROM (VALUES
    ('round_investor', ARRAY['round_id', 'fund_id', 'person_id']),
    ('holding', ARRAY['fund_id', 'startup_id']),
    ('startup_person', ARRAY['startup_id', 'person_id']),
    ('fund_person', ARRAY['fund_id', 'person_id'])) AS t(name, columns)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER reject_identity_change BEFORE UPDATE OF %2$s ON venture.%1$I
         FOR EACH ROW WHEN ((OLD.%3$s) IS DISTINCT FROM (NEW.%4$s))
         EXECUTE FUNCTION venture.reject_identity_change(%2$L)',
      relation.name, array_to_string(relation.columns, ', '),
      array_to_string(relation.columns, ', OLD.'), array_to_string(relation.columns, ', NEW.'));
  END LOOP;
END $$;

-- A round that changes clears the prediction of its startup. The trigger of startups does so if their
-- last round or the number of rounds changes, as it does for every round that is added; this one does
-- for the others. It runs at the end of the transaction, which has locked the startups by then
-- (venture.keep_startups), so that it finds a prediction that was stored meanwhile.
CREATE FUNCTION venture.clear_stage_prediction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE venture.startup SET next_funding_stage_predicted = NULL
  WHERE id IN (OLD.startup_id, NEW.startup_id) AND next_funding_stage_predicted IS NOT NULL;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER clear_stage_prediction AFTER UPDATE ON venture.funding_round
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.confirmed AND OLD.deleted_at IS NULL OR NEW.confirmed AND NEW.deleted_at IS NULL)
    AND (OLD.startup_id, OLD.date, OLD.stage, OLD.amount, OLD.confirmed, OLD.deleted_at IS NULL)
      IS DISTINCT FROM
      (NEW.startup_id, NEW.date, NEW.stage, NEW.amount, NEW.confirmed, NEW.deleted_at IS NULL))
  EXECUTE FUNCTION venture.clear_stage_prediction();

-- Each confirmed round with a date, its stage, that of the round before it, and the round after it. A
-- stage that no source states is 0; that of the round before a first one is -1.
CREATE VIEW venture.stage_step AS
  SELECT startup_id, date AS day, coalesce(stage, 0) AS last,
    lag(coalesce(stage, 0), 1, -1) OVER by_day AS previous,
    lead(date) OVER by_day AS next_day, lead(stage) OVER by_day AS next
  FROM venture.funding_round
  WHERE confirmed AND date IS NOT NULL AND deleted_at IS NULL AND NOT startup_deleted
  WINDOW by_day AS (PARTITION BY startup_id ORDER BY date, stage NULLS FIRST, id);

-- Whether a round states which one it was: not "Venture (series unknown)" and not "Other".
CREATE FUNCTION venture.names_stage(stage integer) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(stage NOT IN (12, 22), false);

-- The stages that can be expected on a day: what followed the last two stages in the three years
-- before it, among companies for which as many years had passed. A stage is expected if at least 20
-- rounds followed, and the 95 % interval of its share (Wilson) begins at 75 % or more.
CREATE FUNCTION venture.stage_transitions(on_day date)
  RETURNS TABLE (last integer, previous integer, years integer, expected smallint,
    followed integer, rounds integer)
  LANGUAGE sql STABLE AS $$
  WITH counted AS (
    SELECT s.last, s.previous, y.years, s.next, count(*) AS n
    FROM venture.stage_step s, generate_series(0, least(2, (s.next_day - s.day) / 365)) AS y(years)
    WHERE s.next_day < on_day AND s.next_day >= on_day - interval '3 years'
      AND venture.names_stage(s.next)
    GROUP BY s.last, s.previous, y.years, s.next
  ), most AS (
    SELECT DISTINCT ON (c.last, c.previous, c.years) c.*,
      sum(c.n) OVER (PARTITION BY c.last, c.previous, c.years)::integer AS total
    FROM counted c ORDER BY c.last, c.previous, c.years, c.n DESC, c.next
  )
  SELECT m.last, m.previous, m.years, m.next, m.n::integer, m.total
  FROM most m, LATERAL (SELECT m.n::float8 / m.total AS share, 1.96 ^ 2 / m.total AS z) w
  WHERE m.total >= 20 AND (w.share + w.z / 2 - sqrt(w.z * (w.share * (1 - w.share) + w.z / 4)))
    / (1 + w.z) >= 0.75
$$;

-- The stages that are expected next of startups on a day; none without a transition to go by. A round
-- on that day or later is an announcement: the one after it is out of reach.
CREATE FUNCTION venture.expected_stages(of_startups uuid[], on_day date)
  RETURNS TABLE (id uuid, expected smallint)
  LANGUAGE sql STABLE AS $$
  SELECT s.id, t.expected
  FROM venture.stage_prediction p,
    venture.startup s JOIN venture.stage_step r ON r.startup_id = s.id,
    jsonb_to_recordset(p.transitions)
      AS t(last integer, previous integer, years integer, expected smallint)
  WHERE s.id = ANY (of_startups) AND s.deleted_at IS NULL AND s.next_funding_stage_stated IS NULL
    AND venture.may_raise(s.operating_status, s.exit_statuses)
    AND r.startup_id = ANY (of_startups) AND r.next_day IS NULL AND r.day < on_day
    AND (t.last, t.previous, t.years) = (r.last, r.previous, (on_day - r.day) / 365)
$$;

-- Stores the predictions of the next startups after an id where they differ. A startup that another
-- transaction is writing is skipped; the predictions are computed after the locks, so from the rounds
-- that were committed before them. An import sequence that was the last to change a startup stays so.
-- Runs with the rights of the owner, so that the data worker needs no UPDATE privilege on startups.
CREATE FUNCTION venture.predict_stages(
    after uuid, on_day date, OUT last_id uuid, OUT startups integer, OUT changed integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
DECLARE
  batch uuid[];
  due uuid[];
  locked uuid[];
BEGIN
  batch := ARRAY(
    SELECT s.id FROM venture.startup s WHERE s.id > after AND s.deleted_at IS NULL
      AND (s.rounds_count >= 1 OR s.next_funding_stage_predicted IS NOT NULL)
    ORDER BY s.id LIMIT 1000);
  due := ARRAY(
    SELECT s.id FROM venture.startup s
    LEFT JOIN venture.expected_stages(batch, on_day) e ON e.id = s.id
    WHERE s.id = ANY (batch) AND s.next_funding_stage_predicted IS DISTINCT FROM e.expected);
  locked := ARRAY(
    SELECT s.id FROM venture.startup s WHERE s.id = ANY (due)
    ORDER BY s.id FOR NO KEY UPDATE SKIP LOCKED);
  WITH stored AS (
    UPDATE venture.startup s SET next_funding_stage_predicted = e.expected
    FROM unnest(locked) AS l(id) LEFT JOIN venture.expected_stages(locked, on_day) e ON e.id = l.id
    WHERE s.id = l.id AND s.next_funding_stage_predicted IS DISTINCT FROM e.expected
    RETURNING s.id, s.revision
  ), carried AS (
    UPDATE venture.import_sequence q SET revision = s.revision FROM stored s
    WHERE q.record_id = s.id AND q.revision = s.revision - 1
  )
  SELECT count(*)::integer INTO changed FROM stored;
  startups := cardinality(batch);
  last_id := batch[startups];
END $$;
