-- Facets: what the category listings count. For every startup, fund and round the codes of its
-- dimension values, those reached through relations among them, kept by a maintainer that follows
-- a log of touched records (docs/categories.md).

-- Every value of every dimension that was ever seen. `dimension` is the number of the dimension in
-- src/dimensions, `value` what callers send back, `folded` what prefix searches compare and what
-- orders values of one count.
CREATE TABLE venture.dimension_value (
  code integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dimension smallint NOT NULL,
  value text NOT NULL,
  folded text NOT NULL,
  UNIQUE (dimension, value)
);

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

-- Records whose codes are to be worked out again. `reach` adds those related to them: 1 its
-- rounds, 2 its startups, 4 its funds.
CREATE TABLE venture.facet_change (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity smallint NOT NULL,
  id uuid NOT NULL,
  reach smallint NOT NULL DEFAULT 0,
  logged_at timestamptz(3) NOT NULL DEFAULT now()
);
