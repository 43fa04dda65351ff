-- Statement triggers: columns derived from rows of other tables.

-- The keep functions compute all derived columns of the given records and write those that differ.
-- Each first locks the rows that it will change, in id order, and reads the rows that it
-- aggregates in a later statement. In a READ COMMITTED transaction that statement reads what the
-- previous holder of the lock committed, so two writers of one startup's rounds cannot overwrite
-- each other's aggregate. The LATERAL look-up per row keeps the cost proportional to the number of
-- changed rows, whatever the planner estimates for tables that have grown and were not yet
-- analysed.

-- A transaction with venture.derive = 'later' computes derived columns once for all its statements,
-- in venture.keep_due(): until then the ids are in settings that end with the transaction.
CREATE FUNCTION venture.is_due_later(records text, ids uuid[]) RETURNS boolean
  LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('venture.derive', true) IS DISTINCT FROM 'later' THEN RETURN false; END IF;
  PERFORM set_config('venture.due_' || records, concat_ws(',',
    nullif(current_setting('venture.due_' || records, true), ''),
    nullif(array_to_string(ids, ','), '')), true);
  RETURN true;
END $$;

-- Joins in functions of their own with planner settings: rows are looked up one by one, whatever the
-- statistics of tables that grow. No trigger runs with these settings.

-- The names of all funds and people with a holding in a startup or in one of its rounds. The subquery
-- sorts, because ORDER BY in an aggregate opens the collation again for every row.
CREATE FUNCTION venture.investor_names(startup_ids uuid[]) RETURNS TABLE (id uuid, names text[])
  LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY SELECT i.startup_id, ARRAY(
    SELECT n.name
    FROM (
      SELECT k.investor_id, coalesce(
          (SELECT f.name FROM venture.fund f WHERE f.id = k.investor_id AND f.deleted_at IS NULL),
          (SELECT p.name FROM venture.person p WHERE p.id = k.investor_id AND p.deleted_at IS NULL)
        ) AS name
      FROM (
        SELECT h.fund_id AS investor_id FROM venture.holding h
        WHERE h.startup_id = i.startup_id AND h.deleted_at IS NULL
        UNION
        SELECT p.investor_id FROM venture.funding_round r
        JOIN venture.round_investor p ON p.round_id = r.id AND p.deleted_at IS NULL
        WHERE r.startup_id = i.startup_id AND r.deleted_at IS NULL) k) n
    WHERE n.name IS NOT NULL
    ORDER BY n.name COLLATE venture.text_order, n.investor_id)
  FROM (SELECT DISTINCT unnest(startup_ids) AS startup_id) i;
END $$;

