-- The tables of records and relations, and the functions that their generated columns call. Every
-- record has its origin (source, source_key), the market date of the last applied change
-- (occurred_at), a revision that increases with each effective change of its facts, and a tombstone
-- (deleted_at).

CREATE SCHEMA IF NOT EXISTS venture;
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA venture;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA venture;
CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA venture;

-- Sorts text without regard to case and accents. No column has this collation, so equality stays
-- exact.
CREATE COLLATION venture.text_order (
  provider = icu, locale = 'und-u-ks-level1', deterministic = false
);

-- Removes differences of case, accents and compatibility forms, whatever the collation of the text:
-- `like` and the searches compare folded text. ASCII text needs lower() only, which takes a tenth
-- of the time. In plpgsql, because the call of a plain SQL function costs more than its work. A sigma at the
-- end of a word has another lower-case letter, ς, than lower() makes of Σ.
CREATE FUNCTION venture.fold(value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length(value) = length(value) THEN RETURN lower(value COLLATE "default"); END IF;
  RETURN replace(lower(venture.unaccent(
    'venture.unaccent'::regdictionary, normalize(value, NFKC)) COLLATE "default"), 'ς', 'σ');
END $$;

CREATE TEXT SEARCH CONFIGURATION venture.profile (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION venture.profile
  ALTER MAPPING FOR hword, hword_part, word WITH venture.unaccent, english_stem;

-- Words between blanks, without case and accents: the one preparation of texts for the full-text
-- search, stored and searched, because PostgreSQL's parser makes one token of AI/ML (a path) or
-- platform.We (a host) and a signed number of -19. A sign is a blank. Where words have no blanks between
-- them (Chinese, Japanese, Thai, Lao, Burmese, Khmer), each character is a word. Signs go before
-- venture.fold, which makes letters of some, and again after it, which makes signs of some letters.
CREATE FUNCTION venture.keyword_text(value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  signs CONSTANT text := '[!-/:-@\u005b-\u0060{-~\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7'
    || '\u02c2-\u02c5\u02d2-\u02df\u2000-\u206f\u20a0-\u20cf\u2116\u2117\u2120\u2122\u2190-\u245f'
    || '\u249c-\u24e9\u2500-\u2775\u2794-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d'
    || '\u30a0\u30fb\ue000-\uf8ff\ufe00-\ufe6f\ufeff\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40'
    || '\uff5b-\uff65\uffe0-\uffff\U0001f000-\U0001faff]+';
  unspaced CONSTANT text := '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff'
    || '\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uaa60-\uaa7f\uf900-\ufaff\U00020000-\U0003ffff])';
  words text := regexp_replace(value, signs, ' ', 'g');
BEGIN
  IF octet_length(words) = length(words) THEN RETURN lower(words COLLATE "default"); END IF;
  words := venture.fold(words);
  IF words ~ signs THEN words := regexp_replace(words, signs, ' ', 'g'); END IF;
  IF words ~ unspaced THEN words := regexp_replace(words, unspaced, ' \1 ', 'g'); END IF;
  RETURN words;
END $$;

-- A text in the syntax of a web search with its words prepared as stored ones: what is written
-- without a blank, AI/ML, is a phrase.
CREATE FUNCTION venture.keyword_query(value text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT websearch_to_tsquery('venture.profile'::regconfig, coalesce(string_agg(
      CASE
        WHEN lower(t.part[3]) = 'or' THEN 'or'
        ELSE t.part[1] || '"' || venture.keyword_text(coalesce(t.part[2], t.part[3])) || '"'
      END, ' ' ORDER BY t.position), ''))
    FROM regexp_matches(translate(value, '“”„', '"""'),
      '(-?)(?:"([^"]*)"?|([^[:space:]"]+))', 'g') WITH ORDINALITY AS t(part, position)
    WHERE venture.keyword_text(coalesce(t.part[2], t.part[3])) ~ '[^ ]');

-- The full-text search document of a profile: name, tags and description, of each of these two at most
-- 20,000 characters, because a tsvector has at most 1 MB.
CREATE FUNCTION venture.profile_document(name text, tags text[], description text)
  RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('venture.profile'::regconfig,
    venture.keyword_text(name || E'\n' || left(array_to_string(tags, ' , '), 20000)
      || E'\n' || left(coalesce(description, ''), 20000)));

-- The number of the headcount bucket (dimension team_size).
CREATE FUNCTION venture.members_bucket(members integer) RETURNS smallint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN members IS NULL OR members < 1 THEN NULL
    WHEN members <= 10 THEN 1 WHEN members <= 50 THEN 2 WHEN members <= 100 THEN 3
    WHEN members <= 250 THEN 4 WHEN members <= 500 THEN 5 WHEN members <= 1000 THEN 6
    WHEN members <= 5000 THEN 7 WHEN members <= 10000 THEN 8 ELSE 9
  END::smallint;

CREATE TABLE venture.startup (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  website text,
  domain text,
  description text,
  logo_url text,
  founded smallint,
  total_raised_reported bigint CHECK (total_raised_reported >= 0),
  -- TotalRaised as the source wrote it. Not facts of the profile: the amount in US dollars is one.
  total_raised_original numeric CHECK (total_raised_original >= 0),
  total_raised_currency char(3),
  tags text[] NOT NULL DEFAULT '{}',
  addresses jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(addresses) = 'array'),
  members_count integer CHECK (members_count >= 0),
  next_funding_stage_stated smallint CHECK (next_funding_stage_stated BETWEEN 1 AND 22),
  -- Written by the data worker; triggers clear it when it may no longer hold.
  next_funding_stage_predicted smallint
    CHECK (next_funding_stage_predicted BETWEEN 1 AND 22),
  primary_source text CHECK (primary_source IN ('Organic', 'FundWebsite', 'Media')),
  operating_status_stated text
    CHECK (operating_status_stated IN ('Active', 'ProbablyClosed', 'Closed')),
  operating_status_inferred text
    CHECK (operating_status_inferred IN ('Active', 'ProbablyClosed')),
  operating_status_source text CHECK (operating_status_source IN ('inferred', 'owner', 'editor')),
  -- Derived by triggers.
  operating_status_observed text
    CHECK (operating_status_observed IN ('Active', 'ProbablyClosed')),
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
  average_round_amount bigint,
  latest_post_valuation bigint,
  exit_statuses text[] NOT NULL DEFAULT '{}',
  name_folded text GENERATED ALWAYS AS (venture.fold(name)) STORED,
  -- venture.profile_document of the row, derived by triggers. An insert may state it: an import computes
  -- it while it stages the line.
  keywords tsvector,
  -- Origin and history.
  source text,
  source_key text,
  source_url text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The last change of a fact of the startup itself; null if none changed since the insert.
  -- updated_at also moves with every round, valuation and holding.
  facts_changed_at timestamptz(3),
  revision bigint NOT NULL DEFAULT 1,
  -- The transaction that last changed a fact: identifies the first change of several in one
  -- transaction. Compared together with updated_at, because transaction numbers restart when a dump
  -- is restored.
  changed_in xid8 DEFAULT pg_current_xact_id(),
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
  -- Derived by triggers.
  operating_status_observed text
    CHECK (operating_status_observed IN ('Active', 'ProbablyClosed')),
  location text,
  countries text[] NOT NULL DEFAULT '{}',
  regions text[] NOT NULL DEFAULT '{}',
  cities text[] NOT NULL DEFAULT '{}',
  members_bucket smallint GENERATED ALWAYS AS (venture.members_bucket(members_count)) STORED,
  operating_status text,
  investments_count integer NOT NULL DEFAULT 0,
  last_investment_date date,
  average_round_amount bigint,
  name_folded text GENERATED ALWAYS AS (venture.fold(name)) STORED,
  -- As that of a startup.
  keywords tsvector,
  -- Origin and history.
  source text,
  source_key text,
  source_url text,
  occurred_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  -- As in venture.startup.
  changed_in xid8 DEFAULT pg_current_xact_id(),
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
  -- The stage that a source stated, otherwise the one that the series names.
  stage smallint CHECK (stage BETWEEN 1 AND 22),
  stage_stated smallint CHECK (stage_stated BETWEEN 1 AND 22),
  stage_of_series smallint CHECK (stage_of_series BETWEEN 1 AND 22),
  amount bigint CHECK (amount >= 0),
  original_amount numeric CHECK (original_amount >= 0),
  original_currency char(3),
  confirmed boolean NOT NULL DEFAULT true,
  -- Derived by triggers: records of a deleted startup are in no listing and in no count.
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

-- The investors of a round: each is a fund or a person, never both.
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

-- The portfolios of funds. A holding is stated by a source, or implied by a round in which the fund
-- invested.
CREATE TABLE venture.holding (
  fund_id uuid NOT NULL REFERENCES venture.fund,
  startup_id uuid NOT NULL REFERENCES venture.startup,
  status text NOT NULL DEFAULT 'Held' CHECK (status IN ('Held', 'Exited', 'Acquired')),
  stated boolean NOT NULL DEFAULT true,
  first_investment_date date,
  last_investment_date date,
  rounds_count integer NOT NULL DEFAULT 0,
  -- Of the confirmed rounds with an amount.
  amounts_sum bigint NOT NULL DEFAULT 0,
  amounts_count integer NOT NULL DEFAULT 0,
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
  -- Derived by triggers.
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
  -- Derived by triggers.
  startup_deleted boolean NOT NULL DEFAULT false,
  fund_deleted boolean NOT NULL DEFAULT false,
  -- The companies that are not deleted. An item about two companies is listed until both are.
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

-- The sources of single facts about a startup, in addition to the origin of the record.
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

-- Observations of a company's site and social accounts (docs/spec/resources.md 4.14): one row per
-- address, with the last observation (its time is occurred_at) and a summary of the earlier ones, so
-- that the table does not grow with their number.
CREATE TABLE venture.observation (
  startup_id uuid REFERENCES venture.startup,
  fund_id uuid REFERENCES venture.fund,
  company_id uuid GENERATED ALWAYS AS (coalesce(startup_id, fund_id)) STORED,
  kind text NOT NULL CHECK (kind IN ('site', 'social')),
  url text NOT NULL,
  -- Of a site its host, as in the column domain of its company; of an account its host and path.
  address text NOT NULL,
  state text NOT NULL CHECK (state IN ('alive', 'parked', 'dead')),
  last_post_at timestamptz(3),
  -- Derived by triggers. The current sequence of observations that were not alive began at
  -- failing_since and has observations on failing_days days (UTC).
  last_alive_at timestamptz(3),
  failing_since timestamptz(3),
  failing_days smallint NOT NULL DEFAULT 0,
  newest_post_at timestamptz(3),
  condition text NOT NULL DEFAULT 'unknown'
    CHECK (condition IN ('active', 'quiet', 'gone', 'unknown')),
  -- When the condition may change by time alone.
  turns_at timestamptz(3),
  -- The source of the first import that states the address; 'find' or 'sweep' before that.
  source text,
  source_key text,
  occurred_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  deleted_at timestamptz(3),
  PRIMARY KEY (company_id, kind, address),
  CHECK (num_nonnulls(startup_id, fund_id) = 1)
);

-- Derived by triggers: computed fields that change when other records do. In tables of their own,
-- because a change of a row of startup or fund rewrites its entries in some thirty indexes. A company
-- without a row has no investors, or no portfolio.
CREATE TABLE venture.startup_computed (
  id uuid PRIMARY KEY REFERENCES venture.startup,
  investor_names text[] NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE venture.fund_computed (
  id uuid PRIMARY KEY REFERENCES venture.fund,
  exit_rate double precision,
  latest_investments text[] NOT NULL,
  -- The startups of the portfolio.
  startups_count integer NOT NULL
) WITH (fillfactor = 80);
