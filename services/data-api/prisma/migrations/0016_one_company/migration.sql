-- One company, one record (docs/spec/one-company.md, docs/decisions/0016-one-company.md). A row of schema
-- `stated` is what one source says about a company that several sources describe: a statement. The rows of
-- schema `venture` about such a company are derived from them, and are what is answered.

CREATE SCHEMA IF NOT EXISTS stated;

-- The company that a record was merged into; then it is deleted.
ALTER TABLE venture.startup ADD COLUMN merged_into uuid;
ALTER TABLE venture.fund ADD COLUMN merged_into uuid;
UPDATE venture.change_collection SET not_answered = not_answered || '{merged_into}' WHERE code IN (1, 2);

-- The order of sources, by an operator: the least first. Those without a row come after all others.
CREATE TABLE venture.source_rank (
  source text PRIMARY KEY,
  rank integer NOT NULL
);

-- The companies with two or more statements: each statement (1 startups, 2 funds) with its company, the least of
-- them, which is a row too.
CREATE TABLE venture.company_member (
  entity smallint NOT NULL CHECK (entity IN (1, 2)),
  member_id uuid NOT NULL,
  company_id uuid NOT NULL CHECK (company_id <= member_id),
  PRIMARY KEY (entity, member_id)
);
CREATE INDEX company_member_company ON venture.company_member (company_id, entity);

-- The same of rounds: statements of sources about one merged company that are one round. A row stays when its
-- round is alone again.
CREATE TABLE venture.round_member (
  member_id uuid PRIMARY KEY,
  round_id uuid NOT NULL CHECK (round_id <= member_id)
);
CREATE INDEX round_member_round ON venture.round_member (round_id);

-- The tables of statements, and how a record is derived from them (venture.derive_table). SQL has the
-- startups and funds in scope as $1 and $2, and those that were or are members of a merged company as $3.
CREATE TABLE venture.statement_table (
  position smallint PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- The columns that identify a statement, and those of a record, as an expression on `t` and `d`.
  identity text[] NOT NULL,
  same text NOT NULL,
  -- Columns of the record that no source states. Every other column is stated, so a new one is by default.
  derived text[] NOT NULL,
  -- The statements `s` in scope.
  statements text NOT NULL,
  -- Columns whose value is another one in the record: the ids of merged records.
  mapped jsonb NOT NULL,
  -- The values of a record that are not that of the best statement that has one (`k`).
  values_of jsonb NOT NULL DEFAULT '{}',
  -- Which rows `t` of the record's table end if no statement in scope makes them.
  ends text
);

-- Values of a column that come with another: those of the best statement that has that one.
CREATE FUNCTION venture.value_with(leader text, name text) RETURNS text
  LANGUAGE sql IMMUTABLE
  RETURN format('(array_agg(k.%I ORDER BY k.place) FILTER (WHERE k.counts AND k.%I IS NOT NULL))[1]', name, leader);

-- A list without duplicates, in the order of the lists that it consists of.
CREATE FUNCTION venture.add_to_list(list anycompatiblearray, more anycompatiblearray)
  RETURNS anycompatiblearray LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list || ARRAY(
    SELECT m.value FROM unnest(more) WITH ORDINALITY AS m(value, place)
    WHERE m.value <> ALL (list) GROUP BY m.value ORDER BY min(m.place))
$$;
CREATE AGGREGATE venture.united(anycompatiblearray) (
  SFUNC = venture.add_to_list, STYPE = anycompatiblearray, INITCOND = '{}');

INSERT INTO venture.statement_table
  (position, name, identity, same, derived, statements, mapped, values_of, ends)
