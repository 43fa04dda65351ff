-- Statement triggers: consequences of deleting, restoring and renaming companies and people.

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

CREATE FUNCTION venture.after_startups_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;

-- The startups of which these funds and people are investors, or were.
CREATE FUNCTION venture.startups_of_investors(investor_ids uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT startup_id FROM venture.holding WHERE fund_id = ANY (investor_ids)
    UNION
    SELECT r.startup_id FROM venture.round_investor p
    JOIN venture.funding_round r ON r.id = p.round_id WHERE p.investor_id = ANY (investor_ids));
END $$;

CREATE FUNCTION venture.after_funds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
  PERFORM FROM venture.fund WHERE id = ANY (gone || back || renamed) ORDER BY id FOR UPDATE;
  PERFORM venture.keep_startups(venture.startups_of_investors(gone || back || renamed));
  IF gone IS NOT NULL THEN PERFORM venture.mark_records_of_funds(gone, true); END IF;
  IF back IS NOT NULL THEN PERFORM venture.mark_records_of_funds(back, false); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.after_persons_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid[];
BEGIN
  SELECT array_agg(c.id) INTO changed
  FROM (
    SELECT id, name, deleted_at IS NULL FROM new_rows
    EXCEPT SELECT id, name, deleted_at IS NULL FROM old_rows) c;
  IF changed IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM venture.person WHERE id = ANY (changed) ORDER BY id FOR UPDATE;
  PERFORM venture.keep_startups(venture.startups_of_investors(changed));
  RETURN NULL;
END $$;

CREATE TRIGGER after_update AFTER UPDATE ON venture.startup
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_startups_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.fund
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_funds_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.person
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_persons_changed();

-- A record that is added, or moved to another company, copies whether that company is deleted. If
-- the company does not exist, the foreign key rejects the row.
CREATE FUNCTION venture.read_startup_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.startup_deleted := false;
  IF NEW.startup_id IS NOT NULL THEN
    PERFORM FROM venture.startup WHERE id = NEW.startup_id FOR KEY SHARE;
    SELECT deleted_at IS NOT NULL INTO NEW.startup_deleted
    FROM venture.startup WHERE id = NEW.startup_id;
    NEW.startup_deleted := coalesce(NEW.startup_deleted, false);
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION venture.read_fund_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.fund_deleted := false;
  IF NEW.fund_id IS NOT NULL THEN
    PERFORM FROM venture.fund WHERE id = NEW.fund_id FOR KEY SHARE;
    SELECT deleted_at IS NOT NULL INTO NEW.fund_deleted
    FROM venture.fund WHERE id = NEW.fund_id;
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
