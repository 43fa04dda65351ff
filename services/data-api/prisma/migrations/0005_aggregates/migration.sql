-- Statement triggers: columns derived from rows of other tables.

-- Each function first locks the rows that it will change, in id order, and reads the rows that it
-- aggregates in a later statement. In a READ COMMITTED transaction that statement reads what the
-- previous holder of the lock committed, so two writers of one startup's rounds cannot overwrite
-- each other's aggregate. The LATERAL look-up per row keeps the cost proportional to the number of
-- changed rows, whatever the planner estimates for tables that have grown and were not yet
-- analysed.

CREATE FUNCTION venture.keep_startups_of_rounds(startup_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM venture.startup WHERE id = ANY (startup_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE venture.startup s SET
    rounds_count = k.rounds_count, confirmed_raised = k.confirmed_raised,
    last_funding_stage = k.last_stage, last_funding_date = k.last_date
  FROM (
    SELECT i.id, a.*
    FROM unnest(startup_ids) AS i(id)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE r.confirmed)::int AS rounds_count,
        sum(r.amount) FILTER (WHERE r.confirmed)::bigint AS confirmed_raised,
        (array_agg(r.stage ORDER BY r.date DESC NULLS LAST, r.stage DESC NULLS LAST)
          FILTER (WHERE r.confirmed))[1] AS last_stage,
        max(r.date) FILTER (WHERE r.confirmed) AS last_date
      FROM venture.funding_round r
      WHERE r.startup_id = i.id AND r.deleted_at IS NULL
    ) a
  ) k
  WHERE s.id = k.id
    AND (s.rounds_count, s.confirmed_raised, s.last_funding_stage, s.last_funding_date)
      IS DISTINCT FROM (k.rounds_count, k.confirmed_raised, k.last_stage, k.last_date);
END $$;