VALUES
  (1, 'startup', '{id}', 't.id = d.id',
    '{operating_status_observed,location,countries,regions,cities,operating_status,total_raised,
      confirmed_raised,last_funding_stage,last_funding_date,next_funding_stage,rounds_count,
      average_round_amount,latest_post_valuation,exit_statuses,keywords,facts_changed_at,changed_in,
      next_funding_stage_predicted,merged_into}',
    'stated.startup s LEFT JOIN venture.company_member ms ON ms.entity = 1 AND ms.member_id = s.id
       WHERE s.id = ANY ($1)',
    '{"id": "coalesce(ms.company_id, s.id)"}',
    jsonb_build_object(
      'domain', venture.value_with('website', 'domain'),
      'total_raised_original', venture.value_with('total_raised_reported', 'total_raised_original'),
      'total_raised_currency', venture.value_with('total_raised_reported', 'total_raised_currency'),
      'operating_status_source', format('CASE
          WHEN bool_or(k.counts AND k.operating_status_stated IS NOT NULL) THEN %s
          WHEN bool_or(k.counts AND k.operating_status_inferred IS NOT NULL) THEN ''inferred'' END',
        venture.value_with('operating_status_stated', 'operating_status_source'))), NULL),
  (2, 'fund', '{id}', 't.id = d.id',
    '{operating_status_observed,location,countries,regions,cities,operating_status,investments_count,
      first_investment_date,last_investment_date,average_round_amount,keywords,changed_in,merged_into}',
    'stated.fund s LEFT JOIN venture.company_member mf ON mf.entity = 2 AND mf.member_id = s.id
       WHERE s.id = ANY ($2)',
    '{"id": "coalesce(mf.company_id, s.id)"}',
    jsonb_build_object(
      'domain', venture.value_with('website', 'domain'),
      'operating_status_source', format('CASE
          WHEN bool_or(k.counts AND k.operating_status_stated IS NOT NULL) THEN %s
          WHEN bool_or(k.counts AND k.operating_status_inferred IS NOT NULL) THEN ''inferred'' END',
        venture.value_with('operating_status_stated', 'operating_status_source'))), NULL),
  (3, 'funding_round', '{id}', 't.id = d.id', '{startup_deleted}',
    'stated.funding_round s LEFT JOIN venture.round_member mr ON mr.member_id = s.id
       LEFT JOIN venture.company_member ms ON ms.entity = 1 AND ms.member_id = s.startup_id
       WHERE s.startup_id = ANY ($1)',
    '{"id": "coalesce(mr.round_id, s.id)", "startup_id": "coalesce(ms.company_id, s.startup_id)"}',
    jsonb_build_object(
      'original_amount', venture.value_with('amount', 'original_amount'),
      'original_currency', venture.value_with('amount', 'original_currency'),
      'stage_of_series', venture.value_with('series', 'stage_of_series'),
      'stage', format('coalesce(%s, %s, %s)', venture.value_with('stage_stated', 'stage_stated'),
        venture.value_with('series', 'stage_of_series'), venture.value_with('stage', 'stage'))),
    'EXISTS (SELECT FROM said k WHERE k.own = t.id::text)'),
  (4, 'round_investor', '{round_id,fund_id,person_id}',
    't.round_id = d.round_id AND t.investor_id = coalesce(d.fund_id, d.person_id)', '{investor_id}',
    'stated.round_investor s JOIN stated.funding_round r ON r.id = s.round_id
       LEFT JOIN venture.round_member mr ON mr.member_id = r.id
       LEFT JOIN venture.company_member mf ON mf.entity = 2 AND mf.member_id = s.fund_id
       WHERE r.startup_id = ANY ($1)',
    '{"round_id": "coalesce(mr.round_id, s.round_id)", "fund_id": "coalesce(mf.company_id, s.fund_id)"}',
    '{"lead": "coalesce(bool_or(k.lead) FILTER (WHERE k.counts), false)"}',
    't.round_id IN (SELECT coalesce(mr.round_id, r.id) FROM stated.funding_round r
       LEFT JOIN venture.round_member mr ON mr.member_id = r.id WHERE r.startup_id = ANY ($1))'),
  (5, 'holding', '{fund_id,startup_id}', 't.fund_id = d.fund_id AND t.startup_id = d.startup_id',
    '{first_investment_date,last_investment_date,amounts_sum,amounts_count}',
    'stated.holding s LEFT JOIN venture.company_member ms ON ms.entity = 1 AND ms.member_id = s.startup_id
       LEFT JOIN venture.company_member mf ON mf.entity = 2 AND mf.member_id = s.fund_id
       WHERE s.startup_id = ANY ($1)',
    '{"fund_id": "coalesce(mf.company_id, s.fund_id)", "startup_id": "coalesce(ms.company_id, s.startup_id)"}',
    '{"stated": "bool_or(k.stated AND k.deleted_at IS NULL)",
      "status": "coalesce((array_agg(k.status ORDER BY k.place) FILTER (WHERE k.deleted_at IS NULL))[1], ''Held'')",
      "exit_date": "(array_agg(k.exit_date ORDER BY k.place) FILTER (WHERE k.deleted_at IS NULL))[1]",
      "acquirer": "(array_agg(k.acquirer ORDER BY k.place) FILTER (WHERE k.deleted_at IS NULL))[1]"}',
    't.startup_id = ANY ($1) AND (t.startup_id = ANY ($3) OR t.fund_id = ANY ($3))'),
  (6, 'post_valuation', '{id}', 't.id = d.id',
    '{startup_deleted,round_stage,round_amount,previous_stage,step_up}',
    '(SELECT v.*, ms.company_id IS NOT NULL AS is_merged, coalesce(ms.company_id, v.startup_id) AS company,
         row_number() OVER (
         PARTITION BY coalesce(ms.company_id, v.startup_id), v.date, v.amount, v.source, v.deleted_at IS NULL
         ORDER BY v.id) AS nth
       FROM stated.post_valuation v
       LEFT JOIN venture.company_member ms ON ms.entity = 1 AND ms.member_id = v.startup_id
       WHERE v.startup_id = ANY ($1)) s LEFT JOIN venture.round_member mr ON mr.member_id = s.round_id',
    jsonb_build_object('startup_id', 's.company', 'round_id', 'coalesce(mr.round_id, s.round_id)',
      'id', 'CASE WHEN s.is_merged AND s.deleted_at IS NULL AND num_nonnulls(s.date, s.amount) = 2 THEN
        first_value(s.id) OVER (PARTITION BY s.company, s.date, s.amount, s.nth, s.deleted_at IS NULL
          ORDER BY s.id) ELSE s.id END'),
    jsonb_build_object(
      'original_amount', venture.value_with('amount', 'original_amount'),
      'original_currency', venture.value_with('amount', 'original_currency')),
    'EXISTS (SELECT FROM said k WHERE k.own = t.id::text)'),
  (7, 'news', '{id}', 't.id = d.id', '{startup_deleted,fund_deleted}',
    '(SELECT n.*, num_nonnulls(ms.company_id, mf.company_id) > 0 AS is_merged,
         coalesce(ms.company_id, n.startup_id) AS company, coalesce(mf.company_id, n.fund_id) AS investor,
         row_number() OVER (PARTITION BY coalesce(ms.company_id, n.startup_id),
           coalesce(mf.company_id, n.fund_id), n.url, n.source, n.deleted_at IS NULL ORDER BY n.id) AS nth
       FROM stated.news n
       LEFT JOIN venture.company_member ms ON ms.entity = 1 AND ms.member_id = n.startup_id
       LEFT JOIN venture.company_member mf ON mf.entity = 2 AND mf.member_id = n.fund_id
       WHERE n.startup_id = ANY ($1)
         OR n.startup_id IS NULL AND (n.fund_id = ANY ($2) OR n.fund_id IS NULL)) s',
    jsonb_build_object('startup_id', 's.company', 'fund_id', 's.investor',
      'id', 'CASE WHEN s.is_merged AND s.deleted_at IS NULL AND s.url IS NOT NULL THEN first_value(s.id) OVER (
        PARTITION BY s.company, s.investor, s.url, s.nth, s.deleted_at IS NULL ORDER BY s.id) ELSE s.id END'), '{}',
    'EXISTS (SELECT FROM said k WHERE k.own = t.id::text)'),
  (8, 'startup_person', '{startup_id,person_id}',
    't.startup_id = d.startup_id AND t.person_id = d.person_id', '{}',
    'stated.startup_person s LEFT JOIN venture.company_member ms ON ms.entity = 1 AND ms.member_id = s.startup_id
       WHERE s.startup_id = ANY ($1)',
    '{"startup_id": "coalesce(ms.company_id, s.startup_id)"}', '{}', 't.startup_id = ANY ($1) AND t.startup_id = ANY ($3)'),
  (9, 'fund_person', '{fund_id,person_id}', 't.fund_id = d.fund_id AND t.person_id = d.person_id', '{}',
    'stated.fund_person s LEFT JOIN venture.company_member mf ON mf.entity = 2 AND mf.member_id = s.fund_id
       WHERE s.fund_id = ANY ($2)',
    '{"fund_id": "coalesce(mf.company_id, s.fund_id)"}', '{}', 't.fund_id = ANY ($2) AND t.fund_id = ANY ($3)'),
  (10, 'reference', '{id}', 't.id = d.id', '{}',
    'stated.reference s LEFT JOIN venture.company_member ms ON ms.entity = 1 AND ms.member_id = s.startup_id
       WHERE s.startup_id = ANY ($1)',
    '{"startup_id": "coalesce(ms.company_id, s.startup_id)"}', '{}',
    'EXISTS (SELECT FROM said k WHERE k.own = t.id::text)');

