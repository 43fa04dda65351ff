-- Which statements are of one company (docs/spec/one-company.md 25.11): the evidence, and an operator's rulings.

-- Compared pairs that are one company or that an operator may decide; the others are apart.
CREATE TABLE venture.company_pair (
  entity smallint NOT NULL CHECK (entity IN (1, 2)),
  low_id uuid NOT NULL,
  high_id uuid NOT NULL CHECK (high_id > low_id),
  -- The logarithm of the odds that both are one company.
  weight real NOT NULL,
  -- `merged`: they are one company; `review`: an operator may decide.
  verdict text NOT NULL CHECK (verdict IN ('merged', 'review')),
  veto text,
  PRIMARY KEY (entity, low_id, high_id)
);
CREATE INDEX company_pair_review ON venture.company_pair (weight DESC, low_id) WHERE verdict = 'review';

-- An operator's decisions, which no run overrules.
CREATE TABLE venture.company_ruling (
  entity smallint NOT NULL CHECK (entity IN (1, 2)),
  low_id uuid NOT NULL,
  high_id uuid NOT NULL CHECK (high_id > low_id),
  verdict text NOT NULL CHECK (verdict IN ('merge', 'apart')),
  ruled_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (entity, low_id, high_id)
);

-- The last complete run: the imports that it has seen, and the version of the method.
CREATE TABLE venture.resolution_run (
  entity smallint PRIMARY KEY CHECK (entity IN (1, 2)),
  imports_until timestamptz(3) NOT NULL,
  method integer NOT NULL,
  statements bigint NOT NULL,
  resolved_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Ranks a source (null: without a rank) and derives at most this many merged companies that have a statement of it
-- and come after an id. Returns the last of them, null if none is left. Like a merge it is no event of the market.
CREATE FUNCTION venture.rank_source(ranked text, new_rank integer, of_entity smallint, after uuid, companies_max integer)
  RETURNS uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
DECLARE
  companies uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(1986225267, 1836214117);
  IF new_rank IS NULL THEN
    DELETE FROM venture.source_rank WHERE source = ranked;
  ELSE
    INSERT INTO venture.source_rank (source, rank) VALUES (ranked, new_rank)
    ON CONFLICT (source) DO UPDATE SET rank = EXCLUDED.rank;
  END IF;
  EXECUTE format('SELECT array_agg(c.company_id ORDER BY c.company_id) FROM (
      SELECT DISTINCT m.company_id FROM venture.company_member m JOIN stated.%I s ON s.id = m.member_id
      WHERE m.entity = $1 AND s.source = $2 AND ($3 IS NULL OR m.company_id > $3)
      ORDER BY m.company_id LIMIT $4) c', CASE of_entity WHEN 1 THEN 'startup' ELSE 'fund' END)
    INTO companies USING of_entity, ranked, after, companies_max;
  IF companies IS NULL THEN RETURN NULL; END IF;
  PERFORM set_config('venture.silent', 'on', true), set_config('venture.derive', 'later', true);
  IF of_entity = 1 THEN PERFORM venture.derive_records(companies, '{}');
  ELSE PERFORM venture.derive_records('{}', companies);
  END IF;
  PERFORM venture.keep_due();
  PERFORM set_config('venture.silent', '', true);
  RETURN companies[cardinality(companies)];
END $$;
