-- Tables of the importer, the facet index, the signal feed and trained models.

-- Import.

-- Each run stages its lines in its own tables in this schema and drops them when it ends.
CREATE SCHEMA IF NOT EXISTS venture_import;

-- The label of each tag, group and place: the spelling that records have.
CREATE TABLE venture.term (
  kind text NOT NULL CHECK (kind IN ('tag', 'country', 'region', 'city', 'group')),
  -- Of a city or region, its folded country: equal names in two countries are two places.
  country text NOT NULL DEFAULT '',
  folded text NOT NULL,
  label text NOT NULL,
  -- The spelling that an operator chose. It becomes the label after every record is rewritten, so
  -- that the next import continues where a command that was killed stopped.
  next_label text,
  PRIMARY KEY (kind, country, folded)
);
CREATE INDEX term_next_label ON venture.term (kind, country, folded) WHERE next_label IS NOT NULL;

-- Every other spelling that was imported or was a label. Filters and dimensions understand them.
CREATE TABLE venture.term_spelling (
  kind text NOT NULL,
  country text NOT NULL DEFAULT '',
  folded text NOT NULL,
  spelling text NOT NULL,
  PRIMARY KEY (kind, spelling, country),
  FOREIGN KEY (kind, country, folded) REFERENCES venture.term ON DELETE CASCADE
);

-- The journal of labels that operators chose.
CREATE TABLE venture.spelling_choice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  country text NOT NULL,
  folded text NOT NULL,
  former text NOT NULL,
  chosen text NOT NULL,
  chosen_at timestamptz(3) NOT NULL DEFAULT now()
);

-- US dollars per unit of a currency, valid from `date` until the date of the next row.
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
    CHECK (state IN ('staging', 'applying', 'applied', 'rejected', 'failed')),
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

-- Lines of one file about one record that have no date, or the same date, apply in sequence. The
-- digest of the sequence, and the revision after it, identify a file that is imported again.
CREATE TABLE venture.import_sequence (
  record_id uuid PRIMARY KEY,
  digest uuid NOT NULL,
  revision bigint NOT NULL
);

-- When the nightly sweep last visited the site of a startup or fund, whatever it found.
CREATE TABLE venture.site_visit (
  company_id uuid PRIMARY KEY,
  visited_at timestamptz(3) NOT NULL
);

-- The words of the names of startups and funds, present and past: the search finds the words that a
-- typo can mean here instead of in every name. A word may have several rows: without a unique index, two
-- transactions that add the same word do not wait for each other.
CREATE TABLE venture.name_word (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  word text COLLATE "C" NOT NULL
);
CREATE INDEX name_word_word ON venture.name_word (word);
-- The pending list is short, because a search scans it.
CREATE INDEX name_word_similar ON venture.name_word
  USING gin (word venture.gin_trgm_ops) WITH (gin_pending_list_limit = 512);

-- Facets: the codes of the dimension values of every startup, fund and round, including values
-- reached through relations. The facet indexer updates them from a log of changed records
-- (docs/spec/categories.md).

-- All values ever seen. `dimension` is the number of the dimension (src/dimensions), `value` the
-- value in the API; prefix searches compare `folded`, which also orders values of equal count.
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

-- `version` is the version of the indexer batch that last wrote the row. Batches commit one after
-- another, so that a reader of all versions above the last one it has read misses none. `figures` are the numbers of
-- the record in a fixed order for each entity, null for none; a deleted record has none.
CREATE TABLE venture.fund_facet (
  id uuid PRIMARY KEY,
  codes integer[] NOT NULL,
  deleted boolean NOT NULL,
  version bigint NOT NULL,
  figures double precision[] NOT NULL DEFAULT '{}'
);
-- With the related records, for conditions that one of them has to meet as a whole: the live funds that hold a
-- startup, each with the code of the exit status of the holding or 0; the startup of a round, and its funds.
CREATE TABLE venture.startup_facet (
  LIKE venture.fund_facet INCLUDING ALL,
  fund_ids uuid[] NOT NULL DEFAULT '{}',
  fund_statuses integer[] NOT NULL DEFAULT '{}'
);
CREATE TABLE venture.round_facet (
  LIKE venture.fund_facet INCLUDING ALL,
  startup_ids uuid[] NOT NULL DEFAULT '{}',
  fund_ids uuid[] NOT NULL DEFAULT '{}'
);

CREATE INDEX startup_facet_codes ON venture.startup_facet USING gin (codes) WHERE NOT deleted;
CREATE INDEX fund_facet_codes ON venture.fund_facet USING gin (codes) WHERE NOT deleted;
CREATE INDEX round_facet_codes ON venture.round_facet USING gin (codes) WHERE NOT deleted;
CREATE INDEX startup_facet_version ON venture.startup_facet (version);
CREATE INDEX fund_facet_version ON venture.fund_facet (version);
CREATE INDEX round_facet_version ON venture.round_facet (version);

-- The number of live records of an entity (1 startups, 2 funds, 3 rounds) that have a value; of all
-- its live records in code 0.
CREATE TABLE venture.facet_count (
  entity smallint NOT NULL,
  code integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (entity, code)
) WITH (fillfactor = 50);

