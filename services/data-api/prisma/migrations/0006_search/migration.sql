-- Look-ups for `like` and for the search by name, which scores and ranks the candidates afterwards.

-- A LIKE pattern over folded text. Parts '%' and '_' are wildcards; a part '=text' is literal text.
CREATE FUNCTION venture.like_pattern(parts text[]) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT coalesce(string_agg(
      CASE WHEN p.part IN ('%', '_') THEN p.part
           ELSE regexp_replace(venture.fold(substr(p.part, 2)), '([\\%_])', '\\\1', 'g') END,
      '' ORDER BY p.position), '')
    FROM unnest(parts) WITH ORDINALITY AS p(part, position)
  );

-- Adds those of the words that venture.name_word does not have.
CREATE FUNCTION venture.add_name_words(words text[]) RETURNS void LANGUAGE plpgsql
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_seqscan = off
AS $$
BEGIN
  INSERT INTO venture.name_word (word)
  SELECT DISTINCT n.word FROM unnest(words) AS n(word)
  WHERE n.word <> '' AND NOT EXISTS (SELECT FROM venture.name_word w WHERE w.word = n.word);
END $$;

CREATE FUNCTION venture.add_words_of_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM venture.add_name_words(
    ARRAY(SELECT DISTINCT unnest(venture.name_words(n.name_folded)) FROM new_rows n));
  RETURN NULL;
END $$;

CREATE FUNCTION venture.add_words_of_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM venture.add_name_words(venture.name_words(NEW.name_folded));
  RETURN NULL;
END $$;

DO $$
DECLARE
  named text;
