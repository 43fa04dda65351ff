-- Spec 3.2 rule 2 turns with the calendar: re-derives startups whose protection has ended, so many
-- in one transaction at most. A sequence of lines that was the last to change one still is. Runs with
-- the owner's rights, so that the service needs no right to update startups.
DROP FUNCTION venture.sweep_operating_status();
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
