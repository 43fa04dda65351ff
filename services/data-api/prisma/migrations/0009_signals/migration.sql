-- Triggers that write signals to the outbox, in the transaction of the change, whatever program
-- writes. The publisher turns outbox rows into signals in order (docs/spec/signals.md).

CREATE FUNCTION venture.wake_signal_publisher() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT p.asleep FROM venture.signal_publisher p WHERE p.id = 1) THEN
    PERFORM pg_notify('venture_signals', '');
  END IF;
END $$;

-- Market dates. A signal about a round, a valuation or a news item has the date of that object, also
-- after a correction. Another signal, and one about an object without a date, has the date that the
-- writer gave the change: an import sets venture.writer_dates_rows to declare that it dates its rows;
-- any other writer dates a change by changing occurred_at. A change without a date has the time of
-- the write, and is not `dated`.
CREATE FUNCTION venture.writer_dates_rows() RETURNS boolean
  LANGUAGE sql STABLE
  RETURN coalesce(current_setting('venture.writer_dates_rows', true), '') = 'on'
    AND pg_trigger_depth() = 1;

CREATE FUNCTION venture.date_given(
  dates_rows boolean, before timestamptz, after timestamptz
) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN dates_rows OR after IS DISTINCT FROM before THEN after END;

CREATE FUNCTION venture.day_begins(day date) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN day::timestamp AT TIME ZONE 'UTC';

-- The series as its source wrote it, else the label of the stage.
CREATE FUNCTION venture.round_label(series text, stage smallint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(series, (ARRAY[
    'Pre-Seed', 'Angel', 'Seed', 'Series A', 'Series B', 'Series C', 'Series D', 'Series E',
    'Series F', 'Series G', 'Series H', 'Venture (series unknown)', 'Growth', 'Private Equity',
    'Debt', 'Convertible', 'Grant', 'Crowdfunding', 'Secondary', 'Corporate', 'Post-IPO',
    'Other'])[stage]);

-- One function per table. Nested loops are off where old and new rows are joined, because the plan
-- of a trigger is cached and used for all sizes.

-- Arguments: the number of the subject type, of the signal type of a new record and of a changed
-- one.
CREATE FUNCTION venture.signal_profiles() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
  of_subject smallint := TG_ARGV[0];
  added smallint := TG_ARGV[1];
  updated smallint := TG_ARGV[2];
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox (type, subject_type, subject_id, revision, occurred_at, dated)
    SELECT added, of_subject, n.id, n.revision, coalesce(n.occurred_at, now()),
      n.occurred_at IS NOT NULL
    FROM new_rows n WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox (type, subject_type, subject_id, revision, occurred_at, dated)
    SELECT CASE WHEN o.deleted_at IS NULL THEN updated ELSE added END, of_subject, n.id, n.revision,
      coalesce(g.given, now()), g.given IS NOT NULL
    FROM old_rows o JOIN new_rows n ON n.id = o.id
    CROSS JOIN LATERAL (
      SELECT venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given) g
    WHERE n.revision > o.revision AND n.deleted_at IS NULL
      AND (o.deleted_at IS NOT NULL
        OR (o.changed_in, o.updated_at) IS DISTINCT FROM (n.changed_in, n.updated_at));
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.signal_rounds() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
  any_signal boolean := false;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated, amount, label)
    SELECT 1, 1, n.startup_id, n.id, n.revision,
      coalesce(venture.day_begins(n.date), n.occurred_at, now()),
      num_nonnulls(n.date, n.occurred_at) > 0, n.amount, venture.round_label(n.series, n.stage)
    FROM new_rows n WHERE n.confirmed AND n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated, amount, label)
    SELECT CASE WHEN c.known THEN 2 ELSE 1 END, 1, c.startup_id, c.id, c.revision,
      coalesce(venture.day_begins(c.date), c.given, now()), num_nonnulls(c.date, c.given) > 0,
      c.amount, venture.round_label(c.series, c.stage)
    FROM (
      SELECT n.*, o.confirmed AND o.deleted_at IS NULL AS known,
        venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given
      FROM old_rows o JOIN new_rows n ON n.id = o.id
      WHERE n.revision > o.revision AND n.deleted_at IS NULL
    ) c
    WHERE c.known OR c.confirmed;
    any_signal := FOUND;
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT 0, 1, n.startup_id, n.id, n.revision, coalesce(n.occurred_at, now()),
      n.occurred_at IS NOT NULL
    FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.date IS DISTINCT FROM o.date;
  END IF;
  IF FOUND OR any_signal THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- An investor joins on the date of the round, however late the investment is recorded. OFFSET 0
