-- Functions of the importer.

-- The common form of the spellings of one tag, group or place: without case and accents and, for
-- tags and groups, without white space (New Castle and Newcastle are two places).
CREATE FUNCTION venture.term_fold(kind text, value text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN coalesce(nullif(
    CASE WHEN kind IN ('tag', 'group') THEN regexp_replace(venture.fold(value), '\s+', '', 'g')
         ELSE regexp_replace(venture.fold(value), '\s+', ' ', 'g') END, ''), value);

-- Whole US dollars at the last rate on or before the day; null if there is none.
CREATE FUNCTION venture.usd(amount numeric, currency text, day date) RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE
    WHEN amount IS NULL THEN NULL
    WHEN currency = 'USD' THEN round(amount)
    ELSE (
      SELECT round(amount * r.rate) FROM venture.usd_rate r
      WHERE r.currency = usd.currency AND r.date <= day ORDER BY r.date DESC LIMIT 1)
  END::bigint;

-- The digest of a sequence of texts. As a window aggregate it takes one step per row; a digest of
-- all texts up to a row would read them again for every row.
CREATE FUNCTION venture.chained_digest(digest uuid, content text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN md5(concat(digest, content))::uuid;
CREATE AGGREGATE venture.digest_chain(text) (SFUNC = venture.chained_digest, STYPE = uuid);

-- Updates the statistics of a table of schema venture, for a role that writes the table and does
-- not own it.
CREATE FUNCTION venture.refresh_statistics(target regclass) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_class WHERE oid = target AND relkind = 'r'
      AND relnamespace = 'venture'::regnamespace
  ) THEN
    RAISE EXCEPTION '% is not a table of schema venture', target;
  END IF;
  EXECUTE format('ANALYZE %s', target);
END $$;
