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

-- Collects statistics of tables of records that have rows and no statistics. Without them the planner
-- assumes that nearly no row meets the condition of a partial index, and reads that whole index for
-- each record that a trigger looks up. Without the columns of long values, which take most of the time
-- and which no trigger looks up.
CREATE FUNCTION venture.collect_first_statistics() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
DECLARE
  new_table record;
BEGIN
  FOR new_table IN
    SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid AND t.typlen > 0
    WHERE c.relnamespace = 'venture'::regnamespace AND c.relname IN (
        'startup', 'fund', 'person', 'funding_round', 'round_investor', 'holding', 'post_valuation',
        'news', 'startup_person', 'fund_person')
      AND NOT EXISTS (SELECT FROM pg_stats p WHERE p.schemaname = 'venture' AND p.tablename = c.relname)
      AND pg_relation_size(c.oid) > 0
    GROUP BY c.oid
  LOOP
    EXECUTE format('ANALYZE venture.%I (%s)', new_table.name, new_table.columns);
  END LOOP;
END $$;

-- Secondary indexes that an import dropped before a first load and did not build again yet.
CREATE TABLE venture.dropped_index (
  name text PRIMARY KEY,
  table_name text NOT NULL,
  definition text NOT NULL,
  dropped_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Drops the secondary indexes of a large table of records, except those that imports and triggers use,
-- and stores their definitions. Waits at most two seconds for other statements. For a role that does not
-- own the table: it decides when, never what is built.
CREATE FUNCTION venture.drop_secondary_indexes(target regclass) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = venture, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  dropped record;
  indexes integer := 0;
BEGIN
  IF target <> ALL ('{venture.startup,venture.fund,venture.person,venture.funding_round,venture.news,
      venture.holding,venture.post_valuation,venture.startup_person,venture.fund_person}'::regclass[]) THEN
    RETURN 0;
  END IF;
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', target);
  FOR dropped IN
    INSERT INTO venture.dropped_index (name, table_name, definition)
    SELECT c.relname, target::text, pg_get_indexdef(i.indexrelid)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = target AND NOT i.indisunique AND c.relname <> ALL ('{
      startup_deleted,holding_startup,funding_round_startup,post_valuation_startup,post_valuation_round,news_startup,news_fund,
      news_startup_deleted,news_fund_deleted}')
    -- An operator may have created an index again that an earlier import dropped.
    ON CONFLICT (name) DO UPDATE SET
      table_name = excluded.table_name, definition = excluded.definition, dropped_at = now()
    RETURNING name
  LOOP
    EXECUTE format('DROP INDEX venture.%I', dropped.name);
    indexes := indexes + 1;
  END LOOP;
  RETURN indexes;
END $$;

-- Builds a dropped index; another process or an operator may have done so already. An import builds
-- several at a time, which takes less processor time than parallel workers for each.
CREATE FUNCTION venture.build_dropped_index(index_name text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = venture, pg_temp SET maintenance_work_mem = '128MB'
  SET max_parallel_maintenance_workers = 0 AS $$
DECLARE
  built text;
BEGIN
  DELETE FROM venture.dropped_index WHERE name = index_name RETURNING definition INTO built;
  IF FOUND AND to_regclass(format('venture.%I', index_name)) IS NULL THEN EXECUTE built; END IF;
END $$;

-- Merges the entries that an import added to a GIN index in batches: every search scans them.
CREATE FUNCTION venture.merge_pending_entries(target regclass) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = venture, pg_temp AS $$
  SELECT gin_clean_pending_list(c.oid)
  FROM pg_class c JOIN pg_am a ON a.oid = c.relam AND a.amname = 'gin'
  WHERE c.relnamespace = 'venture'::regnamespace AND c.relkind = 'i' AND c.oid = target
$$;
