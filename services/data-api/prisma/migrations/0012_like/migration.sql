-- `like` on any field without a walk of the table: what folds text, what looks patterns up among
-- the values of dimensions, and indexes of the texts that are no dimension.

-- The same folding as before, whatever the collation of the text; what is all ASCII, which only
-- lower() changes, takes a tenth of the time. In plpgsql, because as plain SQL every call costs more
-- than its work.
CREATE OR REPLACE FUNCTION venture.fold(value text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length(value) = length(value) THEN RETURN lower(value COLLATE "default"); END IF;
  RETURN lower(venture.unaccent(
    'venture.unaccent'::regdictionary, normalize(value, NFKC)) COLLATE "default");
END $$;

-- The values of a dimension that match a pattern over folded text; null where they are more than
-- is worth looking up. Called immutable so that a statement planned with its values has them as a
-- constant: the planner then knows how many rows have any of them. For plans that are used once,
-- never for one that is kept.
CREATE FUNCTION venture.values_like(dimension_number smallint, pattern text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT CASE WHEN count(*) <= 250 THEN coalesce(array_agg(d.value), '{}') END
    FROM (
      SELECT value FROM venture.dimension_value
      WHERE dimension = dimension_number AND folded LIKE pattern LIMIT 251) d
  );

-- The values of an array as one folded text, one a line: what is in one of them is in it, too.
CREATE FUNCTION venture.fold_list(list text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN venture.fold(array_to_string(list, E'\n'));
END $$;

CREATE INDEX startup_website_folded ON venture.startup
  USING gin (venture.fold(website) venture.gin_trgm_ops);
CREATE INDEX startup_domain_folded ON venture.startup
  USING gin (venture.fold(domain) venture.gin_trgm_ops);
CREATE INDEX fund_website_folded ON venture.fund
  USING gin (venture.fold(website) venture.gin_trgm_ops);
CREATE INDEX fund_domain_folded ON venture.fund
  USING gin (venture.fold(domain) venture.gin_trgm_ops);
CREATE INDEX fund_location ON venture.fund (location);
CREATE INDEX person_location_folded ON venture.person
  USING gin (venture.fold(location) venture.gin_trgm_ops);
CREATE INDEX person_countries_folded ON venture.person
  USING gin (venture.fold_list(countries) venture.gin_trgm_ops);
CREATE INDEX news_publisher_folded ON venture.news
  USING gin (venture.fold(publisher) venture.gin_trgm_ops);
