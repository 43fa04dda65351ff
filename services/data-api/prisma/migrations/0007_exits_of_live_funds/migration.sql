-- A startup's exit statuses are those of the funds that are there: a fund that is deleted takes
-- its holdings along, and brings them back when it is revived.

CREATE OR REPLACE FUNCTION venture.keep_startups_of_holdings(startup_ids uuid[]) RETURNS void
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

-- Who adds a holding has a key share of its fund. Locked for update, a fund has no holding that
-- cannot be seen yet: one being added is committed first, or sees the fund as it is from now on.
CREATE FUNCTION venture.after_funds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fund_ids uuid[];
BEGIN
  fund_ids := ARRAY(
    SELECT c.id FROM (
      SELECT id, deleted_at IS NULL FROM new_rows
      EXCEPT SELECT id, deleted_at IS NULL FROM old_rows) c
    ORDER BY 1);
  IF cardinality(fund_ids) > 0 THEN
    PERFORM FROM venture.fund WHERE id = ANY (fund_ids) ORDER BY id FOR UPDATE;
    PERFORM venture.keep_startups_of_holdings(ARRAY(
      SELECT DISTINCT startup_id FROM venture.holding WHERE fund_id = ANY (fund_ids) ORDER BY 1));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER after_update AFTER UPDATE ON venture.fund
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_funds_changed();

-- What was kept before.
SELECT venture.keep_startups_of_holdings(ARRAY(
  SELECT DISTINCT h.startup_id
  FROM venture.holding h JOIN venture.fund f ON f.id = h.fund_id AND f.deleted_at IS NOT NULL
  ORDER BY 1));
