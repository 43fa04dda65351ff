-- Search by name and website: what finds the candidates. They are scored and ranked afterwards.

-- Letters and digits of a folded name, without the legal form at its end ('acme co., ltd.' →
-- 'acme'); a name made of signs only stays as it is. The forms are those of
-- src/search/legal-forms.ts. In plpgsql, because as plain SQL it takes forty times as long.
CREATE FUNCTION venture.name_compact(folded text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  kept text := folded;
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
  RETURN CASE WHEN kept = '' THEN folded ELSE kept END;
END $$;

CREATE INDEX startup_name_compact
  ON venture.startup ((venture.name_compact(name_folded)) COLLATE "C");
CREATE INDEX fund_name_compact
  ON venture.fund ((venture.name_compact(name_folded)) COLLATE "C");

-- The words of a folded name.
CREATE FUNCTION venture.name_words(folded text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN string_to_array(
    regexp_replace(folded, '[^[:alnum:]]+' COLLATE "und-x-icu", ' ', 'g'), ' ');
END $$;

CREATE INDEX startup_name_words ON venture.startup USING gin ((venture.name_words(name_folded)));
CREATE INDEX fund_name_words ON venture.fund USING gin ((venture.name_words(name_folded)));

-- Hosts below another host: 'app.stripe.com' is found from 'stripe.com'.
CREATE INDEX startup_subdomain ON venture.startup ((reverse(domain)) COLLATE "C")
  WHERE domain LIKE '%.%.%';
CREATE INDEX fund_subdomain ON venture.fund ((reverse(domain)) COLLATE "C")
  WHERE domain LIKE '%.%.%';

-- Records whose name holds a share of the query's trigrams in one stretch, most similar first.
-- The share is a setting of pg_trgm, which a plain statement cannot set for itself.
CREATE FUNCTION venture.startups_named_like(query text, share real, rows_max integer)
  RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE
  SET pg_trgm.word_similarity_threshold = 0.6
AS $$
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', share::text, true);
  RETURN QUERY
    SELECT c.id FROM (
      SELECT s.id, s.name_folded FROM venture.startup s
      WHERE s.name_folded OPERATOR(venture.%>) query AND s.deleted_at IS NULL
      LIMIT 10 * rows_max) c
    ORDER BY venture.word_similarity(query, c.name_folded)
      + venture.similarity(query, c.name_folded) DESC, c.id
    LIMIT rows_max;
END $$;

CREATE FUNCTION venture.funds_named_like(query text, share real, rows_max integer)
  RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE
  SET pg_trgm.word_similarity_threshold = 0.6
AS $$
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', share::text, true);
  RETURN QUERY
    SELECT c.id FROM (
      SELECT f.id, f.name_folded FROM venture.fund f
      WHERE f.name_folded OPERATOR(venture.%>) query AND f.deleted_at IS NULL
      LIMIT 10 * rows_max) c
    ORDER BY venture.word_similarity(query, c.name_folded)
      + venture.similarity(query, c.name_folded) DESC, c.id
    LIMIT rows_max;
END $$;
