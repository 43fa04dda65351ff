-- The operating status of startups (docs/spec/resources.md).

-- A status stated by a person (or Closed) is final. An inferred ProbablyClosed is Active while the
-- last confirmed round is less than three months old, by the day in UTC.
CREATE FUNCTION venture.operating_status(
    stated text, inferred text, last_funding_date date
  ) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN stated IS NOT NULL THEN stated
    WHEN inferred = 'ProbablyClosed'
      AND last_funding_date > (now() AT TIME ZONE 'UTC')::date - interval '3 months'
      THEN 'Active'
    ELSE inferred
  END;

-- The end of the three months is not a write, so this function updates the startups for which it
-- has passed, at most startups_max in one transaction. An import sequence that was the last to
-- change a startup stays so. Runs with the rights of the owner, so that the service needs no UPDATE
-- privilege on startups.
CREATE FUNCTION venture.sweep_operating_status(startups_max integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
  WITH due AS (
    SELECT id FROM venture.startup
    WHERE operating_status_stated IS NULL AND operating_status_inferred = 'ProbablyClosed'
      AND operating_status IS DISTINCT FROM venture.operating_status(
        operating_status_stated, operating_status_inferred, last_funding_date)
    ORDER BY id LIMIT startups_max
  ), swept AS (
    UPDATE venture.startup SET operating_status = NULL WHERE id IN (TABLE due)
    RETURNING id, revision
  ), carried AS (
    UPDATE venture.import_sequence q SET revision = s.revision FROM swept s
    WHERE q.record_id = s.id AND q.revision = s.revision - 1
  )
  SELECT count(*) FROM swept
$$;