BEGIN
  FOREACH named IN ARRAY '{startup,fund}'::text[] LOOP
    EXECUTE format(
      'CREATE TRIGGER add_words_of_names AFTER INSERT ON venture.%I
         REFERENCING NEW TABLE AS new_rows
         FOR EACH STATEMENT EXECUTE FUNCTION venture.add_words_of_names()', named);
    EXECUTE format(
      'CREATE TRIGGER add_words_of_name AFTER UPDATE OF name ON venture.%I FOR EACH ROW
         WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION venture.add_words_of_name()', named);
  END LOOP;
END $$;

-- Those of the words that a name has. A look-up of names takes time for each word that it is given, so
-- hundreds of spellings of one word become the few that exist.
CREATE FUNCTION venture.existing_name_words(words text[]) RETURNS text[]
  LANGUAGE plpgsql STABLE SET enable_seqscan = off
AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT w.word FROM venture.name_word w WHERE w.word = ANY (words));
END $$;

-- Words of names that are similar to a word, the most similar first: they have this share of its
-- trigrams. The threshold is a setting of pg_trgm that a statement cannot change for itself.
CREATE FUNCTION venture.similar_name_words(given text, share real, rows_max integer)
  RETURNS SETOF text
  LANGUAGE plpgsql STABLE ROWS 10
  SET enable_seqscan = off
  SET max_parallel_workers_per_gather = 0
  SET plan_cache_mode = force_generic_plan
  SET pg_trgm.word_similarity_threshold = 0.6
AS $$
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', share::text, true);
  RETURN QUERY SELECT w.word FROM venture.name_word w WHERE w.word OPERATOR(venture.%>) given
    GROUP BY w.word
    ORDER BY venture.word_similarity(given, w.word) + venture.similarity(given, w.word) DESC, w.word
    LIMIT rows_max;
END $$;

-- Candidates of a search, one set of functions per table. Functions, because they set planner
-- options: as a plain statement the planner may choose a sequential scan, because it estimates that
-- a thousand spellings match a tenth of the table.
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
      ('startup', 'c.rounds_count DESC, coalesce(c.total_raised, 0) DESC, c.id',
        'venture.name_tokens(name_folded, rounds_count, total_raised, id)'),
      ('fund', 'c.investments_count DESC, c.id',
        'venture.name_tokens(name_folded, investments_count, NULL, id)')
    ) AS t(name, foremost, tokens)
  LOOP
    -- Names with exactly these letters, the most active companies first.
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

    -- Names with one of these words, the most similar to the whole query first. For rare words: it
    -- compares up to 50 names for each one that it returns.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_with_word(words text[], query text, rows_max integer)
        RETURNS SETOF uuid %3$s
      AS $body$
      BEGIN
        RETURN QUERY SELECT c.id FROM (
            SELECT * FROM venture.%1$s
            WHERE %4$s && words AND deleted_at IS NULL
            LIMIT 50 * rows_max) c
          ORDER BY venture.similarity(c.name_folded, query) DESC, %2$s LIMIT rows_max;
      END $body$ $f$, kept.name, kept.foremost, settings, kept.tokens);

    -- Names with a word of each list, the most similar to the whole query first. Each list has a word
    -- and its spellings with a typo: the index intersects them, so that two words with hundreds of
    -- spellings cost less than the names that have one of them.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_with_both(
          first_words text[], second_words text[], query text, rows_max integer)
        RETURNS SETOF uuid %3$s
      AS $body$
      DECLARE
        first_present text[] := venture.existing_name_words(first_words);
        second_present text[] := venture.existing_name_words(second_words);
      BEGIN
        IF first_present = '{}' OR second_present = '{}' THEN RETURN; END IF;
        RETURN QUERY SELECT c.id FROM (
            SELECT * FROM venture.%1$s
            WHERE %4$s && first_present AND %4$s && second_present AND deleted_at IS NULL
            LIMIT 50 * rows_max) c
          ORDER BY venture.similarity(c.name_folded, query) DESC, %2$s LIMIT rows_max;
      END $body$ $f$, kept.name, kept.foremost, settings, kept.tokens);

    -- Names with one of these spellings of a word of the query. Those that consist of a spelling come
    -- first, the most similar spelling first: no name with further words that the query does not have
    -- ranks before them. With rows_max of these, only names with one of the others are read too.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_with_typo(
          spellings text[], others text[], query text, rows_max integer)
        RETURNS SETOF uuid %3$s
      AS $body$
      DECLARE
        present text[] := venture.existing_name_words(spellings);
        alike text[];
        alone uuid[] := '{}';
      BEGIN
        IF present = '{}' THEN RETURN; END IF;
        FOR alike IN
          SELECT array_agg(p.word)
          FROM (SELECT w.word, venture.similarity(w.word, query) AS similarity
                FROM unnest(present) AS w(word)) AS p
          GROUP BY p.similarity ORDER BY p.similarity DESC
        LOOP
          alone := alone || ARRAY(SELECT c.id FROM (
              SELECT * FROM venture.%1$s
              WHERE venture.name_compact(name_folded) COLLATE "C" = ANY (alike)
                AND deleted_at IS NULL
              LIMIT 50 * rows_max) c
            ORDER BY %2$s LIMIT rows_max - cardinality(alone));
          EXIT WHEN cardinality(alone) >= rows_max;
        END LOOP;
        IF cardinality(alone) < rows_max THEN
          RETURN QUERY SELECT venture.%1$ss_with_word(present, query, rows_max);
        ELSE
          RETURN QUERY SELECT unnest(alone)
            UNION ALL SELECT venture.%1$ss_with_both(present, others, query, rows_max);
        END IF;
      END $body$ $f$, kept.name, kept.foremost, settings);

    -- Names with one of these words, or with every one, the most active companies first. It reads
    -- the tiers of venture.search_tier in their order and stops after rows_max names: a word that
    -- thousands of names have costs no more than a rare one. If the caller expects few names (short), one
    -- look-up is tried first, which then costs less than one for each tier.
    EXECUTE format($f$
      CREATE FUNCTION venture.%1$ss_ranked(
          words text[], every boolean, short boolean, rows_max integer)
        RETURNS SETOF uuid %3$s
      AS $body$
      DECLARE
        tier text;
        several uuid[];
        found_rows integer;
      BEGIN
        IF short THEN
          IF every THEN
            several := ARRAY(SELECT id FROM venture.%1$s
              WHERE %4$s @> words AND deleted_at IS NULL LIMIT 10 * rows_max + 1);
          ELSE
            several := ARRAY(SELECT id FROM venture.%1$s
              WHERE %4$s && words AND deleted_at IS NULL LIMIT 10 * rows_max + 1);
          END IF;
          IF cardinality(several) <= 10 * rows_max THEN
            RETURN QUERY SELECT c.id FROM venture.%1$s c WHERE c.id = ANY (several)
              ORDER BY %2$s LIMIT rows_max;
            RETURN;
          END IF;
        END IF;
        FOREACH tier IN ARRAY
          '{#9,#8,#7,#6,#5,#4,#3,#2,#1,#+,#-0,#-1,#-2,#-3,#-4,#-5,#-6,#-7,#-8,#-9,#-a,#-b,#-c,
            #-d,#-e,#-f}'::text[]
        LOOP
          -- OFFSET 0: the planner would read all companies in an index order of one sort key.
          RETURN QUERY SELECT c.id FROM (
              SELECT * FROM venture.%1$s
              WHERE %4$s @> (CASE WHEN every THEN words ELSE '{}' END || tier) AND %4$s && words
                AND deleted_at IS NULL
              OFFSET 0) c
            ORDER BY %2$s LIMIT rows_max;
          GET DIAGNOSTICS found_rows = ROW_COUNT;
          rows_max := rows_max - found_rows;
          EXIT WHEN rows_max <= 0;
        END LOOP;
      END $body$ $f$, kept.name, kept.foremost, settings, kept.tokens);
  END LOOP;
END $$;
