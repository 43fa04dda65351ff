-- What the source wrote of TotalRaised, as rounds and valuations keep theirs; unknown (null) for
-- what was imported before. No facts of the profile: the dollars are.
ALTER TABLE venture.startup
  ADD COLUMN total_raised_original numeric CHECK (total_raised_original >= 0),
  ADD COLUMN total_raised_currency char(3);
