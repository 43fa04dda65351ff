-- Derived facts: the first investment of a fund, the companies that a person founded, what a valuation has
-- of its round and of the valuation before it; and the end of a holding, which a source states
-- (docs/spec/resources.md 4.18).

ALTER TABLE venture.fund ADD COLUMN first_investment_date date;
ALTER TABLE venture.person ADD COLUMN founded_count integer;
-- Stage of the round: a fact of a round has the name stage.
ALTER TABLE venture.post_valuation
  ADD COLUMN round_stage smallint, ADD COLUMN round_amount bigint,
  ADD COLUMN previous_stage smallint, ADD COLUMN step_up double precision;
ALTER TABLE venture.holding ADD COLUMN exit_date date, ADD COLUMN acquirer text;

CREATE INDEX fund_first_investment_date ON venture.fund (first_investment_date NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX person_founded_count ON venture.person (founded_count NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX post_valuation_round_stage ON venture.post_valuation (round_stage NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_round_amount ON venture.post_valuation (round_amount NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_previous_stage ON venture.post_valuation (previous_stage NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_step_up ON venture.post_valuation (step_up NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;

CREATE OR REPLACE FUNCTION venture.record_before_update() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- From the deletion of the company, of a holding from the rounds that imply it, of a valuation from its
  -- round and the valuation before it, and of a person from the posts.
  derived text[] := ARRAY['startup_deleted', 'fund_deleted', 'rounds_count',
                          'first_investment_date', 'last_investment_date', 'round_stage', 'round_amount',
                          'previous_stage', 'step_up', 'founded_count'];
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

CREATE OR REPLACE FUNCTION venture.fund_before_write() RETURNS trigger LANGUAGE plpgsql AS $$
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
    IF fact_changed OR (NEW.investments_count, NEW.first_investment_date, NEW.last_investment_date)
      IS DISTINCT FROM (OLD.investments_count, OLD.first_investment_date, OLD.last_investment_date)
    THEN NEW.updated_at := now(); END IF;
  END IF;
  RETURN NEW;
END $$;

-- A company that is held has not been left: there is no date and no acquirer.
CREATE FUNCTION venture.clear_exit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.exit_date := NULL;
  NEW.acquirer := NULL;
  RETURN NEW;
END $$;

-- The name sorts before before_update.
CREATE TRIGGER before_derive BEFORE INSERT OR UPDATE ON venture.holding FOR EACH ROW
  WHEN (NEW.status = 'Held' AND num_nonnulls(NEW.exit_date, NEW.acquirer) > 0)
  EXECUTE FUNCTION venture.clear_exit();

-- Of the holdings of a fund in startups that are not deleted: its investments, and of those that are
-- not deleted themselves the share with an exit, the ten startups of the last investments and the
-- number. Reads the names of these ten only.
CREATE FUNCTION venture.portfolios_of(fund_ids uuid[])
  RETURNS TABLE (id uuid, investments integer, first_date date, last_date date,
    average_amount bigint, exit_rate double precision, latest text[], startups integer)
  LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY SELECT i.fund_id, p.*
  FROM (SELECT DISTINCT unnest(fund_ids) AS fund_id) i
  CROSS JOIN LATERAL (
    WITH portfolio AS MATERIALIZED (
      SELECT h.startup_id, h.status, h.first_investment_date, h.last_investment_date, h.rounds_count,
        h.amounts_sum, h.amounts_count, h.deleted_at
      FROM venture.holding h
      WHERE h.fund_id = i.fund_id AND NOT EXISTS (
        SELECT FROM venture.startup t WHERE t.id = h.startup_id AND t.deleted_at IS NOT NULL))
    SELECT coalesce(sum(rounds_count), 0)::int, min(first_investment_date), max(last_investment_date),
      round(sum(amounts_sum) / nullif(sum(amounts_count), 0))::bigint,
      round(avg((status <> 'Held')::int) FILTER (WHERE deleted_at IS NULL), 4)::float8,
      ARRAY(
        SELECT t.name
        FROM (
          SELECT startup_id, last_investment_date FROM portfolio WHERE deleted_at IS NULL
          ORDER BY last_investment_date DESC NULLS LAST FETCH FIRST 10 ROWS WITH TIES) l
        JOIN venture.startup t ON t.id = l.startup_id
        ORDER BY l.last_investment_date DESC NULLS LAST, t.name LIMIT 10),
      (count(*) FILTER (WHERE deleted_at IS NULL))::int
    FROM portfolio
  ) p;
END $$;

CREATE OR REPLACE FUNCTION venture.keep_funds(fund_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF venture.is_due_later('funds', fund_ids) THEN RETURN; END IF;
  PERFORM FROM venture.fund WHERE id = ANY (fund_ids) ORDER BY id FOR NO KEY UPDATE;
  WITH k AS MATERIALIZED (SELECT * FROM venture.portfolios_of(fund_ids)), updated AS (
    UPDATE venture.fund f SET
      investments_count = k.investments, first_investment_date = k.first_date,
      last_investment_date = k.last_date, average_round_amount = k.average_amount
    FROM k
    WHERE f.id = k.id AND (f.investments_count, f.first_investment_date, f.last_investment_date,
        f.average_round_amount)
      IS DISTINCT FROM (k.investments, k.first_date, k.last_date, k.average_amount)
  )
  INSERT INTO venture.fund_computed (id, exit_rate, latest_investments, startups_count)
  SELECT k.id, k.exit_rate, k.latest, k.startups FROM k
  LEFT JOIN venture.fund_computed c ON c.id = k.id
  WHERE (k.exit_rate, k.latest, k.startups)
    IS DISTINCT FROM (c.exit_rate, coalesce(c.latest_investments, '{}'), coalesce(c.startups_count, 0))
  ON CONFLICT (id) DO UPDATE SET
    exit_rate = excluded.exit_rate, latest_investments = excluded.latest_investments,
    startups_count = excluded.startups_count;
END $$;

DROP FUNCTION venture.portfolios(uuid[]);

-- What the valuations of startups derive (docs/spec/resources.md 4.18): the stage and the amount of the round,
-- if it is one of the same startup; and of the last earlier day with a valuation its stage, and the ratio to
-- its amount. A day with several has a value only where they agree; estimates count on days without others.
CREATE FUNCTION venture.valuation_steps(startup_ids uuid[])
  RETURNS TABLE (id uuid, stage smallint, raised bigint, previous smallint, step double precision,
    is_stored boolean)
  LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY SELECT s.* FROM (SELECT DISTINCT unnest(startup_ids) AS startup_id) i
  CROSS JOIN LATERAL (
    WITH valued AS MATERIALIZED (
      SELECT v.*, r.stage AS of_stage, r.amount AS of_amount
      FROM venture.post_valuation v LEFT JOIN venture.funding_round r
        ON r.id = v.round_id AND r.startup_id = v.startup_id AND r.deleted_at IS NULL
      WHERE v.startup_id = i.startup_id AND v.deleted_at IS NULL
    ), days AS (
      SELECT d.date, lag(d.of_stage) OVER by_day AS stage_before, lag(d.amount) OVER by_day AS amount_before
      FROM (
        SELECT k.date, CASE WHEN count(DISTINCT k.of_stage) = 1 THEN min(k.of_stage) END AS of_stage,
          CASE WHEN count(DISTINCT k.amount) = 1 THEN min(k.amount) END AS amount
        FROM (
          SELECT v.*, bool_and(v.estimated) OVER (PARTITION BY v.date) AS only_estimates
          FROM valued v WHERE v.date IS NOT NULL AND v.amount IS NOT NULL) k
        WHERE NOT k.estimated OR k.only_estimates
        GROUP BY k.date) d
      WINDOW by_day AS (ORDER BY d.date)
    ), derived AS (
      SELECT v.id, v.of_stage, v.of_amount, d.stage_before,
        round(v.amount::numeric / nullif(d.amount_before, 0), 4)::double precision AS ratio,
        v.round_stage, v.round_amount, v.previous_stage, v.step_up
      FROM valued v LEFT JOIN days d ON d.date = v.date AND v.amount IS NOT NULL
    )
    SELECT d.id, d.of_stage, d.of_amount, d.stage_before, d.ratio,
      (d.of_stage, d.of_amount, d.stage_before, d.ratio)
        IS NOT DISTINCT FROM (d.round_stage, d.round_amount, d.previous_stage, d.step_up)
    FROM derived d) s
  WHERE EXISTS (SELECT FROM venture.post_valuation v WHERE v.startup_id = i.startup_id);
END $$;

-- For startups that the transaction has locked. A statement that changes no row runs the triggers of
-- statements too, so there is none without a difference.
CREATE FUNCTION venture.keep_valuations(startup_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due record;
BEGIN
  SELECT array_agg(k.id) AS ids, array_agg(k.stage) AS stages, array_agg(k.raised) AS amounts,
    array_agg(k.previous) AS previous, array_agg(k.step) AS steps INTO due
  FROM venture.valuation_steps(startup_ids) k WHERE NOT k.is_stored;
  IF due.ids IS NULL THEN RETURN; END IF;
  UPDATE venture.post_valuation v SET round_stage = k.stage, round_amount = k.amount,
    previous_stage = k.previous, step_up = k.step
  FROM unnest(due.ids, due.stages, due.amounts, due.previous, due.steps)
    AS k(id, stage, amount, previous, step)
  WHERE v.id = k.id;
END $$;

CREATE OR REPLACE FUNCTION venture.keep_startups(startup_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF venture.is_due_later('startups', startup_ids) THEN RETURN; END IF;
  PERFORM FROM venture.startup WHERE id = ANY (startup_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE venture.startup s SET
    rounds_count = k.rounds_count, confirmed_raised = k.confirmed_raised,
    average_round_amount = k.average_amount, last_funding_stage = k.last_stage,
    last_funding_date = k.last_date, latest_post_valuation = k.valuation,
    exit_statuses = k.statuses
  FROM (
    SELECT i.id, a.*, (
        SELECT v.amount FROM venture.post_valuation v
        WHERE v.startup_id = i.id AND v.deleted_at IS NULL AND v.amount IS NOT NULL
        ORDER BY v.date DESC NULLS LAST, v.id DESC LIMIT 1) AS valuation,
      -- Only the holdings of funds that are not deleted count.
      ARRAY(
        SELECT DISTINCT h.status FROM venture.holding h
        WHERE h.startup_id = i.id AND h.deleted_at IS NULL
          AND (SELECT f.deleted_at IS NULL FROM venture.fund f WHERE f.id = h.fund_id)
        ORDER BY 1) AS statuses
    FROM (SELECT DISTINCT unnest(startup_ids) AS id) i
    CROSS JOIN LATERAL (
      -- At most what JSON clients read exactly and filters accept. Without an amount the sum is null, and
      -- least() ignores nulls.
      SELECT count(*)::int AS rounds_count,
        (CASE WHEN count(r.amount) > 0 THEN least(sum(r.amount), 9007199254740991) END)::bigint
          AS confirmed_raised,
        round(avg(r.amount))::bigint AS average_amount,
        (array_agg(r.stage ORDER BY r.date DESC NULLS LAST, r.stage DESC NULLS LAST))[1]
          AS last_stage,
        max(r.date) AS last_date
      FROM venture.funding_round r
      WHERE r.startup_id = i.id AND r.confirmed AND r.deleted_at IS NULL
    ) a
  ) k
  WHERE s.id = k.id
    AND (s.rounds_count, s.confirmed_raised, s.average_round_amount, s.last_funding_stage,
         s.last_funding_date, s.latest_post_valuation, s.exit_statuses)
      IS DISTINCT FROM (k.rounds_count, k.confirmed_raised, k.average_amount, k.last_stage,
         k.last_date, k.valuation, k.statuses);
  PERFORM venture.keep_valuations(startup_ids);
  INSERT INTO venture.startup_computed (id, investor_names)
  SELECT k.id, k.names
  FROM venture.investor_names(startup_ids) k
  LEFT JOIN venture.startup_computed c ON c.id = k.id
  WHERE k.names <> coalesce(c.investor_names, '{}')
  ON CONFLICT (id) DO UPDATE SET investor_names = excluded.investor_names;
END $$;

-- Whether a title says that its holder founded the company: not a founding engineer, not a founder's
-- associate, and not a person who works for the founders.
CREATE FUNCTION venture.is_founder(title text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text := venture.fold(left(title, 500));
BEGIN
  RETURN folded ~ ('\m(co-?)?(founder|fondat(eur|rice)|fundador|fundadora|fondatore)\M'
      || '|\m(mit)?grunder(in)?\M|\m(mede)?oprichter\M|\m(med)?grundare\M')
    AND folded !~ ('\mfounder[''’]s|\mfounder (associate|relations|success|community|experience|support'
      || '|partnerships?|office|services|development|in residence)\M'
      || '|\m(to|for|with|of) (the |our )?(co-?)?founder\M');
END $$;

-- How many companies people founded, where it differs from the stored number: those that are not deleted and
-- where the title says so. 0 is known only of a person who is no founder by role and has another title in
-- every post; otherwise it is null.
CREATE FUNCTION venture.founded_counts(person_ids uuid[]) RETURNS TABLE (id uuid, founded integer)
  LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY SELECT k.id, k.founded
  FROM (
    SELECT p.id, p.founded_count, CASE
        WHEN t.founders > 0 THEN t.founders
        WHEN t.posts > 0 AND t.titles = t.posts AND coalesce(p.role, 'investor') = 'investor' THEN 0
      END AS founded
    FROM (SELECT DISTINCT unnest(person_ids) AS person_id) i
    JOIN venture.person p ON p.id = i.person_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS posts, count(j.title)::int AS titles,
        (count(*) FILTER (WHERE venture.is_founder(j.title)))::int AS founders
      FROM venture.startup_person j
      WHERE j.person_id = i.person_id AND j.deleted_at IS NULL AND NOT EXISTS (
        SELECT FROM venture.startup s WHERE s.id = j.startup_id AND s.deleted_at IS NOT NULL)) t) k
  WHERE k.founded IS DISTINCT FROM k.founded_count;
END $$;

CREATE FUNCTION venture.keep_persons(person_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due record;
BEGIN
  IF venture.is_due_later('persons', person_ids) THEN RETURN; END IF;
  PERFORM FROM venture.person WHERE id = ANY (person_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT array_agg(k.id) AS ids, array_agg(k.founded) AS counts INTO due
  FROM venture.founded_counts(person_ids) k;
  IF due.ids IS NULL THEN RETURN; END IF;
  UPDATE venture.person p SET founded_count = k.founded
  FROM unnest(due.ids, due.counts) AS k(id, founded) WHERE p.id = k.id;
END $$;

CREATE OR REPLACE FUNCTION venture.keep_due() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  startup_ids uuid[] := string_to_array(current_setting('venture.due_startups', true), ',');
  fund_ids uuid[] := string_to_array(current_setting('venture.due_funds', true), ',');
  person_ids uuid[] := string_to_array(current_setting('venture.due_persons', true), ',');
BEGIN
  PERFORM set_config('venture.derive', '', true), set_config('venture.writer_dates_rows', '', true);
  PERFORM set_config('venture.due_startups', '', true), set_config('venture.due_funds', '', true),
    set_config('venture.due_persons', '', true);
  IF startup_ids <> '{}' THEN PERFORM venture.keep_startups(startup_ids); END IF;
  IF fund_ids <> '{}' THEN PERFORM venture.keep_funds(fund_ids); END IF;
  IF person_ids <> '{}' THEN PERFORM venture.keep_persons(person_ids); END IF;
END $$;

CREATE OR REPLACE FUNCTION venture.after_valuations_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  startup_ids uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM venture.keep_startups(ARRAY(SELECT DISTINCT startup_id FROM new_rows));
    RETURN NULL;
  END IF;
  -- Not if only derived columns changed: keep_startups has written them.
  WITH before AS (
    SELECT id, startup_id, round_id, date, amount, estimated, deleted_at IS NULL FROM old_rows
  ), after AS (
    SELECT id, startup_id, round_id, date, amount, estimated, deleted_at IS NULL FROM new_rows
  )
  SELECT array_agg(DISTINCT c.startup_id) INTO startup_ids
  FROM ((TABLE before EXCEPT TABLE after) UNION ALL (TABLE after EXCEPT TABLE before)) c;
  IF startup_ids IS NOT NULL THEN PERFORM venture.keep_startups(startup_ids); END IF;
  RETURN NULL;
END $$;

-- A post that changes locks its company as an insert does by its foreign key.
CREATE FUNCTION venture.after_posts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM FROM venture.startup WHERE id = ANY (ARRAY(SELECT startup_id FROM new_rows))
      ORDER BY id FOR KEY SHARE;
  END IF;
  PERFORM venture.keep_persons(ARRAY(SELECT DISTINCT person_id FROM new_rows));
  RETURN NULL;
END $$;

CREATE TRIGGER after_insert AFTER INSERT ON venture.startup_person
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_posts_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.startup_person
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_posts_changed();

CREATE OR REPLACE FUNCTION venture.after_startups_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone uuid[];
  back uuid[];
  renamed uuid[];
BEGIN
  SELECT array_agg(c.id) FILTER (WHERE c.deleted), array_agg(c.id) FILTER (WHERE NOT c.deleted)
  INTO gone, back
  FROM (
    SELECT id, deleted_at IS NOT NULL AS deleted FROM new_rows
    EXCEPT SELECT id, deleted_at IS NOT NULL FROM old_rows) c;
  SELECT array_agg(c.id) INTO renamed
  FROM (SELECT id, name FROM new_rows EXCEPT SELECT id, name FROM old_rows) c;
  IF gone IS NULL AND back IS NULL AND renamed IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM venture.startup WHERE id = ANY (gone || back || renamed) ORDER BY id FOR UPDATE;
  IF gone IS NOT NULL THEN PERFORM venture.mark_records_of_startups(gone, true); END IF;
  IF back IS NOT NULL THEN PERFORM venture.mark_records_of_startups(back, false); END IF;
  PERFORM venture.keep_funds(ARRAY(
    SELECT DISTINCT fund_id FROM venture.holding WHERE startup_id = ANY (gone || back || renamed)));
  IF gone IS NOT NULL OR back IS NOT NULL THEN
    PERFORM venture.keep_persons(ARRAY(
      SELECT DISTINCT person_id FROM venture.startup_person WHERE startup_id = ANY (gone || back)));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION venture.after_persons_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid[];
  other_roles uuid[];
BEGIN
  SELECT array_agg(c.id) INTO other_roles
  FROM (SELECT id, role FROM new_rows EXCEPT SELECT id, role FROM old_rows) c;
  IF other_roles IS NOT NULL THEN PERFORM venture.keep_persons(other_roles); END IF;
  SELECT array_agg(c.id) INTO changed
  FROM (
    SELECT id, name, deleted_at IS NULL FROM new_rows
    EXCEPT SELECT id, name, deleted_at IS NULL FROM old_rows) c;
  IF changed IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM venture.person WHERE id = ANY (changed) ORDER BY id FOR UPDATE;
  PERFORM venture.keep_startups(venture.startups_of_investors(changed));
  RETURN NULL;
END $$;

-- A holding that is recorded with an exit yields both signals: added, then exited. The date of the
-- first investment dates the addition, that of the exit the exit.
CREATE OR REPLACE FUNCTION venture.signal_holdings() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT t.type, 2, n.fund_id, n.startup_id, n.revision, coalesce(m.at, now()), m.at IS NOT NULL
    FROM new_rows n CROSS JOIN (VALUES (5), (6)) AS t(type)
    CROSS JOIN LATERAL (SELECT coalesce(n.occurred_at,
      venture.day_begins(CASE t.type WHEN 5 THEN n.first_investment_date ELSE n.exit_date END)) AS at) m
    WHERE n.deleted_at IS NULL AND (t.type = 5 OR n.status <> 'Held')
    ORDER BY t.type;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT t.type, 2, c.fund_id, c.startup_id, c.revision, coalesce(m.at, now()), m.at IS NOT NULL
    FROM (
      SELECT n.*, o.deleted_at IS NOT NULL AS back, o.status AS status_before,
        venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given
      FROM old_rows o JOIN new_rows n ON n.fund_id = o.fund_id AND n.startup_id = o.startup_id
      WHERE n.revision > o.revision AND n.deleted_at IS NULL
    ) c CROSS JOIN (VALUES (5), (6)) AS t(type)
    CROSS JOIN LATERAL (SELECT coalesce(c.given,
      venture.day_begins(CASE t.type WHEN 5 THEN c.first_investment_date ELSE c.exit_date END)) AS at) m
    WHERE CASE t.type WHEN 5 THEN c.back
      ELSE c.status <> 'Held' AND (c.back OR c.status <> c.status_before) END
    ORDER BY t.type;
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- Records from before this migration get their facts from the data worker, in batches. A row for each kind
-- of records that is not complete, with the last one that is.
CREATE TABLE venture.due_derivation (
  records text PRIMARY KEY CHECK (records IN ('startups', 'funds', 'persons')),
  last_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO venture.due_derivation (records)
SELECT 'startups' WHERE EXISTS (SELECT FROM venture.post_valuation)
UNION ALL SELECT 'funds' WHERE EXISTS (SELECT FROM venture.holding)
UNION ALL SELECT 'persons' WHERE EXISTS (SELECT FROM venture.startup_person);

-- Derives the columns of the next records, at most 1,000; null when all are complete. Runs with the
-- rights of the owner, so that the data worker needs no UPDATE privilege on records.
CREATE FUNCTION venture.derive_next() RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
DECLARE
  due venture.due_derivation;
  ids uuid[];
BEGIN
  SELECT * INTO due FROM venture.due_derivation ORDER BY records LIMIT 1 FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  CASE due.records
    WHEN 'startups' THEN
      ids := ARRAY(SELECT DISTINCT v.startup_id FROM venture.post_valuation v
        WHERE v.startup_id > due.last_id ORDER BY 1 LIMIT 1000);
      PERFORM venture.keep_startups(ids);
    WHEN 'funds' THEN
      ids := ARRAY(SELECT f.id FROM venture.fund f WHERE f.id > due.last_id ORDER BY 1 LIMIT 1000);
      PERFORM venture.keep_funds(ids);
    ELSE
      ids := ARRAY(SELECT DISTINCT j.person_id FROM venture.startup_person j
        WHERE j.person_id > due.last_id ORDER BY 1 LIMIT 1000);
      PERFORM venture.keep_persons(ids);
  END CASE;
  IF ids = '{}' THEN
    DELETE FROM venture.due_derivation d WHERE d.records = due.records;
    RETURN 0;
  END IF;
  UPDATE venture.due_derivation d SET last_id = ids[cardinality(ids)] WHERE d.records = due.records;
  RETURN cardinality(ids);
END $$;

-- Candidates of a similar company (docs/spec/similar.md 24.3) in the lists that are given: with all of these tags
-- or in one of these cities, those with the most deals first; or whose profile matches, the best ones first. They read at most 2,000 records, by the
-- indexes of lists and of keywords: an index of an order, or the whole table, would take longer for a condition
-- that few records meet.
DO $$
DECLARE
  kept record;
  condition record;
BEGIN
  FOR kept IN SELECT * FROM (VALUES ('startup', 'rounds_count'), ('fund', 'investments_count'))
    AS t(name, deals)
  LOOP
    FOR condition IN SELECT * FROM (VALUES
      ('tags', 'wanted text[]', 'tags @> wanted', 's.%s'),
      ('words', 'wanted tsquery', 'keywords @@ wanted', 'ts_rank(s.keywords, wanted)'),
      ('cities', 'wanted text[]', 'cities && wanted', 's.%s')) AS t(name, parameter, met, first)
    LOOP
      EXECUTE format($f$
        CREATE FUNCTION venture.%1$ss_alike_by_%2$s(
            %3$s, any_tags text[], any_countries text[], any_regions text[], any_cities text[],
            rows_max integer)
          RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 100
          SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off
          SET max_parallel_workers_per_gather = 0 SET plan_cache_mode = force_custom_plan
        AS $body$
        BEGIN
          RETURN QUERY SELECT c.id FROM (
              SELECT s.id, %5$s AS first FROM venture.%1$s s
              WHERE s.%4$s AND s.deleted_at IS NULL
                AND (any_tags IS NULL OR s.tags && any_tags)
                AND (any_countries IS NULL OR s.countries && any_countries)
                AND (any_regions IS NULL OR s.regions && any_regions)
                AND (any_cities IS NULL OR s.cities && any_cities)
              LIMIT 2000) c
            ORDER BY c.first DESC, c.id LIMIT rows_max;
        END $body$ $f$,
        kept.name, condition.name, condition.parameter, condition.met, format(condition.first, kept.deals));
    END LOOP;
  END LOOP;
END $$;