-- Gives the tables of statements the columns that sources state. A migration that adds such a column to a
-- table of records ends with it.
CREATE FUNCTION venture.keep_statement_columns() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing record;
BEGIN
  FOR missing IN
    SELECT c.name AS statements, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
      CASE WHEN a.attnotnull AND c.identity @> '{id}' OR a.attname <> ALL (c.identity) AND a.attnotnull
        THEN ' NOT NULL' ELSE '' END AS needed,
      coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') AS filled
    FROM venture.statement_table c
    JOIN pg_attribute a ON a.attrelid = format('venture.%I', c.name)::regclass AND a.attnum > 0
      AND NOT a.attisdropped AND a.attgenerated = '' AND a.attname <> ALL (c.derived)
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE NOT EXISTS (SELECT FROM pg_attribute b WHERE b.attrelid = format('stated.%I', c.name)::regclass
      AND b.attname = a.attname AND NOT b.attisdropped)
    ORDER BY c.position, a.attnum
  LOOP
    EXECUTE format('ALTER TABLE stated.%I ADD COLUMN %I %s%s%s',
      missing.statements, missing.name, missing.type, missing.filled, missing.needed);
  END LOOP;
END $$;

DO $$
DECLARE
  stated record;
BEGIN
  FOR stated IN SELECT * FROM venture.statement_table ORDER BY position LOOP
    EXECUTE format('CREATE TABLE stated.%I ()', stated.name);
  END LOOP;
  PERFORM venture.keep_statement_columns();
  ALTER TABLE stated.round_investor
    ADD COLUMN investor_id uuid GENERATED ALWAYS AS (coalesce(fund_id, person_id)) STORED;
  FOR stated IN SELECT * FROM venture.statement_table ORDER BY position LOOP
    EXECUTE format('ALTER TABLE stated.%I ADD PRIMARY KEY (%s)', stated.name,
      CASE stated.name WHEN 'round_investor' THEN 'round_id, investor_id'
        ELSE array_to_string(stated.identity, ', ') END);
    EXECUTE format('CREATE TRIGGER before_update BEFORE UPDATE ON stated.%I
      FOR EACH ROW EXECUTE FUNCTION venture.record_before_update()', stated.name);
  END LOOP;
END $$;
CREATE INDEX funding_round_startup ON stated.funding_round (startup_id);
CREATE INDEX round_investor_fund ON stated.round_investor (fund_id);
CREATE INDEX holding_startup ON stated.holding (startup_id);
CREATE INDEX post_valuation_startup ON stated.post_valuation (startup_id);
CREATE INDEX post_valuation_round ON stated.post_valuation (round_id);
CREATE INDEX news_startup ON stated.news (startup_id);
CREATE INDEX news_fund ON stated.news (fund_id);
CREATE INDEX reference_startup ON stated.reference (startup_id);

-- The columns of a table of statements, without those that a record has of its own.
CREATE FUNCTION venture.stated_columns(statements text) RETURNS text[]
  LANGUAGE sql STABLE AS $$
  SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
  WHERE a.attrelid = format('stated.%I', statements)::regclass AND a.attnum > 0
    AND NOT a.attisdropped AND a.attgenerated = ''
    AND a.attname <> ALL ('{created_at,updated_at,revision,deleted_at,rounds_count}')
$$;

-- Copies rows `t` of a table of records that are statements from now on.
CREATE FUNCTION venture.adopt_statements(statements text, condition text, ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO stated.%1$I (%2$s, created_at, updated_at, revision, deleted_at)
      SELECT t.%3$s, t.created_at, t.updated_at, t.revision, t.deleted_at FROM venture.%1$I t WHERE %4$s
      ON CONFLICT DO NOTHING',
    statements, array_to_string(venture.stated_columns(statements), ', '),
    array_to_string(venture.stated_columns(statements), ', t.'), condition) USING ids;
END $$;

-- A round is a statement as a whole, with its investors and its valuation, which has its id.
CREATE FUNCTION venture.adopt_rounds(round_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT unnest(round_ids) EXCEPT SELECT id FROM stated.funding_round);
BEGIN
  PERFORM venture.adopt_statements('funding_round', 't.id = ANY ($1)', ids);
  PERFORM venture.adopt_statements('round_investor', 't.round_id = ANY ($1)', ids);
  PERFORM venture.adopt_statements('post_valuation', 't.round_id = ANY ($1)', ids);
END $$;

CREATE FUNCTION venture.sorted_list(list anyarray) RETURNS anyarray
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT v.value FROM unnest(list) AS v(value) ORDER BY v.value)
$$;

-- The value of a column of a record, from its statements `k`: that of the best one that has a value; of lists
-- all, the best first, or in their own order where they are sets. `counts` are the statements that are not
-- deleted, or all if there are no others.
CREATE FUNCTION venture.value_of(c venture.statement_table, name text) RETURNS text
  LANGUAGE sql STABLE AS $$
  SELECT coalesce(c.values_of ->> name, CASE
    WHEN name = 'occurred_at' THEN 'max(k.occurred_at) FILTER (WHERE k.counts)'
    WHEN name IN ('source', 'source_key', 'source_url') THEN
      format('(array_agg(k.%I ORDER BY k.place) FILTER (WHERE k.counts))[1]', name)
    WHEN a.atttypid = 'jsonb'::regtype THEN
      format('coalesce((array_agg(k.%1$I ORDER BY k.place) FILTER (WHERE k.counts AND k.%1$I <> ''[]''))[1], ''[]'')',
        name)
    WHEN name IN ('investment_stages', 'investment_types') THEN
      format('venture.sorted_list(venture.united(k.%I ORDER BY k.place) FILTER (WHERE k.counts))', name)
    WHEN t.typcategory = 'A' THEN
      format('venture.united(k.%I ORDER BY k.place) FILTER (WHERE k.counts)', name)
    ELSE venture.value_with(name, name) END)
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = format('stated.%I', c.name)::regclass AND a.attname = name
$$;

