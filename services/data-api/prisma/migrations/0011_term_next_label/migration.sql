-- The spelling that a term is being rewritten to. It becomes the label once every record bears it, so
-- that an import which is killed meanwhile leaves no record behind: the next one goes on.
ALTER TABLE venture.term ADD COLUMN next_label text;
CREATE INDEX term_next_label ON venture.term (kind, country, folded) WHERE next_label IS NOT NULL;