-- One row: the version of the last batch, when it was applied, and the position of the log up to which
-- every change is applied: deleted rows before it are not read again while an old snapshot keeps them.
CREATE TABLE venture.facet_state (
  id smallint PRIMARY KEY CHECK (id = 1),
  version bigint NOT NULL,
  applied_at timestamptz(3) NOT NULL,
  applied_to bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

-- The versions of the last thousand batches. A reader whose last batch is missing has read another history, of a
-- database that was restored or replaced by a replica without the batch, or is far behind; it reads all again.
CREATE TABLE venture.facet_batch (version bigint PRIMARY KEY);

-- The log of changed records, whose codes must be computed again. `reach` adds related records: 2
-- the startups, 4 the funds, 8 the rounds of the record.
CREATE TABLE venture.facet_change (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity smallint NOT NULL,
  id uuid NOT NULL,
  reach smallint NOT NULL DEFAULT 0,
  logged_at timestamptz(3) NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0);

-- Signals (docs/spec/signals.md, docs/decisions/0008-signal-outbox.md).

-- The numbers of the types (src/signals/signal-types.ts). The meaning of a number never changes.
CREATE TABLE venture.signal_type (
  code smallint PRIMARY KEY,
  name text NOT NULL UNIQUE
);
INSERT INTO venture.signal_type (code, name) VALUES
  (1, 'round.recorded'), (2, 'round.updated'), (3, 'investor.joined_round'),
  (4, 'valuation.recorded'), (5, 'portfolio.company_added'), (6, 'portfolio.exit_recorded'),
  (7, 'startup.added'), (8, 'startup.updated'), (9, 'fund.added'), (10, 'fund.updated'),
  (11, 'team.person_added'), (12, 'news.mention');

-- Changes that are not yet published. `type` is a number of venture.signal_type; a foreign key would
-- lock one row of that table for every change. `subject_type` is 1 for a startup, 2 for a fund. `serial` is
-- assigned while the writer holds the row lock of the changed record, so that for each record it
-- increases in commit order; its sequence must therefore never cache numbers. `dated` tells whether
-- `occurred_at` is a market date, or only the time of the write. A change of type 0 is no signal: the date
-- of the object changed, so that of its published signals follows.
CREATE TABLE venture.signal_outbox (
  serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  type smallint NOT NULL CHECK (type BETWEEN 0 AND 12),
  subject_type smallint NOT NULL CHECK (subject_type IN (1, 2)),
  subject_id uuid NOT NULL,
  object_id uuid,
  revision bigint NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  dated boolean NOT NULL,
  amount bigint,
  label text
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1
);

-- The feed. `position` starts at 1, has no gaps, and increases with `detected_at`.
CREATE TABLE venture.signal (
  detected_at timestamptz PRIMARY KEY,
  position bigint NOT NULL,
  id uuid NOT NULL,
  type smallint NOT NULL,
  subject_type smallint NOT NULL,
  subject_id uuid NOT NULL,
  object_id uuid,
  occurred_at timestamptz(3) NOT NULL,
  dated boolean NOT NULL DEFAULT true,
  amount bigint,
  label text
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX signal_by_type ON venture.signal (type, detected_at);
CREATE INDEX signal_by_subject ON venture.signal (subject_id, detected_at);
CREATE INDEX signal_by_object ON venture.signal (object_id, detected_at);
CREATE INDEX signal_by_occurred_at ON venture.signal (occurred_at);
-- The activity feed (docs/spec/activity.md). The cast keeps the planner from reading a whole type by
-- signal_by_type instead.
CREATE INDEX signal_by_market_date ON venture.signal (CAST(type AS integer), occurred_at, detected_at)
  WHERE dated;
CREATE INDEX signal_by_amount ON venture.signal (amount) WHERE amount IS NOT NULL;

-- One row. An idle publisher sets `asleep`, and only then do writers notify it: NOTIFY takes a lock
-- that would make all writers commit one after another. `term` increases whenever a publisher takes
-- the lock; a batch of an earlier term publishes nothing.
CREATE TABLE venture.signal_publisher (
  id smallint PRIMARY KEY CHECK (id = 1),
  asleep boolean NOT NULL,
  term bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO venture.signal_publisher (id, asleep) VALUES (1, false);

-- One row: what the predictions of next stages were computed from (venture.stage_transitions).
CREATE TABLE venture.stage_prediction (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  computed_at timestamptz NOT NULL,
  transitions jsonb NOT NULL
);

-- Models trained on the records. The newest serves. `version` is the day and a digest of
-- `content`, so that training on the same data twice results in one row.
CREATE TABLE venture.model (
  version text PRIMARY KEY,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- The records that it was trained on: counts, last dates, the position of the change feed.
  data_stamp jsonb NOT NULL,
  -- The results of its back-test.
  metrics jsonb NOT NULL,
  features text[] NOT NULL,
  parameters jsonb NOT NULL,
  -- The model and the records that it computes from, compressed.
  content bytea NOT NULL
);

-- The age of the oldest open transaction of this database, by state, without its texts. No row if
-- the owner may not read the sessions of other roles (pg_read_all_stats). Runs with its rights.
CREATE FUNCTION venture.oldest_transactions() RETURNS TABLE (state text, seconds double precision)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT s.state, coalesce(max(extract(epoch FROM clock_timestamp() - a.xact_start)), 0)::float8
  FROM (VALUES ('active'), ('idle')) AS s(state)
  LEFT JOIN pg_stat_activity a ON a.datname = current_database()
    AND a.backend_type = 'client backend' AND a.xact_start IS NOT NULL
    AND a.pid <> pg_backend_pid()
    AND s.state = CASE WHEN a.state LIKE 'idle in transaction%' THEN 'idle' ELSE 'active' END
  WHERE pg_has_role('pg_read_all_stats', 'USAGE')
  GROUP BY s.state
$$;
