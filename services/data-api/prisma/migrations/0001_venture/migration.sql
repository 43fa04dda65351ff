-- The venture schema: records, relations, and the columns kept up to date from them.
-- Every record carries its origin (source, source_key), the market date of the last change applied
-- (occurred_at), a revision that rises with each effective change of its own facts, and a tombstone.

CREATE SCHEMA IF NOT EXISTS venture;
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA venture;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA venture;

-- Text sorts without regard to case and accents; equality stays exact because no column uses it.
CREATE COLLATION venture.text_order (
  provider = icu, locale = 'und-u-ks-level1', deterministic = false
);

-- Case, accents and compatibility forms folded away: what `like` and searches compare.
CREATE FUNCTION venture.fold(value text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN lower(venture.unaccent('venture.unaccent'::regdictionary, normalize(value, NFKC)));

-- A pattern for LIKE over folded text: '%' and '_' stand for themselves, '=text' is a literal.
CREATE FUNCTION venture.like_pattern(parts text[]) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT coalesce(string_agg(
      CASE WHEN p.part IN ('%', '_') THEN p.part
           ELSE regexp_replace(venture.fold(substr(p.part, 2)), '([\\%_])', '\\\1', 'g') END,
      '' ORDER BY p.position), '')
    FROM unnest(parts) WITH ORDINALITY AS p(part, position)
  );

CREATE TEXT SEARCH CONFIGURATION venture.profile (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION venture.profile
  ALTER MAPPING FOR hword, hword_part, word WITH venture.unaccent, english_stem;

-- The full text of a profile: name, tags and description.
CREATE FUNCTION venture.profile_document(name text, tags text[], description text)
  RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('venture.profile'::regconfig,
    name || E'\n' || array_to_string(tags, ' , ') || E'\n' || left(coalesce(description, ''), 20000));

-- Headcount bucket ordinals of the team_size dimension.
CREATE FUNCTION venture.members_bucket(members integer) RETURNS smallint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN members IS NULL OR members < 1 THEN NULL
    WHEN members <= 10 THEN 1 WHEN members <= 50 THEN 2 WHEN members <= 100 THEN 3
    WHEN members <= 250 THEN 4 WHEN members <= 500 THEN 5 WHEN members <= 1000 THEN 6
    WHEN members <= 5000 THEN 7 WHEN members <= 10000 THEN 8 ELSE 9
  END::smallint;

-- The stage expected after a stage, where experience has one.
CREATE FUNCTION venture.expected_stage(stage smallint) RETURNS smallint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN stage IN (1, 2) THEN 3 WHEN stage BETWEEN 3 AND 10 THEN stage + 1
              WHEN stage = 11 THEN 13 END::smallint;

-- Spec 3.2: a status stated by a person (or Closed) stands; an inference of ProbablyClosed yields
-- while the last confirmed round is less than three months old.
CREATE FUNCTION venture.operating_status(stated text, inferred text, last_funding_date date)
  RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN stated IS NOT NULL THEN stated
    WHEN inferred = 'ProbablyClosed' AND last_funding_date > current_date - interval '3 months'
      THEN 'Active'
    ELSE inferred
  END;

-- The distinct values of one part of an array of addresses, in the order written.
CREATE FUNCTION venture.address_part(addresses jsonb, part text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT a.value ->> part FROM jsonb_array_elements(addresses) WITH ORDINALITY AS a
    WHERE a.value ->> part IS NOT NULL
    GROUP BY a.value ->> part ORDER BY min(a.ordinality)
  );

CREATE TABLE venture.startup (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  website text,
  domain text,
  description text,
  logo_url text,
  founded smallint,
  total_raised_reported bigint CHECK (total_raised_reported >= 0),
  tags text[] NOT NULL DEFAULT '{}',
  addresses jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(addresses) = 'array'),
  members_count integer CHECK (members_count >= 0),
  next_funding_stage_stated smallint CHECK (next_funding_stage_stated BETWEEN 1 AND 22),
  primary_source text CHECK (primary_source IN ('Organic', 'FundWebsite', 'Media')),
  operating_status_stated text
    CHECK (operating_status_stated IN ('Active', 'ProbablyClosed', 'Closed')),
  operating_status_inferred text
    CHECK (operating_status_inferred IN ('Active', 'ProbablyClosed')),
  operating_status_source text CHECK (operating_status_source IN ('inferred', 'owner', 'editor')),
  -- kept by triggers
  location text,
  countries text[] NOT NULL DEFAULT '{}',
  regions text[] NOT NULL DEFAULT '{}',
  cities text[] NOT NULL DEFAULT '{}',
  members_bucket smallint GENERATED ALWAYS AS (venture.members_bucket(members_count)) STORED,
  operating_status text,
  total_raised bigint,
  confirmed_raised bigint,
  last_funding_stage smallint,
  last_funding_date date,
  next_funding_stage smallint,
  rounds_count integer NOT NULL DEFAULT 0,
  latest_post_valuation bigint,
  exit_statuses text[] NOT NULL DEFAULT '{}',
  name_folded text GENERATED ALWAYS AS (venture.fold(name)) STORED,
  keywords tsvector GENERATED ALWAYS AS (venture.profile_document(name, tags, description)) STORED,
  -- origin and history
  source text,
  source_key text,
  source_url text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3)
);

