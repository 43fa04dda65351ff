-- The day an inference is judged by is that of UTC, whatever the time zone of the writer's session.
CREATE OR REPLACE FUNCTION venture.operating_status(
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