-- Writes the records of one table that the statements in scope make, and ends those that they no longer make. A
-- relation that ends here has no statement of its own: the next one is not compared with its source and date.
-- A record whose statements are one of another record by now moves without a signal: the signals about it are
-- published, with the id that it had.
CREATE FUNCTION venture.derive_table(
  c venture.statement_table, startup_ids uuid[], fund_ids uuid[], member_ids uuid[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  names text[] := venture.stated_columns(c.name);
  facts text[] := ARRAY(SELECT unnest(names) EXCEPT SELECT unnest(c.identity) ORDER BY 1);
  keys text := array_to_string(c.identity, ', ');
  is_company boolean := c.name IN ('startup', 'fund');
  is_holding boolean := c.name = 'holding';
  dead text := CASE WHEN is_holding THEN 'd.gone AND t.rounds_count = 0' ELSE 'd.gone' END;
  said text;
  moved text;
BEGIN
  said := format('WITH said AS MATERIALIZED (
      SELECT k.*, (k.deleted_at IS NULL) = bool_or(k.deleted_at IS NULL) OVER (PARTITION BY %1$s) AS counts,
        row_number() OVER (PARTITION BY %1$s ORDER BY k.deleted_at IS NOT NULL, %2$s q.rank NULLS LAST,
          k.occurred_at DESC NULLS LAST, k.source COLLATE "C", k.source_key COLLATE "C", k.own COLLATE "C") AS place
      FROM (SELECT %3$s, s.deleted_at, concat_ws(''/'', s.%4$s) AS own FROM %5$s) k
      LEFT JOIN venture.source_rank q ON q.source = k.source)',
    'k.' || array_to_string(c.identity, ', k.'),
    CASE WHEN is_holding THEN 'NOT k.stated, NOT k.stated AND k.status = ''Held'',' ELSE '' END,
    (SELECT string_agg(format('%s AS %I', coalesce(c.mapped ->> n, format('s.%I', n)), n), ', ')
      FROM unnest(names) AS n),
    array_to_string(c.identity, ', s.'), c.statements);
  IF c.identity = '{id}' AND NOT is_company THEN
    EXECUTE format('%s SELECT string_agg(DISTINCT k.id::text, '','') FROM said k
        JOIN venture.%I t ON t.id::text = k.own AND t.deleted_at IS NULL
        WHERE k.own <> k.id::text AND k.deleted_at IS NULL
          AND NOT EXISTS (SELECT FROM venture.%2$I n WHERE n.id = k.id AND n.deleted_at IS NULL)',
      said, c.name) INTO moved USING startup_ids, fund_ids, member_ids;
    PERFORM set_config('venture.moved', concat_ws(',',
      nullif(current_setting('venture.moved', true), ''), moved), true);
  END IF;
  EXECUTE format('%1$s, desired AS MATERIALIZED (
      SELECT %2$s, %3$s AS gone, %4$s FROM said k GROUP BY %2$s
    ), changed AS (
      UPDATE venture.%5$I t SET %6$s %7$s, deleted_at = CASE WHEN %8$s THEN coalesce(t.deleted_at, now()) END
      FROM desired d WHERE %9$s AND (t.%10$s, t.deleted_at IS NOT NULL %11$s)
        IS DISTINCT FROM (d.%12$s, %8$s %13$s)
    ), added AS (
      INSERT INTO venture.%5$I (%2$s, %14$s, deleted_at)
      SELECT %2$s, %14$s, CASE WHEN d.gone THEN now() END FROM desired d
      WHERE (NOT d.gone OR d.source_key IS NOT NULL) AND NOT EXISTS (SELECT FROM venture.%5$I t WHERE %9$s) ORDER BY %2$s
    ) %15$s',
    said, keys,
    CASE WHEN is_holding THEN 'NOT bool_or(k.stated AND k.deleted_at IS NULL)'
      ELSE 'bool_and(k.deleted_at IS NOT NULL)' END,
    (SELECT string_agg(format('%s AS %I', venture.value_of(c, n), n), ', ') FROM unnest(facts) AS n),
    c.name,
    (SELECT string_agg(format('%1$I = d.%1$I', n), ', ') FROM unnest(facts) AS n),
    CASE WHEN is_company THEN ', merged_into = NULL' ELSE '' END,
    dead, c.same, array_to_string(facts, ', t.'),
    CASE WHEN is_company THEN ', t.merged_into IS NULL' ELSE '' END,
    array_to_string(facts, ', d.'),
    CASE WHEN is_company THEN ', true' ELSE '' END,
    array_to_string(facts, ', '),
    CASE WHEN c.ends IS NULL THEN 'SELECT' ELSE format(
      'UPDATE venture.%I t SET deleted_at = %s WHERE (t.deleted_at IS NULL %s) AND (%s)
         AND NOT EXISTS (SELECT FROM desired d WHERE %s)',
      c.name,
      CASE WHEN is_holding THEN $q$CASE WHEN t.rounds_count = 0 THEN coalesce(t.deleted_at, now()) END,
          stated = false, status = 'Held', source = NULL, source_key = NULL, occurred_at = NULL$q$
        WHEN c.identity = '{id}' THEN 'now()'
        ELSE 'coalesce(t.deleted_at, now()), source = NULL, source_key = NULL, occurred_at = NULL' END,
      CASE WHEN is_holding THEN $q$AND (t.stated OR t.status <> 'Held' OR t.rounds_count = 0)
          OR num_nonnulls(t.source_key, t.occurred_at) > 0$q$
        WHEN c.identity = '{id}' THEN '' ELSE 'OR num_nonnulls(t.source_key, t.occurred_at) > 0' END,
      c.ends, c.same) END)
  USING startup_ids, fund_ids, member_ids;
