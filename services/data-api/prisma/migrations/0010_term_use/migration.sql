-- Spellings of tags and places that imports wrote, a letter for the kind before each, and that are
-- not yet added to venture.term_spelling: written with what bears them, so that an import which
-- is killed loses none.
CREATE TABLE venture.term_use (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  spelling text NOT NULL,
  uses bigint NOT NULL
);