CREATE TABLE venture.fund (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  website text,
  domain text,
  description text,
  logo_url text,
  founded smallint,
  tags text[] NOT NULL DEFAULT '{}',
  addresses jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(addresses) = 'array'),
  members_count integer CHECK (members_count >= 0),
  investment_stages smallint[] NOT NULL DEFAULT '{}',
  investment_types text[] NOT NULL DEFAULT '{}',
  groups text[] NOT NULL DEFAULT '{}',
  operating_status_stated text
    CHECK (operating_status_stated IN ('Active', 'ProbablyClosed', 'Closed')),
  operating_status_inferred text
    CHECK (operating_status_inferred IN ('Active', 'ProbablyClosed')),
  operating_status_source text CHECK (operating_status_source IN ('inferred', 'owner', 'editor')),
  -- kept by triggers
  location text,
  countries text[] NOT NULL DEFAULT '{}',
  regions text[] NOT NULL DEFAULT '{}',
  cities text[] NOT NULL DEFAULT '{}',
  members_bucket smallint GENERATED ALWAYS AS (venture.members_bucket(members_count)) STORED,
  operating_status text,
  investments_count integer NOT NULL DEFAULT 0,
  last_investment_date date,
  name_folded text GENERATED ALWAYS AS (venture.fold(name)) STORED,
  keywords tsvector GENERATED ALWAYS AS (venture.profile_document(name, tags, description)) STORED,
  -- origin and history
  source text,
  source_key text,
  source_url text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3)
);

CREATE TABLE venture.person (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  first_name text,
  last_name text,
  role text CHECK (role IN ('founder', 'investor', 'both')),
  title text,
  location text,
  countries text[] NOT NULL DEFAULT '{}',
  name_folded text GENERATED ALWAYS AS (venture.fold(name)) STORED,
  source text,
  source_key text,
  source_url text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3)
);

CREATE TABLE venture.funding_round (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  startup_id uuid NOT NULL REFERENCES venture.startup,
  date date,
  year smallint GENERATED ALWAYS AS (extract(year FROM date)::smallint) STORED,
  series text,
  stage smallint CHECK (stage BETWEEN 1 AND 22),
  amount bigint CHECK (amount >= 0),
  original_amount numeric CHECK (original_amount >= 0),
  original_currency char(3),
  confirmed boolean NOT NULL DEFAULT true,
  -- kept by triggers: a record of a deleted startup is listed and counted nowhere
  startup_deleted boolean NOT NULL DEFAULT false,
  source text,
  source_key text,
  source_url text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3)
);