END $$;

-- Which statements of rounds of merged companies are one round (docs/spec/one-company.md 25.6). Of a source each
-- statement is another round. The strongest pair first, so that the result does not depend on any order.
CREATE FUNCTION venture.match_rounds(startup_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  company record;
  ids uuid[];
  sources text[];
  groups integer[];
  here integer;
  there integer;
  members uuid[] := '{}';
  rounds uuid[] := '{}';
BEGIN
  FOR company IN
    WITH said AS MATERIALIZED (
      SELECT r.*, m.company_id AS company, count(*) OVER (PARTITION BY m.company_id) AS rounds
      FROM stated.funding_round r
      JOIN venture.company_member m ON m.entity = 1 AND m.member_id = r.startup_id
      WHERE r.startup_id = ANY (startup_ids) AND r.deleted_at IS NULL
    ), pair AS (
      SELECT a.company, a.id AS one, b.id AS other, a.source AS source, b.source AS other_source,
        abs(a.date - b.date) AS days, (a.stage = b.stage) IS TRUE AS same_stage,
        num_nonnulls(nullif(a.amount, 0), nullif(b.amount, 0)) = 2 AS both_amounts,
        abs(a.amount - b.amount)::float8 / nullif(greatest(a.amount, b.amount), 0) AS differ
      FROM said a JOIN said b ON b.company = a.company AND b.id > a.id AND b.source <> a.source
      WHERE a.rounds <= 500 AND CASE
        WHEN num_nonnulls(nullif(a.amount, 0), nullif(b.amount, 0)) = 2 THEN
          abs(a.amount - b.amount) <= 0.05 * greatest(a.amount, b.amount)
            AND (abs(a.date - b.date) <= 31 OR num_nonnulls(a.date, b.date) < 2 AND a.stage = b.stage)
        ELSE abs(a.date - b.date) <= 31 AND (a.stage = b.stage OR venture.fold(a.series) = venture.fold(b.series))
        END
    )
    SELECT p.company, array_agg(p.one ORDER BY p.strength) AS ones, array_agg(p.other ORDER BY p.strength) AS others,
      array_agg(p.source ORDER BY p.strength) AS of_ones, array_agg(p.other_source ORDER BY p.strength) AS of_others
    FROM (SELECT *, row_number() OVER (ORDER BY both_amounts DESC, same_stage DESC, days, differ, one, other)
        AS strength FROM pair) p
    GROUP BY p.company
  LOOP
    ids := '{}'; sources := '{}'; groups := '{}';
    FOR i IN 1 .. cardinality(company.ones) LOOP
      here := array_position(ids, company.ones[i]);
      IF here IS NULL THEN
        ids := ids || company.ones[i]; sources := sources || company.of_ones[i];
        here := cardinality(ids); groups := groups || here;
      END IF;
      there := array_position(ids, company.others[i]);
      IF there IS NULL THEN
        ids := ids || company.others[i]; sources := sources || company.of_others[i];
        there := cardinality(ids); groups := groups || there;
      END IF;
      IF groups[here] <> groups[there] AND NOT EXISTS (
        SELECT FROM unnest(sources, groups) AS a(source, part)
        JOIN unnest(sources, groups) AS b(source, part) ON b.source = a.source
        WHERE a.part = groups[here] AND b.part = groups[there])
      THEN groups := array_replace(groups, groups[there], groups[here]); END IF;
    END LOOP;
    SELECT members || array_agg(g.id), rounds || array_agg(g.least) INTO members, rounds FROM (
      SELECT u.id, first_value(u.id) OVER (PARTITION BY u.part ORDER BY u.id) AS least,
        count(*) OVER (PARTITION BY u.part) AS size
      FROM unnest(ids, groups) AS u(id, part)) g WHERE g.size > 1;
  END LOOP;
  UPDATE venture.round_member m SET round_id = m.member_id FROM stated.funding_round r
  WHERE r.id = m.member_id AND r.startup_id = ANY (startup_ids) AND m.round_id <> m.member_id
    AND m.member_id <> ALL (members);
  INSERT INTO venture.round_member (member_id, round_id) SELECT * FROM unnest(members, rounds)
  ON CONFLICT (member_id) DO UPDATE SET round_id = excluded.round_id
  WHERE round_member.round_id <> excluded.round_id;
END $$;

-- Derives everything about these companies, of which each has all its statements in scope. `changed` are those
-- whose membership has changed. Locks the companies first, in the order of ids, and reads the statements after.
CREATE FUNCTION venture.derive_records(startup_ids uuid[], fund_ids uuid[], changed uuid[] DEFAULT '{}')
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  startups uuid[];
  funds uuid[];
  members uuid[];
  c venture.statement_table;
BEGIN
  -- A valuation can be of the round of another startup.
  startups := ARRAY(SELECT unnest(startup_ids) UNION SELECT v.startup_id FROM stated.funding_round r
    JOIN stated.post_valuation v ON v.round_id = r.id WHERE r.startup_id = ANY (startup_ids));
  startups := ARRAY(SELECT unnest(startups) UNION SELECT o.member_id FROM venture.company_member m
    JOIN venture.company_member o ON o.entity = 1 AND o.company_id = m.company_id
    WHERE m.entity = 1 AND m.member_id = ANY (startups));
  funds := ARRAY(SELECT unnest(fund_ids) UNION SELECT o.member_id FROM venture.company_member m
    JOIN venture.company_member o ON o.entity = 2 AND o.company_id = m.company_id
    WHERE m.entity = 2 AND m.member_id = ANY (fund_ids));
  PERFORM FROM venture.startup WHERE id = ANY (startups) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM venture.fund WHERE id = ANY (funds) ORDER BY id FOR NO KEY UPDATE;
  -- What a round implies can be patched, as of a company that is not merged.
  INSERT INTO stated.holding (fund_id, startup_id, stated)
  SELECT DISTINCT p.fund_id, r.startup_id, false
  FROM stated.funding_round r JOIN stated.round_investor p ON p.round_id = r.id AND p.fund_id IS NOT NULL
  WHERE r.startup_id = ANY (startups) AND r.deleted_at IS NULL AND p.deleted_at IS NULL
    AND EXISTS (SELECT FROM venture.company_member m WHERE m.entity = 1 AND m.member_id = r.startup_id
      UNION ALL SELECT FROM venture.company_member m WHERE m.entity = 2 AND m.member_id = p.fund_id)
  ORDER BY 1, 2 ON CONFLICT DO NOTHING;
  members := changed || ARRAY(
    SELECT member_id FROM venture.company_member WHERE entity = 1 AND member_id = ANY (startups)
    UNION SELECT member_id FROM venture.company_member WHERE entity = 2 AND (member_id = ANY (funds)
      OR member_id IN (SELECT h.fund_id FROM venture.holding h WHERE h.startup_id = ANY (startups))));
  FOR c IN SELECT * FROM venture.statement_table ORDER BY position LOOP
    IF c.name = 'funding_round' THEN PERFORM venture.match_rounds(startups); END IF;
    PERFORM venture.derive_table(c, startups, funds, members);
  END LOOP;
  UPDATE venture.startup t SET merged_into = m.company_id, deleted_at = coalesce(t.deleted_at, now())
  FROM venture.company_member m
  WHERE m.entity = 1 AND m.member_id = t.id AND m.company_id <> t.id AND t.id = ANY (startups)
    AND (t.deleted_at IS NULL OR t.merged_into IS DISTINCT FROM m.company_id);
  UPDATE venture.fund t SET merged_into = m.company_id, deleted_at = coalesce(t.deleted_at, now())
  FROM venture.company_member m
  WHERE m.entity = 2 AND m.member_id = t.id AND m.company_id <> t.id AND t.id = ANY (funds)
    AND (t.deleted_at IS NULL OR t.merged_into IS DISTINCT FROM m.company_id);
  PERFORM set_config('venture.moved', '', true), set_config('venture.due_stated_startups', '', true),
    set_config('venture.due_stated_funds', '', true);
END $$;

-- Keeps the ids of the companies of changed statements until venture.derive_due(), in settings that end with the
-- transaction. The argument is a query of their ids.
CREATE FUNCTION venture.note_statements() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text;
  ids text;
BEGIN
  -- Lines refer to rounds by the key of their source: each has a row, which is deleted until it is derived.
  IF TG_TABLE_NAME = 'funding_round' AND TG_OP = 'INSERT' THEN
    INSERT INTO venture.funding_round (id, startup_id, source, source_key, deleted_at)
    SELECT n.id, n.startup_id, n.source, n.source_key, now() FROM new_rows n
    WHERE NOT EXISTS (SELECT FROM venture.funding_round t WHERE t.id = n.id) ORDER BY n.id;
  END IF;
  FOREACH kind IN ARRAY ARRAY['startup', 'fund'] LOOP
    CONTINUE WHEN TG_ARGV[0] NOT LIKE '%' || kind || '%';
    IF TG_TABLE_NAME = 'round_investor' THEN
      SELECT string_agg(DISTINCT r.startup_id::text, ',') INTO ids
      FROM new_rows n JOIN stated.funding_round r ON r.id = n.round_id;
    ELSE
      EXECUTE format('SELECT string_agg(DISTINCT c.id::text, '','') FROM (SELECT n.%1$I AS id FROM new_rows n %2$s) c',
        CASE WHEN TG_TABLE_NAME = kind THEN 'id' ELSE kind || '_id' END,
        CASE WHEN TG_OP = 'UPDATE' THEN format('UNION SELECT o.%I FROM old_rows o',
          CASE WHEN TG_TABLE_NAME = kind THEN 'id' ELSE kind || '_id' END) ELSE '' END) INTO ids;
    END IF;
    PERFORM set_config(format('venture.due_stated_%ss', kind), concat_ws(',',
      nullif(current_setting(format('venture.due_stated_%ss', kind), true), ''), ids), true);
  END LOOP;
  RETURN NULL;
END $$;

DO $$
DECLARE
  noted record;
BEGIN
  FOR noted IN SELECT * FROM (VALUES
    ('startup', 'startup'), ('fund', 'fund'), ('funding_round', 'startup'), ('round_investor', 'startup'),
    ('holding', 'startup'), ('post_valuation', 'startup'), ('news', 'startup fund'),
    ('startup_person', 'startup'), ('fund_person', 'fund'), ('reference', 'startup')) AS t(name, kinds)
  LOOP
    EXECUTE format('CREATE TRIGGER note_insert AFTER INSERT ON stated.%I REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION venture.note_statements(%L)', noted.name, noted.kinds);
    EXECUTE format('CREATE TRIGGER note_update AFTER UPDATE ON stated.%I
      REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION venture.note_statements(%L)', noted.name, noted.kinds);
  END LOOP;
END $$;

-- Derives the records of all statements that this transaction has changed.
CREATE FUNCTION venture.derive_due() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  startups uuid[] := string_to_array(nullif(current_setting('venture.due_stated_startups', true), ''), ',');
  funds uuid[] := string_to_array(nullif(current_setting('venture.due_stated_funds', true), ''), ',');
BEGIN
  IF num_nonnulls(startups, funds) = 0 THEN RETURN; END IF;
  PERFORM venture.derive_records(coalesce(startups, '{}'), coalesce(funds, '{}'));
END $$;

-- Whether any company is merged. An import asks in each transaction, and holds back a merge until its end: a merge
-- waits for the transactions of imports that are open, and those that begin wait for it.
CREATE FUNCTION venture.begin_statements() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1986225267, 1836214117);
  RETURN EXISTS (SELECT FROM venture.company_member);
END $$;

-- Merging and splitting are no events of the market: such a transaction adds no signals.
CREATE FUNCTION venture.withhold_signal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('venture.silent', true) = 'on' THEN RETURN NULL; END IF;
  IF NEW.object_id::text = ANY (string_to_array(current_setting('venture.moved', true), ',')) THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withhold BEFORE INSERT ON venture.signal_outbox FOR EACH ROW
  WHEN (current_setting('venture.silent', true) <> '' OR current_setting('venture.moved', true) <> '')
  EXECUTE FUNCTION venture.withhold_signal();

-- Copies everything about startups or funds that is a statement from now on. Rows about another merged company are
-- derived: their statements are there already.
CREATE FUNCTION venture.adopt_companies(of_entity smallint, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mine text := CASE of_entity WHEN 1 THEN 'startup' ELSE 'fund' END;
  free text := 'NOT EXISTS (SELECT FROM venture.company_member m WHERE m.entity = %s AND m.member_id = t.%s)';
BEGIN
  PERFORM venture.adopt_statements(mine, 't.id = ANY ($1)', ids);
  IF of_entity = 1 THEN
    PERFORM venture.adopt_rounds(ARRAY(SELECT id FROM venture.funding_round WHERE startup_id = ANY (ids)));
    PERFORM venture.adopt_statements('holding', 't.startup_id = ANY ($1) AND ' || format(free, 2, 'fund_id'), ids);
    PERFORM venture.adopt_statements('post_valuation', 't.startup_id = ANY ($1)', ids);
    PERFORM venture.adopt_statements('news', 't.startup_id = ANY ($1)', ids);
    PERFORM venture.adopt_statements('reference', 't.startup_id = ANY ($1)', ids);
    PERFORM venture.adopt_statements('startup_person', 't.startup_id = ANY ($1)', ids);
  ELSE
    PERFORM venture.adopt_rounds(ARRAY(
      SELECT DISTINCT round_id FROM venture.round_investor WHERE investor_id = ANY (ids)));
    PERFORM venture.adopt_statements('holding', 't.fund_id = ANY ($1) AND ' || format(free, 1, 'startup_id'), ids);
    PERFORM venture.adopt_statements('news', 't.fund_id = ANY ($1)', ids);
    PERFORM venture.adopt_statements('fund_person', 't.fund_id = ANY ($1)', ids);
  END IF;
END $$;

-- Removes the statements of these startups and funds that concern no merged company any more: the rows of
-- records are the statements again. A file with several lines of one record is known again by the revision.
CREATE FUNCTION venture.release_statements(startup_ids uuid[], fund_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  released record;
  startup_merged text := 'EXISTS (SELECT FROM venture.company_member m WHERE m.entity = 1 AND m.member_id = s.%s)';
  fund_merged text := 'EXISTS (SELECT FROM venture.company_member m WHERE m.entity = 2 AND m.member_id = s.%s)';
BEGIN
  FOR released IN SELECT * FROM (VALUES
    ('startup', 's.id = ANY ($1)', format(startup_merged, 'id')),
    ('fund', 's.id = ANY ($2)', format(fund_merged, 'id')),
    ('funding_round', 's.startup_id = ANY ($1)', format(startup_merged, 'startup_id')
      || ' OR EXISTS (SELECT FROM stated.round_investor p JOIN venture.company_member m ON m.entity = 2
            AND m.member_id = p.fund_id WHERE p.round_id = s.id)'),
    ('round_investor', 'true', 'EXISTS (SELECT FROM stated.funding_round r WHERE r.id = s.round_id)'),
    ('holding', 's.startup_id = ANY ($1)',
      format(startup_merged, 'startup_id') || ' OR ' || format(fund_merged, 'fund_id')),
    ('post_valuation', '(s.startup_id = ANY ($1) OR s.round_id = ANY ($3))', format(startup_merged, 'startup_id')
      || ' OR EXISTS (SELECT FROM stated.funding_round r WHERE r.id = s.round_id)'),
    ('news', '(s.startup_id = ANY ($1) OR s.fund_id = ANY ($2) OR num_nonnulls(s.startup_id, s.fund_id) = 0)',
      format(startup_merged, 'startup_id') || ' OR ' || format(fund_merged, 'fund_id')),
    ('startup_person', 's.startup_id = ANY ($1)', format(startup_merged, 'startup_id')),
    ('fund_person', 's.fund_id = ANY ($2)', format(fund_merged, 'fund_id')),
    ('reference', 's.startup_id = ANY ($1)', format(startup_merged, 'startup_id'))) AS t(name, mine, merged)
  LOOP
    EXECUTE format('WITH gone AS (DELETE FROM stated.%1$I s WHERE %2$s AND NOT (%3$s) RETURNING s.*)
      %4$s', released.name,
      CASE released.name WHEN 'round_investor' THEN 's.round_id = ANY ($3)' ELSE released.mine END, released.merged,
      CASE WHEN released.name IN ('round_investor', 'holding', 'startup_person', 'fund_person')
        THEN 'SELECT array_agg(s.startup_id) FROM (SELECT NULL::uuid AS startup_id) s'
        ELSE format('UPDATE venture.import_sequence q
            SET revision = CASE WHEN q.revision = s.revision THEN t.revision ELSE -1 END
          FROM gone s JOIN venture.%I t ON t.id = s.id WHERE q.record_id = s.id', released.name) END)
    USING startup_ids, fund_ids, ARRAY(SELECT r.id FROM venture.funding_round r WHERE r.startup_id = ANY (startup_ids));
  END LOOP;
END $$;

-- Makes these startups (1) or funds (2) the statements of these companies: the members that have one value in
-- company_ids become one record, whose id is the least of theirs. Every merged company that one of them is in is
-- replaced: a member that is not listed becomes a company of its own. Doing it again changes nothing. One
-- transaction, without signals; the records, /changes, counts and search follow from it. Waits for transactions of
-- imports. After a deadlock (40P01) the caller may try again. Runs with the rights of the owner.
CREATE FUNCTION venture.cluster_companies(of_entity smallint, member_ids uuid[], company_ids uuid[])
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
DECLARE
  affected uuid[];
  members uuid[];
  companies uuid[];
  startups uuid[];
  funds uuid[];
  unknown uuid;
  kind text := CASE of_entity WHEN 1 THEN 'startup' WHEN 2 THEN 'fund' END;
  live uuid[];
  merged jsonb;
BEGIN
  IF kind IS NULL OR cardinality(member_ids) <> cardinality(company_ids)
    OR cardinality(member_ids) <> (SELECT count(DISTINCT m) FROM unnest(member_ids) m)
    OR array_position(company_ids, NULL) IS NOT NULL
  THEN
    RAISE EXCEPTION 'state each member once, with its company' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(1986225267, 1836214117);
  EXECUTE format('SELECT m FROM unnest($1) m WHERE NOT EXISTS (SELECT FROM venture.%I t WHERE t.id = m) LIMIT 1', kind)
    INTO unknown USING member_ids;
  IF unknown IS NOT NULL THEN
    RAISE EXCEPTION 'there is no % %', kind, unknown USING ERRCODE = 'foreign_key_violation';
  END IF;
  -- Of the wanted and the present clusters those that differ, as a whole.
  WITH wanted AS (
    SELECT w.member, first_value(w.member) OVER (PARTITION BY w.label ORDER BY w.member) AS company
    FROM unnest(member_ids, company_ids) AS w(member, label)
  ), known AS (
    SELECT m.member_id AS member, m.company_id AS company FROM venture.company_member m
    WHERE m.entity = of_entity AND m.company_id IN (
      SELECT o.company_id FROM venture.company_member o WHERE o.entity = of_entity AND o.member_id = ANY (member_ids))
  ), both_of AS (
    SELECT member, coalesce(w.company, member) AS after, coalesce(k.company, member) AS before
    FROM wanted w FULL JOIN known k USING (member)
  ), touched AS (
    SELECT after AS company FROM both_of WHERE after <> before UNION SELECT before FROM both_of WHERE after <> before
  )
  SELECT array_agg(b.member ORDER BY b.member), array_agg(b.after ORDER BY b.member) INTO members, companies
  FROM both_of b WHERE b.after IN (TABLE touched) OR b.before IN (TABLE touched);
  IF members IS NULL THEN RETURN; END IF;
  PERFORM set_config('venture.silent', 'on', true), set_config('venture.derive', 'later', true);
  EXECUTE format('SELECT array_agg(l.id) FILTER (WHERE l.deleted_at IS NULL),
      jsonb_object_agg(l.id, l.merged_into) FILTER (WHERE l.merged_into IS NOT NULL)
    FROM (SELECT id, deleted_at, merged_into FROM venture.%I WHERE id = ANY ($1) ORDER BY id FOR UPDATE) l', kind)
    INTO live, merged USING members;
  affected := ARRAY(SELECT m FROM unnest(members) m WHERE NOT EXISTS (
    SELECT FROM venture.company_member c WHERE c.entity = of_entity AND c.member_id = m));
  PERFORM venture.adopt_companies(of_entity, affected);
  DELETE FROM venture.company_member m WHERE m.entity = of_entity AND m.member_id = ANY (members);
  INSERT INTO venture.company_member (entity, member_id, company_id)
  SELECT of_entity, u.member, u.company FROM (
    SELECT w.*, count(*) OVER (PARTITION BY w.company) AS size FROM unnest(members, companies) AS w(member, company)) u
  WHERE u.size > 1;
  IF of_entity = 1 THEN
    startups := members;
    funds := '{}';
  ELSE
    funds := members;
    startups := ARRAY(
      SELECT r.startup_id FROM stated.round_investor p JOIN stated.funding_round r ON r.id = p.round_id
        WHERE p.fund_id = ANY (members)
      UNION SELECT h.startup_id FROM stated.holding h WHERE h.fund_id = ANY (members)
      UNION SELECT n.startup_id FROM stated.news n WHERE n.fund_id = ANY (members) AND n.startup_id IS NOT NULL);
  END IF;
  PERFORM venture.derive_records(startups, funds, members);
  PERFORM venture.release_statements(startups, funds);
  EXECUTE format('INSERT INTO venture.change_outbox (collection, ids, op, into_id)
      SELECT $1, ARRAY[t.id], 3, t.merged_into FROM venture.%1$I t
      WHERE t.id = ANY ($2) AND t.id = ANY ($3) AND t.merged_into IS NOT NULL
      UNION ALL
      SELECT $1, ARRAY[t.id], 4, ($4 ->> t.id::text)::uuid FROM venture.%1$I t
      WHERE t.id = ANY ($2) AND t.deleted_at IS NULL AND $4 ? t.id::text', kind)
    USING of_entity, members, live, coalesce(merged, '{}');
  PERFORM venture.keep_due();
  PERFORM set_config('venture.silent', '', true);
END $$;

-- The observations of all its statements are about a company. Of an address the last one counts.
CREATE OR REPLACE FUNCTION venture.observed_status_of(company uuid, site_domain text) RETURNS text
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
    FROM (
      SELECT DISTINCT ON (o.kind, o.address) o.kind, o.address, o.condition FROM (
        SELECT company AS id
        UNION SELECT m.member_id FROM venture.company_member m WHERE m.company_id = company) c
      JOIN venture.observation o ON o.company_id = c.id AND o.deleted_at IS NULL
      ORDER BY o.kind, o.address, o.occurred_at DESC, o.company_id) o);

CREATE OR REPLACE FUNCTION venture.keep_observed_statuses(startup_ids uuid[], fund_ids uuid[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  startup_ids := ARRAY(SELECT DISTINCT coalesce(m.company_id, i.id) FROM unnest(startup_ids) AS i(id)
    LEFT JOIN venture.company_member m ON m.entity = 1 AND m.member_id = i.id);
  fund_ids := ARRAY(SELECT DISTINCT coalesce(m.company_id, i.id) FROM unnest(fund_ids) AS i(id)
    LEFT JOIN venture.company_member m ON m.entity = 2 AND m.member_id = i.id);
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

-- One row for each statement about a startup or a fund, with the company that it is about. One about a company
-- that nothing else describes is the record itself.
DO $$
DECLARE
  kept record;
  names text;
BEGIN
  FOR kept IN SELECT * FROM (VALUES (1, 'startup'), (2, 'fund')) AS t(entity, name) LOOP
    names := 's.' || array_to_string(
      array_remove(venture.stated_columns(kept.name), 'id') || '{created_at,updated_at,deleted_at}', ', s.');
    EXECUTE format('CREATE VIEW venture.%1$s_statement AS
      SELECT s.id, coalesce(m.company_id, s.id) AS company_id, %2$s FROM stated.%1$I s
      LEFT JOIN venture.company_member m ON m.entity = %3$s AND m.member_id = s.id
      UNION ALL
      SELECT s.id, s.id, %2$s FROM venture.%1$I s
      WHERE NOT EXISTS (SELECT FROM venture.company_member m WHERE m.entity = %3$s AND m.member_id = s.id)',
      kept.name, names, kept.entity);
  END LOOP;
END $$;
