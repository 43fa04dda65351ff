-- Signals: every change worth telling leaves a row in the outbox, in the transaction that makes it
-- and whoever makes it; the publisher turns rows into signals, one after another
-- (docs/signals.md; docs/decisions/0008-signal-outbox.md).

CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA venture;

-- The numbers of the types; src/signals/signal-types.ts says the rest about them. A number, once
-- given, keeps its meaning.
CREATE TABLE venture.signal_type (
  code smallint PRIMARY KEY,
  name text NOT NULL UNIQUE
);
INSERT INTO venture.signal_type (code, name) VALUES
  (1, 'round.recorded'), (2, 'round.updated'), (3, 'investor.joined_round'),
  (4, 'valuation.recorded'), (5, 'portfolio.company_added'), (6, 'portfolio.exit_recorded'),
  (7, 'startup.added'), (8, 'startup.updated'), (9, 'fund.added'), (10, 'fund.updated'),
  (11, 'team.person_added'), (12, 'news.mention');

-- Changes not yet published. `subject_type` is 1 for a startup, 2 for a fund. `serial` is drawn
-- under the lock of the record that changed, so for one record it rises in commit order; its
-- sequence must never be given a cache.
CREATE TABLE venture.signal_outbox (
  serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  type smallint NOT NULL REFERENCES venture.signal_type,
  subject_type smallint NOT NULL CHECK (subject_type IN (1, 2)),
  subject_id uuid NOT NULL,
  object_id uuid,
  revision bigint NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  amount bigint,
  label text
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1
);

-- The feed. `position` counts from 1 without a gap and rises with `detected_at`.
CREATE TABLE venture.signal (
  detected_at timestamptz PRIMARY KEY,
  position bigint NOT NULL,
  id uuid NOT NULL,
  type smallint NOT NULL,
  subject_type smallint NOT NULL,
  subject_id uuid NOT NULL,
  object_id uuid,
  occurred_at timestamptz(3) NOT NULL,
  amount bigint,
  label text
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX signal_by_type ON venture.signal (type, detected_at);
CREATE INDEX signal_by_subject ON venture.signal (subject_id, detected_at);
CREATE INDEX signal_by_occurred_at ON venture.signal (occurred_at);
CREATE INDEX signal_by_amount ON venture.signal (amount) WHERE amount IS NOT NULL;

-- One row. A publisher with nothing to do says that it sleeps, and only then do writers wake it:
-- notifying takes a lock that would have all writers commit one after another. The term rises
-- whenever a publisher takes the lock; a batch of an earlier term publishes nothing.
CREATE TABLE venture.signal_publisher (
  id smallint PRIMARY KEY CHECK (id = 1),
  asleep boolean NOT NULL,
  term bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO venture.signal_publisher (id, asleep) VALUES (1, false);

CREATE FUNCTION venture.wake_signal_publisher() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT p.asleep FROM venture.signal_publisher p WHERE p.id = 1) THEN
    PERFORM pg_notify('venture_signals', '');
  END IF;
END $$;

-- The transaction that last changed a fact of a profile: what tells its first change from others
-- of the same transaction. Compared together with updated_at, since the numbers of transactions
-- start anew when a dump is restored.
ALTER TABLE venture.startup ADD COLUMN changed_in xid8;
ALTER TABLE venture.startup ALTER COLUMN changed_in SET DEFAULT pg_current_xact_id();
ALTER TABLE venture.fund ADD COLUMN changed_in xid8;
ALTER TABLE venture.fund ALTER COLUMN changed_in SET DEFAULT pg_current_xact_id();

CREATE FUNCTION venture.mark_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;

-- Named so that they run after before_write, which decides on the revision.
CREATE TRIGGER mark_changed BEFORE UPDATE ON venture.startup FOR EACH ROW
  WHEN (NEW.revision <> OLD.revision) EXECUTE FUNCTION venture.mark_changed();
CREATE TRIGGER mark_changed BEFORE UPDATE ON venture.fund FOR EACH ROW
  WHEN (NEW.revision <> OLD.revision) EXECUTE FUNCTION venture.mark_changed();

-- Market dates. An import says that it dates the rows it writes; any other writer dates a change
-- by giving occurred_at another value. What no one dated, such as a column kept by a trigger, gets
-- the date of the record's own (a round's, a holding's), else the time of the write.
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

-- One function a table. Nested loops are off where old and new rows are joined, because the plan
-- of a trigger is made once for all sizes.

-- Arguments: the number of the subject's type, of the type for a new record and for a changed one.
CREATE FUNCTION venture.signal_profiles() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
  of_subject smallint := TG_ARGV[0];
  added smallint := TG_ARGV[1];
  updated smallint := TG_ARGV[2];
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox (type, subject_type, subject_id, revision, occurred_at)
    SELECT added, of_subject, n.id, n.revision, coalesce(n.occurred_at, now())
    FROM new_rows n WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox (type, subject_type, subject_id, revision, occurred_at)
    SELECT CASE WHEN o.deleted_at IS NULL THEN updated ELSE added END, of_subject, n.id, n.revision,
      coalesce(venture.date_given(dates_rows, o.occurred_at, n.occurred_at), now())
    FROM old_rows o JOIN new_rows n ON n.id = o.id
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
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, amount, label)
    SELECT 1, 1, n.startup_id, n.id, n.revision,
      coalesce(n.occurred_at, venture.day_begins(n.date), now()),
      n.amount, venture.round_label(n.series, n.stage)
    FROM new_rows n WHERE n.confirmed AND n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, amount, label)
    SELECT CASE WHEN c.known THEN 2 ELSE 1 END, 1, c.startup_id, c.id, c.revision,
      coalesce(c.given, CASE WHEN NOT c.known THEN venture.day_begins(c.date) END, now()),
      c.amount, venture.round_label(c.series, c.stage)
    FROM (
      SELECT n.*, o.confirmed AND o.deleted_at IS NULL AS known,
        venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given
      FROM old_rows o JOIN new_rows n ON n.id = o.id
      WHERE n.revision > o.revision AND n.deleted_at IS NULL
    ) c
    WHERE c.known OR c.confirmed;
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- An investor joins as of the round's date, however late it became known. Rounds are looked up one
-- by one (OFFSET 0), by their key.
CREATE FUNCTION venture.signal_round_investors() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, amount, label)
    SELECT 3, 2, n.fund_id, n.round_id, n.revision,
      coalesce(n.occurred_at, venture.day_begins(r.date), now()),
      r.amount, venture.round_label(r.series, r.stage)
    FROM new_rows n CROSS JOIN LATERAL (
      SELECT * FROM venture.funding_round r WHERE r.id = n.round_id OFFSET 0) r
    WHERE n.fund_id IS NOT NULL AND n.deleted_at IS NULL AND r.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, amount, label)
    SELECT 3, 2, b.fund_id, b.round_id, b.revision,
      coalesce(b.given, venture.day_begins(r.date), now()),
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