-- Who took part in a round: a fund or a person, never both.
CREATE TABLE venture.round_investor (
  round_id uuid NOT NULL REFERENCES venture.funding_round,
  investor_id uuid GENERATED ALWAYS AS (coalesce(fund_id, person_id)) STORED,
  fund_id uuid REFERENCES venture.fund,
  person_id uuid REFERENCES venture.person,
  lead boolean NOT NULL DEFAULT false,
  source text,
  source_key text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3),
  PRIMARY KEY (round_id, investor_id),
  CHECK (num_nonnulls(fund_id, person_id) = 1)
);

-- A fund's portfolio. A holding is stated by a source, or implied by a round the fund took part in.
CREATE TABLE venture.holding (
  fund_id uuid NOT NULL REFERENCES venture.fund,
  startup_id uuid NOT NULL REFERENCES venture.startup,
  status text NOT NULL DEFAULT 'Held' CHECK (status IN ('Held', 'Exited', 'Acquired')),
  stated boolean NOT NULL DEFAULT true,
  first_investment_date date,
  last_investment_date date,
  rounds_count integer NOT NULL DEFAULT 0,
  source text,
  source_key text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3),
  PRIMARY KEY (fund_id, startup_id)
);

CREATE TABLE venture.post_valuation (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  startup_id uuid NOT NULL REFERENCES venture.startup,
  round_id uuid REFERENCES venture.funding_round,
  date date,
  year smallint GENERATED ALWAYS AS (extract(year FROM date)::smallint) STORED,
  amount bigint CHECK (amount >= 0),
  original_amount numeric CHECK (original_amount >= 0),
  original_currency char(3),
  estimated boolean NOT NULL DEFAULT false,
  -- kept by triggers
  startup_deleted boolean NOT NULL DEFAULT false,
  source text,
  source_key text,
  source_url text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3)
);

CREATE TABLE venture.news (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  title text NOT NULL,
  url text,
  publisher text,
  date date,
  startup_id uuid REFERENCES venture.startup,
  fund_id uuid REFERENCES venture.fund,
  -- kept by triggers
  startup_deleted boolean NOT NULL DEFAULT false,
  fund_deleted boolean NOT NULL DEFAULT false,
  -- The companies that are not deleted. An item about two companies is listed while one remains.
  live_startup_id uuid
    GENERATED ALWAYS AS (CASE WHEN NOT startup_deleted THEN startup_id END) STORED,
  live_fund_id uuid GENERATED ALWAYS AS (CASE WHEN NOT fund_deleted THEN fund_id END) STORED,
  companies_deleted boolean GENERATED ALWAYS AS (
    num_nonnulls(startup_id, fund_id) > 0
    AND (startup_id IS NULL OR startup_deleted) AND (fund_id IS NULL OR fund_deleted)) STORED,
  title_folded text GENERATED ALWAYS AS (venture.fold(title)) STORED,
  source text,
  source_key text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3)
);

-- The people at a company.
CREATE TABLE venture.startup_person (
  startup_id uuid NOT NULL REFERENCES venture.startup,
  person_id uuid NOT NULL REFERENCES venture.person,
  title text,
  since date,
  source text,
  source_key text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3),
  PRIMARY KEY (startup_id, person_id)
);

CREATE TABLE venture.fund_person (
  fund_id uuid NOT NULL REFERENCES venture.fund,
  person_id uuid NOT NULL REFERENCES venture.person,
  title text,
  since date,
  source text,
  source_key text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3),
  PRIMARY KEY (fund_id, person_id)
);

-- Where single facts about a startup come from, beyond the origin of the record itself.
CREATE TABLE venture.reference (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  startup_id uuid NOT NULL REFERENCES venture.startup,
  field text NOT NULL,
  fact_source text NOT NULL,
  url text,
  retrieved_at timestamptz(3),
  confidence text NOT NULL DEFAULT 'confirmed' CHECK (confidence IN ('confirmed', 'estimated')),
  source text,
  source_key text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3)
);

-- The spelling in use for each tag and place, and how often each spelling was written.
CREATE TABLE venture.term (
  kind text NOT NULL CHECK (kind IN ('tag', 'country', 'region', 'city', 'group')),
  -- Of a city or region, the folded country it lies in: places of two countries are two places.
  country text NOT NULL DEFAULT '',
  folded text NOT NULL,
  label text NOT NULL,
  PRIMARY KEY (kind, country, folded)
);