CREATE FUNCTION venture.keep_startups_of_valuations(startup_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM venture.startup WHERE id = ANY (startup_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE venture.startup s SET latest_post_valuation = k.amount
  FROM (
    SELECT i.id, (
      SELECT v.amount FROM venture.post_valuation v
      WHERE v.startup_id = i.id AND v.deleted_at IS NULL AND v.amount IS NOT NULL
      ORDER BY v.date DESC NULLS LAST, v.id DESC LIMIT 1) AS amount
    FROM unnest(startup_ids) AS i(id)
  ) k
  WHERE s.id = k.id AND s.latest_post_valuation IS DISTINCT FROM k.amount;
END $$;

-- Only the holdings of funds that are not deleted count.
CREATE FUNCTION venture.keep_startups_of_holdings(startup_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM venture.startup WHERE id = ANY (startup_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE venture.startup s SET exit_statuses = k.statuses
  FROM (
    SELECT i.id, ARRAY(
      SELECT DISTINCT h.status FROM venture.holding h
      WHERE h.startup_id = i.id AND h.deleted_at IS NULL
        AND (SELECT f.deleted_at IS NULL FROM venture.fund f WHERE f.id = h.fund_id)
      ORDER BY 1) AS statuses
    FROM unnest(startup_ids) AS i(id)
  ) k
  WHERE s.id = k.id AND s.exit_statuses <> k.statuses;
END $$;

CREATE FUNCTION venture.keep_funds(fund_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM venture.fund WHERE id = ANY (fund_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE venture.fund f SET
    investments_count = k.investments_count, last_investment_date = k.last_date
  FROM (
    SELECT i.id, a.*
    FROM unnest(fund_ids) AS i(id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS investments_count, max(r.date) AS last_date
      FROM venture.round_investor p
      JOIN venture.funding_round r
        ON r.id = p.round_id AND r.deleted_at IS NULL AND NOT r.startup_deleted
      WHERE p.investor_id = i.id AND p.deleted_at IS NULL
    ) a
  ) k
  WHERE f.id = k.id AND (f.investments_count, f.last_investment_date)
    IS DISTINCT FROM (k.investments_count, k.last_date);
END $$;

-- A fund that invested in a round of a startup has a holding. An implied holding is deleted with
-- its last round; a stated one stays. Both have the dates of their first and last investment.
CREATE FUNCTION venture.keep_holdings(fund_ids uuid[], startup_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM venture.holding h
    JOIN unnest(fund_ids, startup_ids) AS i(fund_id, startup_id) USING (fund_id, startup_id)
    ORDER BY h.fund_id, h.startup_id FOR NO KEY UPDATE OF h;
  INSERT INTO venture.holding AS h
    (fund_id, startup_id, stated, first_investment_date, last_investment_date, rounds_count,
     deleted_at)
  SELECT i.fund_id, i.startup_id, false, a.first_date, a.last_date, a.rounds,
         CASE WHEN a.rounds = 0 THEN now() END
  FROM (SELECT DISTINCT * FROM unnest(fund_ids, startup_ids) AS u(fund_id, startup_id)) i
  CROSS JOIN LATERAL (
    SELECT min(r.date) AS first_date, max(r.date) AS last_date, count(*)::int AS rounds
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
    deleted_at = CASE WHEN h.stated THEN h.deleted_at ELSE excluded.deleted_at END
  WHERE (h.first_investment_date, h.last_investment_date, h.rounds_count)
      IS DISTINCT FROM
      (excluded.first_investment_date, excluded.last_investment_date, excluded.rounds_count)
    OR (NOT h.stated AND (h.deleted_at IS NULL) <> (excluded.deleted_at IS NULL));
END $$;

CREATE FUNCTION venture.after_rounds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fund_ids uuid[];
  startup_ids uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM venture.keep_startups_of_rounds(ARRAY(
      SELECT DISTINCT startup_id FROM new_rows ORDER BY 1));
    RETURN NULL;
  END IF;
  PERFORM venture.keep_startups_of_rounds(ARRAY(
    SELECT startup_id FROM old_rows UNION SELECT startup_id FROM new_rows ORDER BY 1));
  SELECT array_agg(h.fund_id), array_agg(h.startup_id) INTO fund_ids, startup_ids
  FROM (
    SELECT DISTINCT p.fund_id, c.startup_id
    FROM (SELECT id, startup_id FROM old_rows UNION SELECT id, startup_id FROM new_rows) c
    JOIN venture.round_investor p ON p.round_id = c.id AND p.fund_id IS NOT NULL
  ) h;
  IF fund_ids IS NOT NULL THEN
    PERFORM venture.keep_holdings(fund_ids, startup_ids);
    PERFORM venture.keep_funds(ARRAY(SELECT DISTINCT unnest(fund_ids) ORDER BY 1));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_round_investors_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fund_ids uuid[];
  startup_ids uuid[];
BEGIN
  SELECT array_agg(c.fund_id), array_agg(c.startup_id) INTO fund_ids, startup_ids
  FROM (
    SELECT DISTINCT n.fund_id, r.startup_id
    FROM new_rows n JOIN venture.funding_round r ON r.id = n.round_id
    WHERE n.fund_id IS NOT NULL
  ) c;
  IF fund_ids IS NOT NULL THEN
    PERFORM venture.keep_holdings(fund_ids, startup_ids);
    PERFORM venture.keep_funds(ARRAY(SELECT DISTINCT unnest(fund_ids) ORDER BY 1));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_holdings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM venture.keep_startups_of_holdings(ARRAY(
    SELECT DISTINCT startup_id FROM new_rows ORDER BY 1));
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_valuations_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM venture.keep_startups_of_valuations(ARRAY(
      SELECT DISTINCT startup_id FROM new_rows ORDER BY 1));
  ELSE
    PERFORM venture.keep_startups_of_valuations(ARRAY(
      SELECT startup_id FROM old_rows UNION SELECT startup_id FROM new_rows ORDER BY 1));
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

-- The rounds, valuations and news of a deleted company leave every listing and aggregate with it,
-- and return when it is restored. Their own tombstones and revisions do not change.

CREATE FUNCTION venture.mark_records_of_startups(startup_ids uuid[], deleted boolean) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  UPDATE venture.funding_round SET startup_deleted = deleted
  WHERE startup_id = ANY (startup_ids) AND startup_deleted <> deleted;
  UPDATE venture.post_valuation SET startup_deleted = deleted
  WHERE startup_id = ANY (startup_ids) AND startup_deleted <> deleted;
  IF deleted THEN
    UPDATE venture.news SET startup_deleted = true WHERE live_startup_id = ANY (startup_ids);
  ELSE
    UPDATE venture.news SET startup_deleted = false
    WHERE startup_id = ANY (startup_ids) AND startup_deleted;
  END IF;
END $$;

CREATE FUNCTION venture.mark_records_of_funds(fund_ids uuid[], deleted boolean) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF deleted THEN
    UPDATE venture.news SET fund_deleted = true WHERE live_fund_id = ANY (fund_ids);
  ELSE
    UPDATE venture.news SET fund_deleted = false WHERE fund_id = ANY (fund_ids) AND fund_deleted;
  END IF;
END $$;

-- A transaction that adds a record holds a key-share lock on its company. After the company is
-- locked for update, each of its records is either committed and visible, or its writer waits and
-- then reads the company's new state.
CREATE FUNCTION venture.after_startups_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone uuid[];
  back uuid[];
BEGIN
  SELECT array_agg(c.id) FILTER (WHERE c.deleted), array_agg(c.id) FILTER (WHERE NOT c.deleted)
  INTO gone, back
  FROM (
    SELECT id, deleted_at IS NOT NULL AS deleted FROM new_rows
    EXCEPT SELECT id, deleted_at IS NOT NULL FROM old_rows) c;
  IF gone IS NULL AND back IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM venture.startup WHERE id = ANY (gone || back) ORDER BY id FOR UPDATE;
  IF gone IS NOT NULL THEN PERFORM venture.mark_records_of_startups(gone, true); END IF;
  IF back IS NOT NULL THEN PERFORM venture.mark_records_of_startups(back, false); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_funds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone uuid[];
  back uuid[];
BEGIN
  SELECT array_agg(c.id) FILTER (WHERE c.deleted), array_agg(c.id) FILTER (WHERE NOT c.deleted)
  INTO gone, back
  FROM (
    SELECT id, deleted_at IS NOT NULL AS deleted FROM new_rows
    EXCEPT SELECT id, deleted_at IS NOT NULL FROM old_rows) c;
  IF gone IS NULL AND back IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM venture.fund WHERE id = ANY (gone || back) ORDER BY id FOR UPDATE;
  PERFORM venture.keep_startups_of_holdings(ARRAY(
    SELECT DISTINCT startup_id FROM venture.holding WHERE fund_id = ANY (gone || back) ORDER BY 1));
  IF gone IS NOT NULL THEN PERFORM venture.mark_records_of_funds(gone, true); END IF;
  IF back IS NOT NULL THEN PERFORM venture.mark_records_of_funds(back, false); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER after_update AFTER UPDATE ON venture.startup
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_startups_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.fund
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_funds_changed();

-- A record that is added, or moved to another company, copies whether that company is deleted. If
-- the company does not exist, the foreign key rejects the row.
CREATE FUNCTION venture.read_startup_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.startup_deleted := false;
  IF NEW.startup_id IS NOT NULL THEN
    SELECT deleted_at IS NOT NULL INTO NEW.startup_deleted
    FROM venture.startup WHERE id = NEW.startup_id FOR KEY SHARE;
    NEW.startup_deleted := coalesce(NEW.startup_deleted, false);
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION venture.read_fund_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.fund_deleted := false;
  IF NEW.fund_id IS NOT NULL THEN
    SELECT deleted_at IS NOT NULL INTO NEW.fund_deleted
    FROM venture.fund WHERE id = NEW.fund_id FOR KEY SHARE;
    NEW.fund_deleted := coalesce(NEW.fund_deleted, false);
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER read_startup_of_insert BEFORE INSERT ON venture.funding_round
  FOR EACH ROW EXECUTE FUNCTION venture.read_startup_deleted();
CREATE TRIGGER read_startup_of_update BEFORE UPDATE ON venture.funding_round
  FOR EACH ROW WHEN (NEW.startup_id <> OLD.startup_id)
  EXECUTE FUNCTION venture.read_startup_deleted();
CREATE TRIGGER read_startup_of_insert BEFORE INSERT ON venture.post_valuation
  FOR EACH ROW EXECUTE FUNCTION venture.read_startup_deleted();
CREATE TRIGGER read_startup_of_update BEFORE UPDATE ON venture.post_valuation
  FOR EACH ROW WHEN (NEW.startup_id <> OLD.startup_id)
  EXECUTE FUNCTION venture.read_startup_deleted();
CREATE TRIGGER read_startup_of_insert BEFORE INSERT ON venture.news
  FOR EACH ROW WHEN (NEW.startup_id IS NOT NULL)
  EXECUTE FUNCTION venture.read_startup_deleted();
CREATE TRIGGER read_startup_of_update BEFORE UPDATE ON venture.news
  FOR EACH ROW WHEN (NEW.startup_id IS DISTINCT FROM OLD.startup_id)
  EXECUTE FUNCTION venture.read_startup_deleted();
CREATE TRIGGER read_fund_of_insert BEFORE INSERT ON venture.news
  FOR EACH ROW WHEN (NEW.fund_id IS NOT NULL)
  EXECUTE FUNCTION venture.read_fund_deleted();
CREATE TRIGGER read_fund_of_update BEFORE UPDATE ON venture.news
  FOR EACH ROW WHEN (NEW.fund_id IS DISTINCT FROM OLD.fund_id)
  EXECUTE FUNCTION venture.read_fund_deleted();
