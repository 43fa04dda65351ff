-- Triggers that log the records whose facet codes must be computed again, in the transaction of the
-- writer. They log only the records that the statement changed; the facet indexer finds related
-- records. Nested loops are off, because the plan of a trigger is cached and used for all sizes.

CREATE FUNCTION venture.log_startups() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.facet_change (entity, id) SELECT 1, n.id FROM new_rows n;
    RETURN NULL;
  END IF;
  INSERT INTO venture.facet_change (entity, id, reach)
  SELECT 1, n.id, CASE
    WHEN (o.last_funding_stage, o.next_funding_stage, o.deleted_at IS NULL) IS DISTINCT FROM
         (n.last_funding_stage, n.next_funding_stage, n.deleted_at IS NULL) THEN 12
    WHEN (o.tags, o.countries, o.regions, o.cities, o.members_bucket, o.operating_status,
          o.exit_statuses, o.founded) IS DISTINCT FROM
         (n.tags, n.countries, n.regions, n.cities, n.members_bucket, n.operating_status,
          n.exit_statuses, n.founded) THEN 8
    ELSE 0 END
  FROM old_rows o JOIN new_rows n ON n.id = o.id
  WHERE (o.tags, o.countries, o.regions, o.cities, o.last_funding_stage, o.next_funding_stage,
         o.members_bucket, o.operating_status, o.exit_statuses, o.founded, o.total_raised,
         o.latest_post_valuation, o.last_funding_date, o.members_count, o.rounds_count,
         o.average_round_amount, o.primary_source, o.location, o.deleted_at IS NULL)
    IS DISTINCT FROM
        (n.tags, n.countries, n.regions, n.cities, n.last_funding_stage, n.next_funding_stage,
         n.members_bucket, n.operating_status, n.exit_statuses, n.founded, n.total_raised,
         n.latest_post_valuation, n.last_funding_date, n.members_count, n.rounds_count,
         n.average_round_amount, n.primary_source, n.location, n.deleted_at IS NULL);
  RETURN NULL;
END $$;

CREATE FUNCTION venture.log_funds() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.facet_change (entity, id) SELECT 2, n.id FROM new_rows n;
    RETURN NULL;
  END IF;
  INSERT INTO venture.facet_change (entity, id, reach)
  SELECT 2, n.id, CASE
    WHEN (o.investment_stages, o.investment_types, o.groups, o.deleted_at IS NULL) IS DISTINCT FROM
         (n.investment_stages, n.investment_types, n.groups, n.deleted_at IS NULL)
    THEN 10 ELSE 0 END
  FROM old_rows o JOIN new_rows n ON n.id = o.id
  WHERE (o.tags, o.countries, o.regions, o.cities, o.investment_stages, o.investment_types,
         o.groups, o.members_bucket, o.members_count, o.operating_status, o.founded, o.location,
         o.investments_count, o.last_investment_date, o.average_round_amount,
         o.deleted_at IS NULL)
    IS DISTINCT FROM
        (n.tags, n.countries, n.regions, n.cities, n.investment_stages, n.investment_types,
         n.groups, n.members_bucket, n.members_count, n.operating_status, n.founded, n.location,
         n.investments_count, n.last_investment_date, n.average_round_amount,
         n.deleted_at IS NULL);
  RETURN NULL;
END $$;

-- A round that moves to another startup changes both.
CREATE FUNCTION venture.log_rounds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.facet_change (entity, id)
    SELECT 3, n.id FROM new_rows n
    UNION ALL SELECT DISTINCT 1, n.startup_id FROM new_rows n;
    RETURN NULL;
  END IF;
  WITH changed AS MATERIALIZED (
    (SELECT id, startup_id, series, stage, year, date, amount, confirmed, deleted_at IS NULL, startup_deleted FROM new_rows
     EXCEPT
     SELECT id, startup_id, series, stage, year, date, amount, confirmed, deleted_at IS NULL, startup_deleted FROM old_rows)
    UNION ALL
    (SELECT id, startup_id, series, stage, year, date, amount, confirmed, deleted_at IS NULL, startup_deleted FROM old_rows
     EXCEPT
     SELECT id, startup_id, series, stage, year, date, amount, confirmed, deleted_at IS NULL, startup_deleted FROM new_rows)
  )
  INSERT INTO venture.facet_change (entity, id, reach)
  SELECT DISTINCT 3, id, 4 FROM changed
  UNION ALL SELECT DISTINCT 1, startup_id, 0 FROM changed;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.log_round_investors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.facet_change (entity, id)
    SELECT DISTINCT 3, n.round_id FROM new_rows n WHERE n.fund_id IS NOT NULL
    UNION ALL SELECT DISTINCT 2, n.fund_id FROM new_rows n WHERE n.fund_id IS NOT NULL;
    RETURN NULL;
  END IF;
  WITH changed AS MATERIALIZED (
    (SELECT round_id, fund_id, deleted_at IS NULL FROM new_rows
     EXCEPT SELECT round_id, fund_id, deleted_at IS NULL FROM old_rows)
    UNION ALL
    (SELECT round_id, fund_id, deleted_at IS NULL FROM old_rows
     EXCEPT SELECT round_id, fund_id, deleted_at IS NULL FROM new_rows)
  )
  INSERT INTO venture.facet_change (entity, id)
  SELECT DISTINCT 3, round_id FROM changed WHERE fund_id IS NOT NULL
  UNION ALL SELECT DISTINCT 2, fund_id FROM changed WHERE fund_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.log_holdings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.facet_change (entity, id)
    SELECT DISTINCT 1, n.startup_id FROM new_rows n
    UNION ALL SELECT DISTINCT 2, n.fund_id FROM new_rows n;
    RETURN NULL;
  END IF;
  WITH changed AS MATERIALIZED (
    SELECT fund_id, startup_id, status, deleted_at IS NULL FROM new_rows
    EXCEPT SELECT fund_id, startup_id, status, deleted_at IS NULL FROM old_rows
  )
  INSERT INTO venture.facet_change (entity, id)
  SELECT DISTINCT 1, startup_id FROM changed
  UNION ALL SELECT DISTINCT 2, fund_id FROM changed;
  RETURN NULL;
END $$;

DO $$
DECLARE
  logged record;
BEGIN
  FOR logged IN
    SELECT * FROM (VALUES
      ('startup', 'log_startups'), ('fund', 'log_funds'), ('funding_round', 'log_rounds'),
      ('round_investor', 'log_round_investors'), ('holding', 'log_holdings')) AS t(name, logger)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER log_insert AFTER INSERT ON venture.%1$I REFERENCING NEW TABLE AS new_rows
         FOR EACH STATEMENT EXECUTE FUNCTION venture.%2$I()', logged.name, logged.logger);
    EXECUTE format(
      'CREATE TRIGGER log_update AFTER UPDATE ON venture.%1$I
         REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
         FOR EACH STATEMENT EXECUTE FUNCTION venture.%2$I()', logged.name, logged.logger);
  END LOOP;
END $$;
