-- A small data set with ties, nulls, multiple and no values, accents, quotes and wildcards.
INSERT INTO venture.fund (id, name, website, domain, identifiers, description, founded, tags, addresses,
  members_count, investment_stages, investment_types, groups, operating_status_stated, source,
  created_at)
SELECT md5('fund' || i)::uuid,
  (ARRAY['Árbol Capital', 'Zeta Partners', 'O''Neil & Sons', 'beta ventures', 'Ünder 100%'])[1 + i % 5] || ' ' || i % 17,
  CASE WHEN i % 4 > 0 THEN 'https://www.fund' || i || '.example' END,
  CASE WHEN i % 4 > 0 THEN 'fund' || i || '.example' END,
  CASE WHEN i % 3 > 0 THEN ARRAY['linkedin:fund' || i % 11, 'x:fund' || i] ELSE '{}' END,
  CASE WHEN i % 3 = 0 THEN 'Backs widgets and gadgets early.' END,
  CASE WHEN i % 5 > 0 THEN 1970 + i % 9 END,
  (ARRAY['{}', '{Fintech}', '{Fintech,Saúde}', '{Robots,Space_tech}'])[1 + i % 4]::text[],
  (ARRAY['[]', '[{"City": "París", "Country": "France"}]',
    '[{"City": "Austin", "Region": "Texas", "Country": "United States"}, {"City": "Oslo", "Country": "Norway"}]'])[1 + i % 3]::jsonb,
  CASE WHEN i % 6 > 0 THEN i * 37 % 12000 END,
  (ARRAY['{}', '{3,4}', '{5,6,7}'])[1 + i % 3]::smallint[],
  (ARRAY['{}', '{VentureFund}', '{Accelerator,Studio}'])[1 + i % 3]::text[],
  (ARRAY['{}', '{Top Tier}', '{Top Tier,Nordics}'])[1 + i % 3]::text[],
  (ARRAY[NULL, 'Active', 'Closed'])[1 + i % 3],
  'seed', timestamptz '2026-01-01T00:00:00Z' + (i % 7) * interval '1 day 0.25 s'
FROM generate_series(1, 40) AS i;

INSERT INTO venture.startup (id, name, website, domain, identifiers, description, founded,
  total_raised_reported, tags, addresses, members_count, primary_source, operating_status_stated,
  operating_status_inferred, operating_status_source, source, source_url, created_at)
SELECT md5('startup' || i)::uuid,
  (ARRAY['Ágora', 'agora', 'Zebra_works', 'Ωmega', '100% Müller', 'it''s here'])[1 + i % 6] || ' ' || i % 23,
  CASE WHEN i % 4 > 0 THEN 'https://startup' || i || '.example/path' END,
  CASE WHEN i % 4 > 0 THEN 'startup' || i || '.example' END,
  CASE WHEN i % 3 > 0 THEN ARRAY['linkedin:startup' || i % 11, 'x:startup' || i] ELSE '{}' END,
  CASE WHEN i % 3 > 0 THEN 'Makes widgets for people, number ' || i || '.' END,
  CASE WHEN i % 5 > 0 THEN 2000 + i % 7 END,
  CASE WHEN i % 7 = 0 THEN i * 1000003::bigint END,
  (ARRAY['{}', '{Fintech}', '{Fintech,Saúde}', '{Robots,Space_tech}'])[1 + i % 4]::text[],
  (ARRAY['[]', '[{"City": "París", "Country": "France"}]',
    '[{"City": "Austin", "Region": "Texas", "Country": "United States"}, {"City": "Oslo", "Country": "Norway"}]'])[1 + i % 3]::jsonb,
  CASE WHEN i % 6 > 0 THEN i * 97 % 11000 END,
  (ARRAY[NULL, 'Organic', 'Media', 'FundWebsite'])[1 + i % 4],
  (ARRAY[NULL, 'Active', NULL, 'Closed'])[1 + i % 4],
  CASE WHEN i % 4 = 2 THEN 'ProbablyClosed' END,
  CASE WHEN i % 4 = 2 THEN 'inferred' ELSE 'editor' END,
  'seed', 'https://seed.example/' || i,
  timestamptz '2026-02-01T00:00:00Z' + (i % 11) * interval '1 hour 0.001 s'
FROM generate_series(1, 120) AS i;

INSERT INTO venture.person (id, name, first_name, last_name, role, title, location, countries,
  source)
SELECT md5('person' || i)::uuid, (ARRAY['Zoë', 'zoe', 'Bo', 'Łukasz'])[1 + i % 4] || ' ' || i % 13,
  (ARRAY['Zoë', 'zoe', 'Bo', 'Łukasz'])[1 + i % 4], NULL,
  (ARRAY[NULL, 'founder', 'investor', 'both'])[1 + i % 4],
  CASE WHEN i % 2 = 0 THEN 'Founder' END, (ARRAY['París', NULL, 'Oslo'])[1 + i % 3],
  (ARRAY['{France}', '{}', '{Norway,France}'])[1 + i % 3]::text[], 'seed'
FROM generate_series(1, 50) AS i;

INSERT INTO venture.funding_round (id, startup_id, date, series, stage, amount, original_amount,
  original_currency, confirmed, source)