-- makes the planner look up rounds one by one, by primary key.
CREATE FUNCTION venture.signal_round_investors() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated, amount, label)
    SELECT 3, 2, n.fund_id, n.round_id, n.revision,
      coalesce(venture.day_begins(r.date), n.occurred_at, now()),
      num_nonnulls(r.date, n.occurred_at) > 0, r.amount, venture.round_label(r.series, r.stage)
    FROM new_rows n CROSS JOIN LATERAL (
      SELECT * FROM venture.funding_round r WHERE r.id = n.round_id OFFSET 0) r
    WHERE n.fund_id IS NOT NULL AND n.deleted_at IS NULL AND r.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated, amount, label)
    SELECT 3, 2, b.fund_id, b.round_id, b.revision,
      coalesce(venture.day_begins(r.date), b.given, now()), num_nonnulls(r.date, b.given) > 0,
      r.amount, venture.round_label(r.series, r.stage)
    FROM (
      SELECT n.fund_id, n.round_id, n.revision,
        venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given
      FROM old_rows o
      JOIN new_rows n ON n.round_id = o.round_id AND n.investor_id = o.investor_id
      WHERE n.fund_id IS NOT NULL AND n.deleted_at IS NULL AND o.deleted_at IS NOT NULL
      OFFSET 0
    ) b CROSS JOIN LATERAL (
      SELECT * FROM venture.funding_round r WHERE r.id = b.round_id OFFSET 0) r
    WHERE r.deleted_at IS NULL;
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- A holding that is recorded with an exit yields both signals: added, then exited. The date of the
-- first investment dates the addition only; an exit without a date is dated by the write.
CREATE FUNCTION venture.signal_holdings() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT t.type, 2, n.fund_id, n.startup_id, n.revision, coalesce(m.at, now()), m.at IS NOT NULL
    FROM new_rows n CROSS JOIN (VALUES (5), (6)) AS t(type)
    CROSS JOIN LATERAL (SELECT coalesce(n.occurred_at,
      CASE WHEN t.type = 5 THEN venture.day_begins(n.first_investment_date) END) AS at) m
    WHERE n.deleted_at IS NULL AND (t.type = 5 OR n.status <> 'Held')
    ORDER BY t.type;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT t.type, 2, c.fund_id, c.startup_id, c.revision, coalesce(m.at, now()), m.at IS NOT NULL
    FROM (
      SELECT n.*, o.deleted_at IS NOT NULL AS back, o.status AS status_before,
        venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given
      FROM old_rows o JOIN new_rows n ON n.fund_id = o.fund_id AND n.startup_id = o.startup_id
      WHERE n.revision > o.revision AND n.deleted_at IS NULL
    ) c CROSS JOIN (VALUES (5), (6)) AS t(type)
    CROSS JOIN LATERAL (SELECT coalesce(c.given,
      CASE WHEN t.type = 5 THEN venture.day_begins(c.first_investment_date) END) AS at) m
    WHERE CASE t.type WHEN 5 THEN c.back
      ELSE c.status <> 'Held' AND (c.back OR c.status <> c.status_before) END
    ORDER BY t.type;
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- Here and in the functions of rounds and news, a changed date also moves the market date of the
-- signals that are published: by a change of type 0, which the publisher applies. A writer that changed
-- them itself would make the publisher wait for its transaction.

