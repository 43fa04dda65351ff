-- An exit that enters with its holding and that no one dated is dated by the write, as one that is
-- marked later (docs/signals.md). The first investment dates `company_added` alone.
CREATE OR REPLACE FUNCTION venture.signal_holdings() RETURNS trigger LANGUAGE plpgsql
  SET enable_nestloop = off AS $$
DECLARE
  dates_rows boolean := venture.writer_dates_rows();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO venture.signal_outbox
      (type, subject_type, subject_id, object_id, revision, occurred_at)
    SELECT t.type, 2, n.fund_id, n.startup_id, n.revision,
      coalesce(n.occurred_at,
        CASE WHEN t.type = 5 THEN venture.day_begins(n.first_investment_date) END, now())
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