SELECT md5('round' || i)::uuid, md5('startup' || CASE WHEN i % 12 = 0 THEN 2 ELSE 1 + i % 100 END)::uuid,
  CASE WHEN i % 9 > 0 THEN date '2015-01-15' + (i % 40) * 60 END,
  (ARRAY['Series A', 'series b', NULL, 'Seed'])[1 + i % 4],
  CASE WHEN i % 8 > 0 THEN 3 + i % 5 END,
  CASE WHEN i % 6 > 0 THEN (i % 20) * 250000::bigint END,
  CASE WHEN i % 6 > 0 THEN (i % 20) * 200000.5 END, CASE WHEN i % 6 > 0 THEN 'EUR' END,
  i % 10 > 0, 'seed'
FROM generate_series(1, 200) AS i;

INSERT INTO venture.round_investor (round_id, fund_id, lead, source)
SELECT md5('round' || i)::uuid, md5('fund' || (1 + (i * k) % 37))::uuid, k = 1, 'seed'
FROM generate_series(1, 200) AS i, generate_series(1, 3) AS k
WHERE i % 3 > 0 AND (k = 1 OR i % 2 = 0)
ON CONFLICT DO NOTHING;
INSERT INTO venture.round_investor (round_id, person_id, source)
SELECT md5('round' || i)::uuid, md5('person' || (1 + i % 50))::uuid, 'seed'
FROM generate_series(1, 200, 7) AS i;

INSERT INTO venture.holding (fund_id, startup_id, status, source)
SELECT md5('fund' || (1 + i % 40))::uuid, md5('startup' || (1 + i * 7 % 120))::uuid,
  (ARRAY['Held', 'Exited', 'Acquired'])[1 + i % 3], 'seed'
FROM generate_series(1, 90) AS i
ON CONFLICT (fund_id, startup_id) DO UPDATE SET status = excluded.status, stated = true;

INSERT INTO venture.startup_person (startup_id, person_id, title, since, source)
SELECT md5('startup' || (1 + i % 30))::uuid, md5('person' || (1 + i * 3 % 50))::uuid,
  CASE WHEN i % 2 = 0 THEN 'CEO' END, CASE WHEN i % 3 > 0 THEN date '2020-01-01' + i % 5 END, 'seed'
FROM generate_series(1, 80) AS i ON CONFLICT DO NOTHING;
INSERT INTO venture.fund_person (fund_id, person_id, title, since, source)
SELECT md5('fund' || (1 + i % 12))::uuid, md5('person' || (1 + i * 3 % 50))::uuid,
  CASE WHEN i % 2 = 0 THEN 'Partner' END, CASE WHEN i % 3 > 0 THEN date '2020-01-01' + i % 5 END, 'seed'
FROM generate_series(1, 60) AS i ON CONFLICT DO NOTHING;

INSERT INTO venture.post_valuation (id, startup_id, round_id, date, amount, estimated, source)
SELECT md5('valuation' || i)::uuid,
  md5('startup' || CASE WHEN i % 9 = 0 THEN 2 ELSE 1 + i % 60 END)::uuid,
  CASE WHEN i % 2 = 0 THEN md5('round' || i)::uuid END,
  CASE WHEN i % 5 > 0 THEN date '2016-06-01' + (i % 10) * 100 END,
  CASE WHEN i % 7 > 0 THEN i % 12 * 10000000::bigint END, i % 3 = 0, 'seed'
FROM generate_series(1, 80) AS i;

INSERT INTO venture.news (id, title, url, publisher, date, startup_id, fund_id, source)
SELECT md5('news' || i)::uuid, (ARRAY['Ágora raises', '100% growth', 'A_b closes'])[1 + i % 3] || ' ' || i,
  'https://news.example/' || i, (ARRAY['The Wire', NULL, 'Le Matin'])[1 + i % 3],
  CASE WHEN i % 6 > 0 THEN date '2024-03-01' + i % 8 END,
  CASE WHEN i % 2 = 0 THEN md5('startup' || (1 + i % 50))::uuid END,
  CASE WHEN i % 2 = 1 THEN md5('fund' || (1 + i % 20))::uuid END, 'seed'
FROM generate_series(1, 90) AS i;

INSERT INTO venture.reference (id, startup_id, field, fact_source, url, retrieved_at, confidence)
SELECT md5('reference' || i)::uuid, md5('startup' || (1 + i % 10))::uuid,
  (ARRAY['Founded', 'MembersCount'])[1 + i % 2], 'Registry', 'https://registry.example/' || i,
  timestamptz '2026-01-05T10:00:00Z', (ARRAY['confirmed', 'estimated'])[1 + i % 2]
FROM generate_series(1, 12) AS i;

-- Deleted records: in no list, in no expand, in no count.
UPDATE venture.startup SET deleted_at = now() WHERE id IN (md5('startup3')::uuid, md5('startup110')::uuid);
UPDATE venture.fund SET deleted_at = now() WHERE id = md5('fund5')::uuid;
UPDATE venture.person SET deleted_at = now() WHERE id = md5('person9')::uuid;
UPDATE venture.funding_round SET deleted_at = now() WHERE id = md5('round4')::uuid;
UPDATE venture.news SET deleted_at = now() WHERE id = md5('news2')::uuid;