CREATE TABLE venture.term_spelling (
  kind text NOT NULL,
  country text NOT NULL DEFAULT '',
  folded text NOT NULL,
  spelling text NOT NULL,
  uses bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, country, folded, spelling),
  FOREIGN KEY (kind, country, folded) REFERENCES venture.term ON DELETE CASCADE
);

-- US dollars for one unit of a currency, from that date until the next one.
CREATE TABLE venture.usd_rate (
  currency char(3) NOT NULL,
  date date NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  origin text NOT NULL,
  PRIMARY KEY (currency, date)
);

CREATE TABLE venture.import_run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  file text NOT NULL,
  mapping text,
  state text NOT NULL DEFAULT 'staging'
    CHECK (state IN ('staging', 'applying', 'applied', 'refused', 'failed')),
  lines_read bigint NOT NULL DEFAULT 0,
  inserted bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  deleted bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  duplicates bigint NOT NULL DEFAULT 0,
  stale bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3)
);

-- Sort orders: nulls first ascending; a backward scan serves descending. Every order ends with id.
CREATE INDEX startup_name ON venture.startup (name COLLATE venture.text_order NULLS FIRST, id);
CREATE INDEX startup_founded ON venture.startup (founded NULLS FIRST, id);
CREATE INDEX startup_total_raised ON venture.startup (total_raised NULLS FIRST, id);
CREATE INDEX startup_members_count ON venture.startup (members_count NULLS FIRST, id);
CREATE INDEX startup_last_funding_stage ON venture.startup (last_funding_stage NULLS FIRST, id);
CREATE INDEX startup_next_funding_stage ON venture.startup (next_funding_stage NULLS FIRST, id);
CREATE INDEX startup_last_funding_date ON venture.startup (last_funding_date NULLS FIRST, id);
CREATE INDEX startup_rounds_count ON venture.startup (rounds_count NULLS FIRST, id);
CREATE INDEX startup_latest_post_valuation
  ON venture.startup (latest_post_valuation NULLS FIRST, id);
CREATE INDEX startup_created_at ON venture.startup (created_at NULLS FIRST, id);
CREATE INDEX startup_updated_at ON venture.startup (updated_at NULLS FIRST, id);
CREATE INDEX startup_domain ON venture.startup (domain);
CREATE INDEX startup_website ON venture.startup USING hash (website);
CREATE INDEX startup_location ON venture.startup (location);
CREATE INDEX startup_operating_status ON venture.startup (operating_status);
CREATE INDEX startup_primary_source ON venture.startup (primary_source);
CREATE INDEX startup_members_bucket ON venture.startup (members_bucket);
CREATE INDEX startup_tags ON venture.startup USING gin (tags);
CREATE INDEX startup_countries ON venture.startup USING gin (countries);
CREATE INDEX startup_regions ON venture.startup USING gin (regions);
CREATE INDEX startup_cities ON venture.startup USING gin (cities);
CREATE INDEX startup_exit_statuses ON venture.startup USING gin (exit_statuses);
CREATE INDEX startup_keywords ON venture.startup USING gin (keywords);
CREATE INDEX startup_name_folded ON venture.startup USING gin (name_folded venture.gin_trgm_ops);

CREATE INDEX fund_name ON venture.fund (name COLLATE venture.text_order NULLS FIRST, id);
CREATE INDEX fund_founded ON venture.fund (founded NULLS FIRST, id);
CREATE INDEX fund_members_count ON venture.fund (members_count NULLS FIRST, id);
CREATE INDEX fund_investments_count ON venture.fund (investments_count NULLS FIRST, id);
CREATE INDEX fund_last_investment_date ON venture.fund (last_investment_date NULLS FIRST, id);
CREATE INDEX fund_created_at ON venture.fund (created_at NULLS FIRST, id);
CREATE INDEX fund_updated_at ON venture.fund (updated_at NULLS FIRST, id);
CREATE INDEX fund_domain ON venture.fund (domain);
CREATE INDEX fund_tags ON venture.fund USING gin (tags);
CREATE INDEX fund_countries ON venture.fund USING gin (countries);
CREATE INDEX fund_regions ON venture.fund USING gin (regions);
CREATE INDEX fund_cities ON venture.fund USING gin (cities);
CREATE INDEX fund_investment_stages ON venture.fund USING gin (investment_stages);
CREATE INDEX fund_investment_types ON venture.fund USING gin (investment_types);
CREATE INDEX fund_groups ON venture.fund USING gin (groups);
CREATE INDEX fund_keywords ON venture.fund USING gin (keywords);
CREATE INDEX fund_name_folded ON venture.fund USING gin (name_folded venture.gin_trgm_ops);

