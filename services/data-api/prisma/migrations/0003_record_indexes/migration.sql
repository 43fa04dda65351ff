-- Indexes and statistics of the record tables, and the functions that indexes call.

-- Letters and digits of a folded name without the legal form at its end ('acme co., ltd.' →
-- 'acme'); a name without letters and digits stays as it is. The legal forms are those of
-- packages/name-search/src/name-forms.ts. Cut to the length that an index entry can have. In plpgsql, because
-- plain SQL takes forty times as long.
CREATE FUNCTION venture.name_compact(folded text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  kept text := left(folded, 400);
  last_word text;
  rest text;
BEGIN
  -- LEGAL_END and LEGAL_START of packages/name-search/src/legal-phrases.ts.
  FOREACH last_word IN ARRAY ARRAY[
    '(?:[ ,]+(?:ug ?\(?haftungsbeschrae?nkt\)?|(?:gmbh|ag|ug|se|ltd\.?) ?(?:&|und|and|\+) ?co\.?,? ?(?:kgaa|kg|ohg)|limited liability (?:company|partnership)|public limited company|private limited(?: company)?|company limited|s\.? ?a\.? ?r\.? ?l\.?|s\.? ?p\.? ?a\.?|s\.? ?r\.? ?l\.?|s\.? a\.? s\.?|s\. a\.?|b\. v\.?|n\. v\.?|sp\.? ?z\.? ?o\.? ?o\.?|spolka z (?:o\.? ?o\.?|ograniczona odpowiedzialnoscia)|s\.? ?a\.? ?(?:b\.? ?|p\.? ?i\.? ?)?de c\.? ?v\.?|s\.? ?(?:de )?r\.? ?l\.? de c\.? ?v\.?|ltd\.? ?sti\.?|limited sirketi|anonim sirketi|spol\.? s r\.? ?o\.?|s\. r\. o\.?|d\. o\. o\.?|gesellschaft mit beschrankter haftung|aktiengesellschaft|aktiebolag|aktieselskab|anpartsselskab|osakeyhtio|societe anonyme|societe par actions simplifiee|sociedad anonima|sociedad limitada|sociedade anonima|societa per azioni|s/a|eireli|uab|sia|ou|ehf|nyrt|eood|ood|tbk|jsc|ojsc|pjsc|ооо|оао|зао|пао|тоо|тов)|[ ,]*(?:株式会社|有限会社|合同会社|合資会社|合名会社|\(株\)|\(有\)|\(同\)|주식회사|유한회사|\(주\)|\(유\)|股份有限公司|有限责任公司|有限責任公司|集团有限公司|有限公司|จำกัด(?: ?\(มหาชน\))?))\.?$',
    '^(?:(?:株式会社|有限会社|合同会社|合資会社|合名会社|\(株\)|\(有\)|\(同\)|주식회사|유한회사|\(주\)|\(유\)|บริษัท)[ ,]*|cong ty (?:tnhh|co phan|cp)(?: mtv)? |(?:ооо|оао|зао|пао|тоо|тов) )']
  LOOP
    rest := regexp_replace(kept, last_word, '');
    IF rest <> kept AND rest ~ ('[[:alnum:]]' COLLATE "und-x-icu") THEN
      kept := rtrim(rest, ' ,.-');
    END IF;
  END LOOP;
  FOR pass IN 1..2 LOOP
    last_word := split_part(kept, ' ', -1);
    EXIT WHEN length(last_word) = length(kept) OR translate(last_word, '.,()', '') <> ALL (
      '{inc,incorporated,corp,corporation,co,company,llc,llp,lp,ltd,limited,plc,pty,pte,pvt,
        gmbh,mbh,ag,kg,kgaa,ug,se,eg,sa,sas,sasu,sarl,srl,spa,sl,slu,bv,nv,oy,oyj,ab,asa,as,a/s,
        aps,kk,bhd,sdn,ltda,sro,doo,kft,zrt,ooo}'::text[]);
    kept := rtrim(left(kept, -length(last_word)), ' ,.-');
  END LOOP;
  kept := regexp_replace(kept, '[^[:alnum:]\u0900-\u109f\u1780-\u17ff]+' COLLATE "und-x-icu", '', 'g');
  RETURN CASE WHEN kept = '' THEN left(folded, 400) ELSE kept END;
END $$;

-- The words of the first 400 characters of a folded name, with the vowel signs of scripts from Devanagari to
-- Myanmar, and of Khmer, which are no letters. Most names are plain letters and digits, which
-- need no rules of a language.
CREATE FUNCTION venture.name_words(folded text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF folded COLLATE "C" ~ '^[a-z0-9]+( [a-z0-9]+)*$' THEN
    RETURN string_to_array(left(folded, 400), ' ');
  END IF;
  RETURN string_to_array(
    regexp_replace(left(folded, 400), '[^[:alnum:]\u0900-\u109f\u1780-\u17ff]+' COLLATE "und-x-icu", ' ', 'g'), ' ');
END $$;

-- The tier of a company in the order of a search: by rounds or investments, then money raised, then
-- the first digit of the id. venture.startups_ranked and funds_ranked read the tiers in this order.
CREATE FUNCTION venture.search_tier(deals integer, raised bigint, id uuid) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE
    WHEN deals >= 100 THEN '#9' WHEN deals >= 30 THEN '#8' WHEN deals >= 10 THEN '#7'
    WHEN deals >= 7 THEN '#6' WHEN deals >= 5 THEN '#5' WHEN deals = 4 THEN '#4'
    WHEN deals = 3 THEN '#3' WHEN deals = 2 THEN '#2' WHEN deals = 1 THEN '#1'
    WHEN raised > 0 THEN '#+' ELSE '#-' || left(id::text, 1) END;
END $$;

-- The words of a folded name and the tier of the company. In one index, a name with a word that
-- thousands of names have is found in the order of tiers, without a list of all of them.
CREATE FUNCTION venture.name_tokens(folded text, deals integer, raised bigint, id uuid)
  RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN array_append(venture.name_words(folded), venture.search_tier(deals, raised, id));
END $$;

-- The values of an array as one folded text, one value per line: the text contains whatever one of
-- the values contains.
CREATE FUNCTION venture.fold_list(list text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN venture.fold(array_to_string(list, E'\n'));
END $$;

-- Indexes of sort orders have nulls first; a backward scan serves the descending order. Every order
-- ends with id. They contain the listed records only, so that a position in an order is read without
-- the rows. The order by id is that of the primary key without the records in the indexes of deleted
-- ones.
-- The indexes of folded text serve `like`.

CREATE INDEX startup_name ON venture.startup (name COLLATE venture.text_order NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_founded ON venture.startup (founded NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_total_raised ON venture.startup (total_raised NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_members_count ON venture.startup (members_count NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_last_funding_stage ON venture.startup (last_funding_stage NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_next_funding_stage ON venture.startup (next_funding_stage NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_last_funding_date ON venture.startup (last_funding_date NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_rounds_count ON venture.startup (rounds_count NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_latest_post_valuation
  ON venture.startup (latest_post_valuation NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_created_at ON venture.startup (created_at NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX startup_updated_at ON venture.startup (updated_at NULLS FIRST, id)
  WHERE deleted_at IS NULL;
-- These are counted by their index alone.
CREATE INDEX startup_domain ON venture.startup (domain) WHERE deleted_at IS NULL;
CREATE INDEX startup_location ON venture.startup (location) WHERE deleted_at IS NULL;
CREATE INDEX startup_primary_source ON venture.startup (primary_source) WHERE deleted_at IS NULL;
CREATE INDEX startup_without_website ON venture.startup (id)
  WHERE website IS NULL AND deleted_at IS NULL;
CREATE INDEX startup_website ON venture.startup USING hash (website);
CREATE INDEX startup_operating_status ON venture.startup (operating_status);
-- Also for venture.portfolios.
CREATE INDEX startup_deleted ON venture.startup (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX startup_members_bucket ON venture.startup (members_bucket);
-- One index serves conditions on each column and on several.
CREATE INDEX startup_lists ON venture.startup
  USING gin (tags, countries, regions, cities, exit_statuses);
CREATE INDEX startup_keywords ON venture.startup USING gin (keywords);
CREATE INDEX startup_name_folded ON venture.startup USING gin (name_folded venture.gin_trgm_ops);
CREATE INDEX startup_sites_folded ON venture.startup
  USING gin (venture.fold_list(ARRAY[website, domain]) venture.gin_trgm_ops);
-- For venture.sweep_operating_status.
CREATE INDEX startup_inferred_closed ON venture.startup (last_funding_date)
  WHERE coalesce(operating_status_observed, operating_status_inferred) = 'ProbablyClosed';
-- For venture.turn_observations.
CREATE INDEX observation_turns_at ON venture.observation (turns_at) WHERE turns_at IS NOT NULL;
-- For the search by name. The pending list is short, because every search scans it.
CREATE INDEX startup_name_compact
  ON venture.startup ((venture.name_compact(name_folded)) COLLATE "C");
CREATE INDEX startup_name_tokens ON venture.startup
  USING gin ((venture.name_tokens(name_folded, rounds_count, total_raised, id)))
  WITH (gin_pending_list_limit = 512);
-- Hosts below another host: a search for 'stripe.com' finds 'app.stripe.com'.
CREATE INDEX startup_subdomain ON venture.startup ((reverse(domain)) COLLATE "C")
  WHERE domain LIKE '%.%.%';

CREATE INDEX fund_name ON venture.fund (name COLLATE venture.text_order NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX fund_founded ON venture.fund (founded NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX fund_members_count ON venture.fund (members_count NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX fund_investments_count ON venture.fund (investments_count NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX fund_last_investment_date ON venture.fund (last_investment_date NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX fund_created_at ON venture.fund (created_at NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX fund_updated_at ON venture.fund (updated_at NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX fund_deleted ON venture.fund (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX fund_domain ON venture.fund (domain) WHERE deleted_at IS NULL;
CREATE INDEX fund_lists ON venture.fund
  USING gin (tags, countries, regions, cities, investment_stages, investment_types, groups);
CREATE INDEX fund_keywords ON venture.fund USING gin (keywords);
CREATE INDEX fund_name_folded ON venture.fund USING gin (name_folded venture.gin_trgm_ops);
CREATE INDEX fund_location ON venture.fund (location) WHERE deleted_at IS NULL;
CREATE INDEX fund_sites_folded ON venture.fund
  USING gin (venture.fold_list(ARRAY[website, domain]) venture.gin_trgm_ops);
-- For the search by name. The pending list is short, because every search scans it.
CREATE INDEX fund_name_compact
  ON venture.fund ((venture.name_compact(name_folded)) COLLATE "C");
CREATE INDEX fund_name_tokens ON venture.fund
  USING gin ((venture.name_tokens(name_folded, investments_count, NULL, id)))
  WITH (gin_pending_list_limit = 512);
-- Hosts below another host: a search for 'stripe.com' finds 'app.stripe.com'.
CREATE INDEX fund_subdomain ON venture.fund ((reverse(domain)) COLLATE "C")
  WHERE domain LIKE '%.%.%';

CREATE INDEX person_name ON venture.person (name COLLATE venture.text_order NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX person_created_at ON venture.person (created_at NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX person_updated_at ON venture.person (updated_at NULLS FIRST, id)
  WHERE deleted_at IS NULL;
CREATE INDEX person_deleted ON venture.person (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX person_countries ON venture.person USING gin (countries);
CREATE INDEX person_location ON venture.person (location);
CREATE INDEX person_name_folded ON venture.person USING gin (name_folded venture.gin_trgm_ops);
CREATE INDEX person_location_folded ON venture.person
  USING gin (venture.fold(location) venture.gin_trgm_ops);
CREATE INDEX person_countries_folded ON venture.person
  USING gin (venture.fold_list(countries) venture.gin_trgm_ops);

CREATE INDEX funding_round_startup ON venture.funding_round (startup_id, date);
CREATE INDEX funding_round_date ON venture.funding_round (date NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX funding_round_year ON venture.funding_round (year NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX funding_round_stage ON venture.funding_round (stage NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX funding_round_amount ON venture.funding_round (amount NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX funding_round_deleted ON venture.funding_round (id)
  WHERE deleted_at IS NOT NULL OR startup_deleted;
CREATE INDEX funding_round_series ON venture.funding_round (series);
CREATE INDEX funding_round_created_at ON venture.funding_round (created_at NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX funding_round_updated_at ON venture.funding_round (updated_at NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX round_investor_investor ON venture.round_investor (investor_id);

CREATE INDEX holding_startup ON venture.holding (startup_id);
-- The newest investments of a fund.
CREATE INDEX holding_newest ON venture.holding
  (fund_id, last_investment_date NULLS FIRST, startup_id) WHERE deleted_at IS NULL;
CREATE INDEX startup_person_person ON venture.startup_person (person_id);
CREATE INDEX fund_person_person ON venture.fund_person (person_id);
CREATE INDEX reference_startup ON venture.reference (startup_id);

CREATE INDEX post_valuation_startup ON venture.post_valuation (startup_id, date);
CREATE INDEX post_valuation_round ON venture.post_valuation (round_id);
CREATE INDEX post_valuation_date ON venture.post_valuation (date NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_year ON venture.post_valuation (year NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_amount ON venture.post_valuation (amount NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_created_at ON venture.post_valuation (created_at NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_updated_at ON venture.post_valuation (updated_at NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT startup_deleted;
CREATE INDEX post_valuation_deleted ON venture.post_valuation (id)
  WHERE deleted_at IS NOT NULL OR startup_deleted;

CREATE INDEX news_date ON venture.news (date NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT companies_deleted;
CREATE INDEX news_deleted ON venture.news (id) WHERE deleted_at IS NOT NULL OR companies_deleted;
CREATE INDEX news_startup ON venture.news (live_startup_id, date);
CREATE INDEX news_fund ON venture.news (live_fund_id, date);
CREATE INDEX news_startup_deleted ON venture.news (startup_id) WHERE startup_deleted;
CREATE INDEX news_fund_deleted ON venture.news (fund_id) WHERE fund_deleted;
CREATE INDEX news_publisher ON venture.news (publisher);
CREATE INDEX news_created_at ON venture.news (created_at NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT companies_deleted;
CREATE INDEX news_updated_at ON venture.news (updated_at NULLS FIRST, id)
  WHERE deleted_at IS NULL AND NOT companies_deleted;
CREATE INDEX news_title_folded ON venture.news USING gin (title_folded venture.gin_trgm_ops);
CREATE INDEX news_publisher_folded ON venture.news
  USING gin (venture.fold(publisher) venture.gin_trgm_ops);