-- A holding that is recorded as ended from the beginning is both: added, then ended.
CREATE FUNCTION venture.signal_holdings() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at)
    SELECT t.type, 2, n.fund_id, n.startup_id, n.revision,
      coalesce(n.occurred_at, venture.day_begins(n.first_investment_date), now())
    FROM new_rows n CROSS JOIN (VALUES (5), (6)) AS t(type)
    WHERE n.deleted_at IS NULL AND (t.type = 5 OR n.status <> 'Held')
    ORDER BY t.type;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at)
    SELECT t.type, 2, c.fund_id, c.startup_id, c.revision,
      coalesce(c.given,
        CASE WHEN t.type = 5 THEN venture.day_begins(c.first_investment_date) END, now())
    FROM (
      SELECT n.*, o.deleted_at IS NOT NULL AS back, o.status AS status_before,
        venture.date_given(dates_rows, o.occurred_at, n.occurred_at) AS given
      FROM old_rows o JOIN new_rows n ON n.fund_id = o.fund_id AND n.startup_id = o.startup_id
      WHERE n.revision > o.revision AND n.deleted_at IS NULL
    ) c CROSS JOIN (VALUES (5), (6)) AS t(type)
    WHERE CASE t.type WHEN 5 THEN c.back
      ELSE c.status <> 'Held' AND (c.back OR c.status <> c.status_before) END
    ORDER BY t.type;
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- There is no type for a corrected valuation: one whose amount, date or company changes is
-- recorded again.
CREATE FUNCTION venture.signal_valuations() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, amount)
    SELECT 4, 1, n.startup_id, n.id, n.revision,
      coalesce(n.occurred_at, venture.day_begins(n.date), now()), n.amount
    FROM new_rows n WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at, amount)
    SELECT 4, 1, n.startup_id, n.id, n.revision,
      coalesce(venture.date_given(dates_rows, o.occurred_at, n.occurred_at),
        venture.day_begins(n.date), now()), n.amount
    FROM old_rows o JOIN new_rows n ON n.id = o.id
    WHERE n.revision > o.revision AND n.deleted_at IS NULL
      AND (o.deleted_at IS NOT NULL OR (o.amount, o.date, o.startup_id)
        IS DISTINCT FROM (n.amount, n.date, n.startup_id));
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION venture.signal_fund_persons() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at)
    SELECT 11, 2, n.fund_id, n.person_id, n.revision,
      coalesce(n.occurred_at, venture.day_begins(n.since), now())
    FROM new_rows n WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at)
    SELECT 11, 2, n.fund_id, n.person_id, n.revision,
      coalesce(venture.date_given(dates_rows, o.occurred_at, n.occurred_at),
        venture.day_begins(n.since), now())
    FROM old_rows o JOIN new_rows n ON n.fund_id = o.fund_id AND n.person_id = o.person_id
    WHERE n.deleted_at IS NULL AND o.deleted_at IS NOT NULL;
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- An item that names a startup and a fund mentions both.
CREATE FUNCTION venture.signal_news() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at)
    SELECT 12, m.subject_type, m.subject_id, n.id, n.revision,
      coalesce(n.occurred_at, venture.day_begins(n.date), now())
    FROM new_rows n
    CROSS JOIN LATERAL (VALUES (1, n.startup_id), (2, n.fund_id)) AS m(subject_type, subject_id)
    WHERE n.deleted_at IS NULL AND m.subject_id IS NOT NULL;
  ELSE
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at)
    SELECT 12, m.subject_type, m.after, n.id, n.revision,
      coalesce(venture.date_given(dates_rows, o.occurred_at, n.occurred_at),
        venture.day_begins(n.date), now())
    FROM old_rows o JOIN new_rows n ON n.id = o.id
    CROSS JOIN LATERAL (VALUES (1, o.startup_id, n.startup_id), (2, o.fund_id, n.fund_id))
      AS m(subject_type, before, after)
    WHERE n.revision > o.revision AND n.deleted_at IS NULL AND m.after IS NOT NULL
      AND (o.deleted_at IS NOT NULL OR m.after IS DISTINCT FROM m.before);
  END IF;
  IF FOUND THEN PERFORM venture.wake_signal_publisher(); END IF;
  RETURN NULL;
END $$;

-- Named so that they run before the triggers that keep columns: what a change causes follows it.
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
