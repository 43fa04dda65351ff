-- The dimensions `investor` and `lead_investor`, whose values are ids of funds. `folded` is then the name of
-- the fund, which changes. Funds have the figure `FirstInvestmentDate`.

-- `version` is that of the batch that last changed `folded`: readers read such a value again.
ALTER TABLE venture.dimension_value ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE INDEX dimension_value_changed ON venture.dimension_value (version) WHERE version > 0;

CREATE OR REPLACE FUNCTION venture.log_funds() RETURNS trigger LANGUAGE plpgsql
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
  WHERE (o.name, o.tags, o.countries, o.regions, o.cities, o.investment_stages, o.investment_types,
         o.groups, o.members_bucket, o.members_count, o.operating_status, o.founded, o.location,
         o.investments_count, o.first_investment_date, o.last_investment_date,
         o.average_round_amount,
         o.deleted_at IS NULL)
    IS DISTINCT FROM
        (n.name, n.tags, n.countries, n.regions, n.cities, n.investment_stages, n.investment_types,
         n.groups, n.members_bucket, n.members_count, n.operating_status, n.founded, n.location,
         n.investments_count, n.first_investment_date, n.last_investment_date,
         n.average_round_amount,
         n.deleted_at IS NULL);
  -- The startups and the other funds of a round have its lead investor.
  INSERT INTO venture.facet_change (entity, id, reach)
  SELECT DISTINCT 3, p.round_id, 6
  FROM (SELECT n.id FROM old_rows o JOIN new_rows n ON n.id = o.id
        WHERE (o.deleted_at IS NULL) <> (n.deleted_at IS NULL)) AS f
  CROSS JOIN LATERAL (SELECT i.round_id FROM venture.round_investor i
    WHERE i.investor_id = f.id AND i.lead OFFSET 0) AS p;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION venture.log_round_investors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.facet_change (entity, id, reach)
    SELECT 3, n.round_id, CASE WHEN bool_or(n.lead) THEN 6 ELSE 0 END
    FROM new_rows n WHERE n.fund_id IS NOT NULL GROUP BY n.round_id
    UNION ALL SELECT DISTINCT 2, n.fund_id, 0 FROM new_rows n WHERE n.fund_id IS NOT NULL;
    RETURN NULL;
  END IF;
  WITH changed AS MATERIALIZED (
    (SELECT round_id, fund_id, lead, deleted_at IS NULL FROM new_rows
     EXCEPT SELECT round_id, fund_id, lead, deleted_at IS NULL FROM old_rows)
    UNION ALL
    (SELECT round_id, fund_id, lead, deleted_at IS NULL FROM old_rows
     EXCEPT SELECT round_id, fund_id, lead, deleted_at IS NULL FROM new_rows)
  )
  INSERT INTO venture.facet_change (entity, id, reach)
  SELECT 3, round_id, CASE WHEN bool_or(lead) THEN 6 ELSE 0 END
  FROM changed WHERE fund_id IS NOT NULL GROUP BY round_id
  UNION ALL SELECT DISTINCT 2, fund_id, 0 FROM changed WHERE fund_id IS NOT NULL;
  RETURN NULL;
END $$;

-- The indexer computes the values of all records.
INSERT INTO venture.facet_change (entity, id)
SELECT 2, id FROM venture.fund
UNION ALL SELECT 1, id FROM venture.startup
UNION ALL SELECT 3, id FROM venture.funding_round;