-- There is no type for a corrected valuation: a change of the amount, date or company is a new
-- valuation.recorded.
CREATE FUNCTION venture.signal_valuations() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
  any_signal boolean := false;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated, amount)
    SELECT 4, 1, n.startup_id, n.id, n.revision,
      coalesce(venture.day_begins(n.date), n.occurred_at, now()),
      num_nonnulls(n.date, n.occurred_at) > 0, n.amount
    FROM new_rows n WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated, amount)
    SELECT 4, 1, n.startup_id, n.id, n.revision,
      coalesce(venture.day_begins(n.date), g.given, now()), num_nonnulls(n.date, g.given) > 0,
      n.amount
    FROM old_rows o JOIN new_rows n ON n.id = o.id
    CROSS JOIN LATERAL (
      SELECT venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given) g
    WHERE n.revision > o.revision AND n.deleted_at IS NULL
      AND (o.deleted_at IS NOT NULL OR (o.amount, o.date, o.startup_id)
        IS DISTINCT FROM (n.amount, n.date, n.startup_id));
    any_signal := FOUND;
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT 0, 1, n.startup_id, n.id, n.revision, coalesce(n.occurred_at, now()), n.occurred_at IS NOT NULL
    FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.date IS DISTINCT FROM o.date;
  END IF;
  IF FOUND OR any_signal THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.signal_fund_persons() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT 11, 2, n.fund_id, n.person_id, n.revision,
      coalesce(n.occurred_at, venture.day_begins(n.since), now()),
      num_nonnulls(n.occurred_at, n.since) > 0
    FROM new_rows n WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT 11, 2, n.fund_id, n.person_id, n.revision,
      coalesce(g.given, venture.day_begins(n.since), now()), num_nonnulls(g.given, n.since) > 0
    FROM old_rows o JOIN new_rows n ON n.fund_id = o.fund_id AND n.person_id = o.person_id
    CROSS JOIN LATERAL (
      SELECT venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given) g
    WHERE n.deleted_at IS NULL AND o.deleted_at IS NOT NULL;
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- An item about a startup and a fund mentions both.
CREATE FUNCTION venture.signal_news() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
  any_signal boolean := false;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT 12, m.subject_type, m.subject_id, n.id, n.revision,
      coalesce(venture.day_begins(n.date), n.occurred_at, now()),
      num_nonnulls(n.date, n.occurred_at) > 0
    FROM new_rows n
    CROSS JOIN LATERAL (VALUES (1, n.startup_id), (2, n.fund_id)) AS m(subject_type, subject_id)
    WHERE n.deleted_at IS NULL AND m.subject_id IS NOT NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT 12, m.subject_type, m.after, n.id, n.revision,
      coalesce(venture.day_begins(n.date), g.given, now()), num_nonnulls(n.date, g.given) > 0
    FROM old_rows o JOIN new_rows n ON n.id = o.id
    CROSS JOIN LATERAL (
      SELECT venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given) g
    CROSS JOIN LATERAL (VALUES (1, o.startup_id, n.startup_id), (2, o.fund_id, n.fund_id))
      AS m(subject_type, before, after)
    WHERE n.revision > o.revision AND n.deleted_at IS NULL AND m.after IS NOT NULL
      AND (o.deleted_at IS NOT NULL OR m.after IS DISTINCT FROM m.before);
    any_signal := FOUND;
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, dated)
    SELECT 0, 1, n.id, n.id, n.revision, coalesce(n.occurred_at, now()), n.occurred_at IS NOT NULL
    FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.date IS DISTINCT FROM o.date;
  END IF;
  IF FOUND OR any_signal THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- The names sort before after_insert and after_update, so that the signal of a change precedes the
-- signals of its consequences.
DO $$
DECLARE
  capture record;
BEGIN
  FOR capture IN SELECT * FROM (VALUES
    ('startup', 'signal_profiles(''1'', ''7'', ''8'')'),
    ('fund', 'signal_profiles(''2'', ''9'', ''10'')'),
    ('funding_round', 'signal_rounds()'),
    ('round_investor', 'signal_round_investors()'),
    ('holding', 'signal_holdings()'),
    ('post_valuation', 'signal_valuations()'),
    ('fund_person', 'signal_fund_persons()'),
    ('news', 'signal_news()')) AS t(record_table, function_call)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER add_signals_of_insert AFTER INSERT ON venture.%I
         REFERENCING NEW TABLE AS new_rows
         FOR EACH STATEMENT EXECUTE FUNCTION venture.%s',
      capture.record_table, capture.function_call);
    EXECUTE format(
      'CREATE TRIGGER add_signals_of_update AFTER UPDATE ON venture.%I
         REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
         FOR EACH STATEMENT EXECUTE FUNCTION venture.%s',
      capture.record_table, capture.function_call);
  END LOOP;
END $$;