-- Of the holdings of a fund in startups that are not deleted: its investments, and of those that are
-- not deleted themselves the share with an exit, the ten startups of the last investments and the
-- number. Reads the names of these ten only.
CREATE FUNCTION venture.portfolios(fund_ids uuid[])
  RETURNS TABLE (id uuid, investments integer, last_date date, average_amount bigint,
    exit_rate double precision, latest text[], startups integer)
  LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY SELECT i.fund_id, p.*
  FROM (SELECT DISTINCT unnest(fund_ids) AS fund_id) i
  CROSS JOIN LATERAL (
    WITH portfolio AS MATERIALIZED (
      SELECT h.startup_id, h.status, h.last_investment_date, h.rounds_count, h.amounts_sum,
        h.amounts_count, h.deleted_at
      FROM venture.holding h
      WHERE h.fund_id = i.fund_id AND NOT EXISTS (
        SELECT FROM venture.startup t WHERE t.id = h.startup_id AND t.deleted_at IS NOT NULL))
    SELECT coalesce(sum(rounds_count), 0)::int, max(last_investment_date),
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

CREATE FUNCTION venture.keep_startups(startup_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
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
  INSERT INTO venture.startup_computed (id, investor_names)
  SELECT k.id, k.names
  FROM venture.investor_names(startup_ids) k
  LEFT JOIN venture.startup_computed c ON c.id = k.id
  WHERE k.names <> coalesce(c.investor_names, '{}')
  ON CONFLICT (id) DO UPDATE SET investor_names = excluded.investor_names;
END $$;

CREATE FUNCTION venture.keep_funds(fund_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF venture.is_due_later('funds', fund_ids) THEN RETURN; END IF;
  PERFORM FROM venture.fund WHERE id = ANY (fund_ids) ORDER BY id FOR NO KEY UPDATE;
  WITH k AS MATERIALIZED (SELECT * FROM venture.portfolios(fund_ids)), updated AS (
    UPDATE venture.fund f SET
      investments_count = k.investments, last_investment_date = k.last_date,
      average_round_amount = k.average_amount
    FROM k
    WHERE f.id = k.id AND (f.investments_count, f.last_investment_date, f.average_round_amount)
      IS DISTINCT FROM (k.investments, k.last_date, k.average_amount)
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

-- Computes the derived columns that the statements of this transaction left for later. Signals of
-- these changes have the time of the write: no line of an import states them.
CREATE FUNCTION venture.keep_due() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  startup_ids uuid[] := string_to_array(current_setting('venture.due_startups', true), ',');
  fund_ids uuid[] := string_to_array(current_setting('venture.due_funds', true), ',');
BEGIN
  PERFORM set_config('venture.derive', '', true), set_config('venture.writer_dates_rows', '', true);
  PERFORM set_config('venture.due_startups', '', true), set_config('venture.due_funds', '', true);
  IF startup_ids <> '{}' THEN PERFORM venture.keep_startups(startup_ids); END IF;
  IF fund_ids <> '{}' THEN PERFORM venture.keep_funds(fund_ids); END IF;
END $$;

-- A fund that invested in a round of a startup has a holding. An implied holding is deleted with
-- its last round; a stated one stays. Both have the dates of their first and last investment. A
-- round implies no exit, so an implied holding is Held when it is restored. The lock on the startup
-- is for a holding that two transactions add.
CREATE FUNCTION venture.keep_holdings(fund_ids uuid[], startup_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM venture.startup WHERE id = ANY (startup_ids) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM venture.holding h
    JOIN unnest(fund_ids, startup_ids) AS i(fund_id, startup_id) USING (fund_id, startup_id)
    ORDER BY h.fund_id, h.startup_id FOR NO KEY UPDATE OF h;
  INSERT INTO venture.holding AS h
    (fund_id, startup_id, stated, first_investment_date, last_investment_date, rounds_count,
     amounts_sum, amounts_count, deleted_at)
  SELECT i.fund_id, i.startup_id, false, a.first_date, a.last_date, a.rounds, a.amounts_sum,
         a.amounts_count, CASE WHEN a.rounds = 0 THEN now() END
  FROM (
    SELECT DISTINCT * FROM unnest(fund_ids, startup_ids) AS u(fund_id, startup_id)
    WHERE u.fund_id IS NOT NULL) i
  CROSS JOIN LATERAL (
    SELECT min(r.date) AS first_date, max(r.date) AS last_date, count(*)::int AS rounds,
      least(coalesce(sum(r.amount) FILTER (WHERE r.confirmed), 0), 9007199254740991)::bigint
        AS amounts_sum,
      (count(r.amount) FILTER (WHERE r.confirmed))::int AS amounts_count
    FROM venture.funding_round r
    JOIN venture.round_investor p
      ON p.round_id = r.id AND p.investor_id = i.fund_id AND p.deleted_at IS NULL
    WHERE r.startup_id = i.startup_id AND r.deleted_at IS NULL
  ) a
  WHERE a.rounds > 0 OR (
    SELECT true FROM venture.holding o
    WHERE o.fund_id = i.fund_id AND o.startup_id = i.startup_id)
  ORDER BY i.fund_id, i.startup_id
  ON CONFLICT (fund_id, startup_id) DO UPDATE SET
    first_investment_date = excluded.first_investment_date,
    last_investment_date = excluded.last_investment_date,
    rounds_count = excluded.rounds_count,
    amounts_sum = excluded.amounts_sum,
    amounts_count = excluded.amounts_count,
    status = CASE
      WHEN NOT h.stated AND h.deleted_at IS NOT NULL AND excluded.deleted_at IS NULL THEN 'Held'
      ELSE h.status END,
    deleted_at = CASE WHEN h.stated THEN h.deleted_at ELSE excluded.deleted_at END
  WHERE (h.first_investment_date, h.last_investment_date, h.rounds_count, h.amounts_sum,
         h.amounts_count)
      IS DISTINCT FROM
      (excluded.first_investment_date, excluded.last_investment_date, excluded.rounds_count,
       excluded.amounts_sum, excluded.amounts_count)
    OR (NOT h.stated AND (h.deleted_at IS NULL) <> (excluded.deleted_at IS NULL));
END $$;

-- A transaction that changes a record locks it for update before it looks for the records derived
-- from it. A transaction that refers to the record holds a key-share lock on it, so it has either
-- committed, and is found, or it waits and then reads the record's new state.

CREATE FUNCTION venture.after_rounds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fund_ids uuid[];
  startup_ids uuid[];
  -- The investors of rounds that moved to another startup: its names are derived from theirs.
  moved uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM venture.keep_startups(ARRAY(SELECT DISTINCT startup_id FROM new_rows));
    RETURN NULL;
  END IF;
  PERFORM FROM venture.funding_round WHERE id = ANY (ARRAY(SELECT id FROM new_rows))
    ORDER BY id FOR UPDATE;
  moved := ARRAY(
    SELECT p.investor_id FROM (
      SELECT id, startup_id FROM new_rows EXCEPT SELECT id, startup_id FROM old_rows) c
    JOIN venture.round_investor p ON p.round_id = c.id);
  IF moved <> '{}' THEN
    PERFORM FROM venture.fund WHERE id = ANY (moved) ORDER BY id FOR KEY SHARE;
    PERFORM FROM venture.person WHERE id = ANY (moved) ORDER BY id FOR KEY SHARE;
  END IF;
  PERFORM venture.keep_startups(ARRAY(
    SELECT startup_id FROM old_rows UNION SELECT startup_id FROM new_rows));
  SELECT array_agg(h.fund_id), array_agg(h.startup_id) INTO fund_ids, startup_ids
  FROM (
    SELECT DISTINCT p.fund_id, c.startup_id
    FROM (SELECT id, startup_id FROM old_rows UNION SELECT id, startup_id FROM new_rows) c
    JOIN venture.round_investor p ON p.round_id = c.id AND p.fund_id IS NOT NULL
  ) h;
  IF fund_ids IS NOT NULL THEN PERFORM venture.keep_holdings(fund_ids, startup_ids); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_round_investors_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fund_ids uuid[];
  startup_ids uuid[];
BEGIN
  -- A round that moves to another startup is locked for update. An insert has this lock by its
  -- foreign key.
  IF TG_OP = 'UPDATE' THEN
    PERFORM FROM venture.funding_round WHERE id = ANY (ARRAY(SELECT round_id FROM new_rows))
      ORDER BY id FOR KEY SHARE;
  END IF;
  SELECT array_agg(c.fund_id), array_agg(c.startup_id) INTO fund_ids, startup_ids
  FROM (
    SELECT DISTINCT n.fund_id, r.startup_id
    FROM new_rows n JOIN venture.funding_round r ON r.id = n.round_id
  ) c;
  IF startup_ids IS NULL THEN RETURN NULL; END IF;
  PERFORM venture.keep_holdings(fund_ids, startup_ids);
  PERFORM venture.keep_startups(startup_ids);
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_holdings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM venture.keep_startups(ARRAY(SELECT DISTINCT startup_id FROM new_rows));
  PERFORM venture.keep_funds(ARRAY(SELECT DISTINCT fund_id FROM new_rows));
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_valuations_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM venture.keep_startups(ARRAY(SELECT DISTINCT startup_id FROM new_rows));
  ELSE
    PERFORM venture.keep_startups(ARRAY(
      SELECT startup_id FROM old_rows UNION SELECT startup_id FROM new_rows));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER after_insert AFTER INSERT ON venture.funding_round
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_rounds_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.funding_round
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_rounds_changed();
CREATE TRIGGER after_insert AFTER INSERT ON venture.round_investor
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_round_investors_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.round_investor
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_round_investors_changed();
CREATE TRIGGER after_insert AFTER INSERT ON venture.holding
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_holdings_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.holding
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_holdings_changed();
CREATE TRIGGER after_insert AFTER INSERT ON venture.post_valuation
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_valuations_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.post_valuation
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_valuations_changed();
