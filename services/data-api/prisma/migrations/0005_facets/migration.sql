-- Facets: what the category listings count. For every startup, fund and round the codes of its
-- dimension values, those reached through relations among them, kept by a maintainer that follows
-- a log of touched records (docs/categories.md).

-- Every value of every dimension that was ever seen. `dimension` is the number of the dimension in
-- src/dimensions, `value` what callers send back, `folded` what prefix searches compare and what
-- orders values of one count.
CREATE TABLE venture.dimension_value (
  code integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dimension smallint NOT NULL,
  value text COLLATE "C" NOT NULL,
  folded text COLLATE "C" NOT NULL,
  UNIQUE (dimension, value)
);
CREATE INDEX dimension_value_folded ON venture.dimension_value (dimension, folded);
CREATE INDEX dimension_value_similar ON venture.dimension_value
  USING gin (folded venture.gin_trgm_ops);

-- `version` is that of the maintainer's batch that wrote the row last: batches commit one after
-- another, so a reader of all versions above the last it saw misses none.
CREATE TABLE venture.startup_facet (
  id uuid PRIMARY KEY,
  codes integer[] NOT NULL,
  deleted boolean NOT NULL,
  version bigint NOT NULL
);
CREATE TABLE venture.fund_facet (LIKE venture.startup_facet INCLUDING ALL);
CREATE TABLE venture.round_facet (LIKE venture.startup_facet INCLUDING ALL);

CREATE INDEX startup_facet_codes ON venture.startup_facet USING gin (codes) WHERE NOT deleted;
CREATE INDEX fund_facet_codes ON venture.fund_facet USING gin (codes) WHERE NOT deleted;
CREATE INDEX round_facet_codes ON venture.round_facet USING gin (codes) WHERE NOT deleted;
CREATE INDEX startup_facet_version ON venture.startup_facet (version);
CREATE INDEX fund_facet_version ON venture.fund_facet (version);
CREATE INDEX round_facet_version ON venture.round_facet (version);

-- How many live records of an entity (1 startups, 2 funds, 3 rounds) have a value.
CREATE TABLE venture.facet_count (
  entity smallint NOT NULL,
  code integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (entity, code)
) WITH (fillfactor = 50);

-- One row: the version of the last batch and when it was applied.
CREATE TABLE venture.facet_state (
  id smallint PRIMARY KEY CHECK (id = 1),
  version bigint NOT NULL,
  applied_at timestamptz(3) NOT NULL
) WITH (fillfactor = 10);

-- Records whose codes are to be worked out again. `reach` adds those related to them: 2 its
-- startups, 4 its funds, 8 its rounds.
CREATE TABLE venture.facet_change (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity smallint NOT NULL,
  id uuid NOT NULL,
  reach smallint NOT NULL DEFAULT 0,
  logged_at timestamptz(3) NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0);

-- Writers leave rows in that log, in their own transaction: the records they touched, never more.
-- Nested loops are off, because the plan of a trigger is made once and for all sizes.

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
         (n.last_funding_stage, n.next_funding_stage, n.deleted_at IS NULL) THEN 12 ELSE 8 END
  FROM old_rows o JOIN new_rows n ON n.id = o.id
  WHERE (o.tags, o.countries, o.regions, o.cities, o.last_funding_stage, o.next_funding_stage,
         o.members_bucket, o.operating_status, o.exit_statuses, o.founded, o.deleted_at IS NULL)
    IS DISTINCT FROM
        (n.tags, n.countries, n.regions, n.cities, n.last_funding_stage, n.next_funding_stage,
         n.members_bucket, n.operating_status, n.exit_statuses, n.founded, n.deleted_at IS NULL);
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
         o.groups, o.members_bucket, o.operating_status, o.founded, o.deleted_at IS NULL)
    IS DISTINCT FROM
        (n.tags, n.countries, n.regions, n.cities, n.investment_stages, n.investment_types,
         n.groups, n.members_bucket, n.operating_status, n.founded, n.deleted_at IS NULL);
  RETURN NULL;
END $$;

-- A round that moves to another startup touches both.
CREATE FUNCTION venture.log_rounds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.facet_change (entity, id)
    SELECT 3, n.id FROM new_rows n
    UNION ALL SELECT DISTINCT 1, n.startup_id FROM new_rows n;
    RETURN NULL;
  END IF;
  WITH changed AS MATERIALIZED (
    (SELECT id, startup_id, series, year, deleted_at IS NULL, startup_deleted FROM new_rows
     EXCEPT SELECT id, startup_id, series, year, deleted_at IS NULL, startup_deleted FROM old_rows)
    UNION ALL
    (SELECT id, startup_id, series, year, deleted_at IS NULL, startup_deleted FROM old_rows
     EXCEPT SELECT id, startup_id, series, year, deleted_at IS NULL, startup_deleted FROM new_rows)
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

-- What was there before.
INSERT INTO venture.facet_change (entity, id)
SELECT 1, id FROM venture.startup
UNION ALL SELECT 2, id FROM venture.fund
UNION ALL SELECT 3, id FROM venture.funding_round;