CREATE INDEX person_name ON venture.person (name COLLATE venture.text_order NULLS FIRST, id);
CREATE INDEX person_created_at ON venture.person (created_at NULLS FIRST, id);
CREATE INDEX person_updated_at ON venture.person (updated_at NULLS FIRST, id);
CREATE INDEX person_countries ON venture.person USING gin (countries);
CREATE INDEX person_location ON venture.person (location);
CREATE INDEX person_name_folded ON venture.person USING gin (name_folded venture.gin_trgm_ops);

CREATE INDEX funding_round_startup ON venture.funding_round (startup_id, date);
CREATE INDEX funding_round_date ON venture.funding_round (date NULLS FIRST, id);
CREATE INDEX funding_round_year ON venture.funding_round (year NULLS FIRST, id);
CREATE INDEX funding_round_stage ON venture.funding_round (stage NULLS FIRST, id);
CREATE INDEX funding_round_amount ON venture.funding_round (amount NULLS FIRST, id);
CREATE INDEX funding_round_series ON venture.funding_round (series);
CREATE INDEX funding_round_created_at ON venture.funding_round (created_at NULLS FIRST, id);
CREATE INDEX funding_round_updated_at ON venture.funding_round (updated_at NULLS FIRST, id);
CREATE INDEX round_investor_investor ON venture.round_investor (investor_id);

CREATE INDEX holding_startup ON venture.holding (startup_id);
CREATE INDEX startup_person_person ON venture.startup_person (person_id);
CREATE INDEX fund_person_person ON venture.fund_person (person_id);
CREATE INDEX reference_startup ON venture.reference (startup_id);

CREATE INDEX post_valuation_startup ON venture.post_valuation (startup_id, date);
CREATE INDEX post_valuation_round ON venture.post_valuation (round_id);
CREATE INDEX post_valuation_date ON venture.post_valuation (date NULLS FIRST, id);
CREATE INDEX post_valuation_year ON venture.post_valuation (year NULLS FIRST, id);
CREATE INDEX post_valuation_amount ON venture.post_valuation (amount NULLS FIRST, id);
CREATE INDEX post_valuation_created_at ON venture.post_valuation (created_at NULLS FIRST, id);
CREATE INDEX post_valuation_updated_at ON venture.post_valuation (updated_at NULLS FIRST, id);

CREATE INDEX news_date ON venture.news (date NULLS FIRST, id);
CREATE INDEX news_startup ON venture.news (live_startup_id, date);
CREATE INDEX news_fund ON venture.news (live_fund_id, date);
CREATE INDEX news_startup_deleted ON venture.news (startup_id) WHERE startup_deleted;
CREATE INDEX news_fund_deleted ON venture.news (fund_id) WHERE fund_deleted;
CREATE INDEX news_publisher ON venture.news (publisher);
CREATE INDEX news_created_at ON venture.news (created_at NULLS FIRST, id);
CREATE INDEX news_updated_at ON venture.news (updated_at NULLS FIRST, id);
CREATE INDEX news_title_folded ON venture.news USING gin (title_folded venture.gin_trgm_ops);

-- Correlated columns: without these the planner multiplies their selectivities.
CREATE STATISTICS venture.startup_place (dependencies, mcv)
  ON countries, regions, cities FROM venture.startup;
CREATE STATISTICS venture.fund_place (dependencies, mcv)
  ON countries, regions, cities FROM venture.fund;
