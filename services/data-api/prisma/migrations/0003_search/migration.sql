-- Search by name and website: what finds the candidates. They are scored and ranked afterwards.

-- Letters and digits of a folded name, without the legal form at its end ('acme co., ltd.' →
-- 'acme'); a name made of signs only stays as it is. The forms are those of
-- src/search/legal-forms.ts. Cut to what an index entry holds. In plpgsql, because as plain SQL it
-- takes forty times as long.
CREATE FUNCTION venture.name_compact(folded text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  kept text := left(folded, 400);
  last_word text;
BEGIN
  FOR pass IN 1..2 LOOP
    last_word := split_part(kept, ' ', -1);
    EXIT WHEN length(last_word) = length(kept) OR translate(last_word, '.,()', '') <> ALL (
      '{inc,incorporated,corp,corporation,co,company,llc,llp,lp,ltd,limited,plc,pty,pte,pvt,
        gmbh,mbh,ag,kg,kgaa,ug,se,eg,sa,sas,sasu,sarl,srl,spa,sl,slu,bv,nv,oy,oyj,ab,asa,as,a/s,
        aps,kk,bhd,sdn,ltda,sro,doo,kft,zrt,ooo}'::text[]);
    kept := rtrim(left(kept, -length(last_word)), ' ,.-');
  END LOOP;
  kept := regexp_replace(kept, '[^[:alnum:]]+' COLLATE "und-x-icu", '', 'g');
  RETURN CASE WHEN kept = '' THEN left(folded, 400) ELSE kept END;
END $$;

CREATE INDEX startup_name_compact
  ON venture.startup ((venture.name_compact(name_folded)) COLLATE "C");
CREATE INDEX fund_name_compact
  ON venture.fund ((venture.name_compact(name_folded)) COLLATE "C");

-- The words of a folded name, as far as they are looked up.
CREATE FUNCTION venture.name_words(folded text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN string_to_array(
    regexp_replace(left(folded, 400), '[^[:alnum:]]+' COLLATE "und-x-icu", ' ', 'g'), ' ');
END $$;

-- A short list of entries not yet merged, because every search reads it.
CREATE INDEX startup_name_words ON venture.startup
  USING gin ((venture.name_words(name_folded))) WITH (gin_pending_list_limit = 512);
CREATE INDEX fund_name_words ON venture.fund
  USING gin ((venture.name_words(name_folded))) WITH (gin_pending_list_limit = 512);

-- Hosts below another host: 'app.stripe.com' is found from 'stripe.com'.
CREATE INDEX startup_subdomain ON venture.startup ((reverse(domain)) COLLATE "C")
  WHERE domain LIKE '%.%.%';
CREATE INDEX fund_subdomain ON venture.fund ((reverse(domain)) COLLATE "C")
  WHERE domain LIKE '%.%.%';

-- What looks candidates up, one set of functions a table. As functions they bring the planner's
-- settings along: a plain statement may be planned as a walk of the whole table, because the
-- planner takes a thousand looked-up spellings for a tenth of it; and the share of trigrams is a
-- setting of pg_trgm that a statement cannot make for itself.
DO $$
DECLARE
  kept record;
  settings text := '
    LANGUAGE plpgsql STABLE ROWS 10
    SET enable_seqscan = off
    SET max_parallel_workers_per_gather = 0
    SET plan_cache_mode = force_generic_plan';
BEGIN
  FOR kept IN
    SELECT * FROM (VALUES
      ('startup', 'c.rounds_count DESC, c.total_raised DESC NULLS LAST, c.id'),
      ('fund', 'c.investments_count DESC, c.id')) AS t(name, foremost)
  LOOP
    -- Names of these letters, the most active companies first.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_spelt(forms text[], rows_max integer)
        RETURNS SETOF uuid %3$s
      AS $body$
      BEGIN
        RETURN QUERY SELECT c.id FROM venture.%1$s c
          WHERE venture.name_compact(c.name_folded) COLLATE "C" = ANY (forms)
            AND c.deleted_at IS NULL
          ORDER BY %2$s LIMIT rows_max;
      END $body$ $f$, kept.name, kept.foremost, settings);

    -- Names that begin with these letters, the shortest first.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_begun(letters text, rows_max integer)
        RETURNS SETOF uuid %3$s
      AS $body$
      BEGIN
        RETURN QUERY SELECT c.id FROM (
            SELECT * FROM venture.%1$s b
            WHERE venture.name_compact(b.name_folded) COLLATE "C" > letters
              AND venture.name_compact(b.name_folded) COLLATE "C" < letters || U&'\+10FFFF'
              AND b.deleted_at IS NULL
            ORDER BY venture.name_compact(b.name_folded) COLLATE "C" LIMIT 2 * rows_max) c
          ORDER BY length(c.name), %2$s LIMIT rows_max;
      END $body$ $f$, kept.name, kept.foremost, settings);

    -- Names with any of these words, those most like the whole query first.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_with_word(words text[], query text, rows_max integer)
        RETURNS SETOF uuid %3$s
      AS $body$
      BEGIN
        RETURN QUERY SELECT c.id FROM (
            SELECT * FROM venture.%1$s b
            WHERE venture.name_words(b.name_folded) && words AND b.deleted_at IS NULL
            LIMIT 10 * rows_max) c
          ORDER BY venture.similarity(c.name_folded, query) DESC, %2$s LIMIT rows_max;
      END $body$ $f$, kept.name, kept.foremost, settings);

    -- Names that hold a share of the query's trigrams in one stretch, the most similar first.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_named_like(query text, share real, rows_max integer)
        RETURNS SETOF uuid %3$s
        SET pg_trgm.word_similarity_threshold = 0.6
      AS $body$
      BEGIN
        PERFORM set_config('pg_trgm.word_similarity_threshold', share::text, true);
        RETURN QUERY SELECT c.id FROM (
            SELECT * FROM venture.%1$s b
            WHERE b.name_folded OPERATOR(venture.%%>) query AND b.deleted_at IS NULL
            LIMIT 10 * rows_max) c
          ORDER BY venture.word_similarity(query, c.name_folded)
            + venture.similarity(query, c.name_folded) DESC, %2$s
          LIMIT rows_max;
      END $body$ $f$, kept.name, kept.foremost, settings);
  END LOOP;
END $$;
