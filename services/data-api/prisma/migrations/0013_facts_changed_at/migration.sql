-- When a fact of a startup itself last changed here; null while it is as it came. updated_at moves
-- with every round, valuation and holding, too.
ALTER TABLE venture.startup ADD COLUMN facts_changed_at timestamptz(3);

CREATE FUNCTION venture.mark_facts_changed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.facts_changed_at := now();
  RETURN NEW;
END $$;

-- Named so that it runs after before_write, which decides on the revision.
CREATE TRIGGER mark_facts_changed_at BEFORE UPDATE ON venture.startup FOR EACH ROW
  WHEN (NEW.revision <> OLD.revision) EXECUTE FUNCTION venture.mark_facts_changed_at();
