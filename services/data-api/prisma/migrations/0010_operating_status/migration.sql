-- The operating status of companies (docs/spec/resources.md 4.14). The pure functions are those of
-- packages/venture-model/src/operating-status; a test compares both for all inputs.

-- The time of all decisions. A function of its own, so that tests can set it.
CREATE FUNCTION venture.status_clock() RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN now();

-- A status stated by a person (or Closed) is final. Observations have precedence over an imported
-- inference. An inferred ProbablyClosed is Active while the last confirmed round is less than three
-- months old, by the day in UTC; a fund has no such date.
CREATE FUNCTION venture.operating_status(
    stated text, observed text, inferred text, last_funding_date date
  ) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN stated IS NOT NULL THEN stated
    WHEN coalesce(observed, inferred) = 'ProbablyClosed'
      AND last_funding_date > (venture.status_clock() AT TIME ZONE 'UTC')::date - interval '3 months'
      THEN 'Active'
    ELSE coalesce(observed, inferred)
  END;

-- The condition of a site or an account at a time. Hours, because a day has 23 to 25 of them in some
-- time zones.
CREATE FUNCTION venture.observation_condition(o venture.observation, moment timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN (o).state = 'dead' AND (o).failing_days >= 3
      AND (o).occurred_at - (o).failing_since >= interval '336 hours' THEN 'gone'
    WHEN (o).state = 'parked' AND (o).failing_days >= 2
      AND (o).occurred_at - (o).failing_since >= interval '168 hours' THEN 'gone'
    WHEN (o).newest_post_at + interval '8760 hours' <= moment
      AND (o).last_alive_at >= (o).newest_post_at + interval '4320 hours' THEN 'quiet'
    WHEN CASE (o).kind WHEN 'site' THEN (o).last_alive_at ELSE (o).newest_post_at END
      + interval '8760 hours' > moment THEN 'active'
    ELSE 'unknown'
  END;

-- The next time after `moment` at which that condition may change without an observation.
CREATE FUNCTION venture.observation_turns_at(o venture.observation, moment timestamptz)
  RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (
    SELECT min(sign + interval '8760 hours')
    FROM (VALUES ((o).newest_post_at), ((o).last_alive_at)) AS signs(sign)
    WHERE sign + interval '8760 hours' > moment);

-- The status that the condition of the site and that of the accounts result in; null if they are
-- inconclusive.
CREATE FUNCTION venture.observed_status(site text, social text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN social = 'active' OR site = 'active' THEN 'Active'
    WHEN site = 'gone' OR (site = 'quiet' AND social = 'quiet') THEN 'ProbablyClosed'
  END;

-- The observed status of a company. Only the site counts that is its Website now. Of the accounts
-- the most active one counts.
CREATE FUNCTION venture.observed_status_of(company uuid, site_domain text) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (
    SELECT venture.observed_status(
      coalesce(max(o.condition) FILTER (WHERE o.kind = 'site' AND o.address = site_domain),
        'unknown'),
      CASE
        WHEN bool_or(o.kind = 'social' AND o.condition = 'active') THEN 'active'
        WHEN bool_or(o.kind = 'social' AND o.condition IN ('quiet', 'gone')) THEN 'quiet'
        ELSE 'unknown'
      END)
    FROM venture.observation o WHERE o.company_id = company AND o.deleted_at IS NULL);

-- Adds a new observation to the summary of its address.
CREATE FUNCTION venture.observation_before_write() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_first boolean := TG_OP = 'INSERT';
BEGIN
  IF is_first OR (NEW.occurred_at, NEW.state, NEW.last_post_at)
                 IS DISTINCT FROM (OLD.occurred_at, OLD.state, OLD.last_post_at) THEN
    NEW.newest_post_at := NEW.last_post_at;
    IF NOT is_first THEN
      NEW.newest_post_at := greatest(OLD.newest_post_at, NEW.last_post_at);
    END IF;
    IF NEW.state = 'alive' THEN
      NEW.last_alive_at := NEW.occurred_at;
      NEW.failing_since := NULL;
      NEW.failing_days := 0;
    ELSIF is_first OR OLD.failing_since IS NULL THEN
      NEW.failing_since := NEW.occurred_at;
      NEW.failing_days := 1;
    ELSIF (NEW.occurred_at AT TIME ZONE 'UTC')::date > (OLD.occurred_at AT TIME ZONE 'UTC')::date
    THEN
      NEW.failing_days := least(OLD.failing_days + 1, 1000);
    END IF;
  END IF;
  NEW.condition := venture.observation_condition(NEW, venture.status_clock());
  NEW.turns_at := venture.observation_turns_at(NEW, venture.status_clock());
  RETURN NEW;
END $$;

-- The name sorts after before_update, which compares the columns that writers set.
CREATE TRIGGER before_write BEFORE INSERT OR UPDATE ON venture.observation
  FOR EACH ROW EXECUTE FUNCTION venture.observation_before_write();

-- Updates the status of companies after the condition of an address changed. An import sequence that
-- was the last to change a company stays so.
CREATE FUNCTION venture.keep_observed_statuses(startup_ids uuid[], fund_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM venture.startup WHERE id = ANY (startup_ids) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM venture.fund WHERE id = ANY (fund_ids) ORDER BY id FOR NO KEY UPDATE;
  WITH startups AS (
    UPDATE venture.startup s SET operating_status_observed = k.observed
    FROM (
      SELECT id, revision, venture.observed_status_of(id, domain) AS observed
      FROM venture.startup WHERE id = ANY (startup_ids)) k
    WHERE s.id = k.id AND s.operating_status_observed IS DISTINCT FROM k.observed
    RETURNING s.id, s.revision, k.revision AS revision_before
  ), funds AS (
    UPDATE venture.fund f SET operating_status_observed = k.observed
    FROM (
      SELECT id, revision, venture.observed_status_of(id, domain) AS observed
      FROM venture.fund WHERE id = ANY (fund_ids)) k
    WHERE f.id = k.id AND f.operating_status_observed IS DISTINCT FROM k.observed
    RETURNING f.id, f.revision, k.revision AS revision_before
  )
  UPDATE venture.import_sequence q SET revision = c.revision
  FROM (TABLE startups UNION ALL TABLE funds) c
  WHERE q.record_id = c.id AND q.revision = c.revision_before AND c.revision > c.revision_before;
END $$;

CREATE FUNCTION venture.after_observations_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM venture.keep_observed_statuses(
      ARRAY(SELECT DISTINCT startup_id FROM new_rows WHERE startup_id IS NOT NULL),
      ARRAY(SELECT DISTINCT fund_id FROM new_rows WHERE fund_id IS NOT NULL));
    RETURN NULL;
  END IF;
  PERFORM venture.keep_observed_statuses(
    array_agg(DISTINCT c.startup_id) FILTER (WHERE c.startup_id IS NOT NULL),
    array_agg(DISTINCT c.fund_id) FILTER (WHERE c.fund_id IS NOT NULL))
  FROM (
    SELECT startup_id, fund_id, address, kind, condition, deleted_at IS NULL FROM new_rows
    EXCEPT SELECT startup_id, fund_id, address, kind, condition, deleted_at IS NULL FROM old_rows
  ) c HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER after_insert AFTER INSERT ON venture.observation
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_observations_changed();
CREATE TRIGGER after_update AFTER UPDATE ON venture.observation
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION venture.after_observations_changed();

-- Records an observation of the service itself, and returns whether it did: not if an observation of
-- the address is as new (unless it is in the future), or the company does not exist. Of the addresses
-- that no import states, a company keeps the 20 observed last. Locks the company first, as
-- turn_observations does. Runs with the rights of the owner, so that the service needs no privileges
-- on the tables.
CREATE FUNCTION venture.record_observation(
    of_startup uuid, of_fund uuid, of_kind text, at_url text, at_address text, seen_state text,
    seen_at timestamptz, post_at timestamptz, seen_by text
  ) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
DECLARE
  is_new boolean;
BEGIN
  IF of_startup IS NOT NULL THEN
    PERFORM FROM venture.startup WHERE id = of_startup AND deleted_at IS NULL FOR NO KEY UPDATE;
  ELSE
    PERFORM FROM venture.fund WHERE id = of_fund AND deleted_at IS NULL FOR NO KEY UPDATE;
  END IF;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO venture.observation AS o
    (startup_id, fund_id, kind, url, address, state, last_post_at, source, occurred_at)
  VALUES (of_startup, of_fund, of_kind, at_url, at_address, seen_state, post_at, seen_by, seen_at)
  ON CONFLICT (company_id, kind, address) DO UPDATE SET
    url = excluded.url, state = excluded.state,
    last_post_at = excluded.last_post_at, occurred_at = excluded.occurred_at, deleted_at = NULL,
    source = CASE WHEN o.source_key IS NULL THEN excluded.source ELSE o.source END
  WHERE excluded.occurred_at > o.occurred_at OR o.occurred_at > venture.status_clock();
  is_new := FOUND;
  DELETE FROM venture.observation o USING (
    SELECT company_id, kind, address FROM venture.observation
    WHERE company_id = coalesce(of_startup, of_fund) AND source_key IS NULL
    ORDER BY occurred_at DESC, kind, address OFFSET 20) old
  WHERE (o.company_id, o.kind, o.address) = (old.company_id, old.kind, old.address);
  -- The deleted addresses no longer count.
  IF FOUND THEN
    PERFORM venture.keep_observed_statuses(ARRAY[of_startup], ARRAY[of_fund]);
  END IF;
  RETURN is_new;
END $$;

-- The passing of time is not a write, so this function recalculates the addresses whose condition
-- may have changed by now, at most observations_max in one transaction. Runs with the rights of the
-- owner.
CREATE FUNCTION venture.turn_observations(observations_max integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
DECLARE
  companies uuid[];
  kinds text[];
  addresses text[];
  turned bigint;
BEGIN
  SELECT array_agg(company_id), array_agg(kind), array_agg(address)
  INTO companies, kinds, addresses
  FROM (
    SELECT company_id, kind, address FROM venture.observation
    WHERE turns_at <= venture.status_clock() ORDER BY turns_at LIMIT observations_max) due;
  PERFORM FROM venture.startup WHERE id = ANY (companies) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM venture.fund WHERE id = ANY (companies) ORDER BY id FOR NO KEY UPDATE;
  UPDATE venture.observation o SET turns_at = NULL
  FROM unnest(companies, kinds, addresses) AS due(company_id, kind, address)
  WHERE (o.company_id, o.kind, o.address) = (due.company_id, due.kind, due.address);
  GET DIAGNOSTICS turned = ROW_COUNT;
  RETURN turned;
END $$;

-- Neither is the end of the three months, so this function updates the startups for which it has
-- passed, at most startups_max in one transaction. An import sequence that was the last to change a
-- startup stays so. Runs with the rights of the owner.
CREATE FUNCTION venture.sweep_operating_status(startups_max integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
  WITH due AS (
    SELECT id FROM venture.startup
    WHERE operating_status_stated IS NULL
      AND coalesce(operating_status_observed, operating_status_inferred) = 'ProbablyClosed'
      AND operating_status IS DISTINCT FROM venture.operating_status(
        operating_status_stated, operating_status_observed, operating_status_inferred,
        last_funding_date)
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
