-- The data of test/upgrade.test.ts for the schema of this version: `npm run freeze` copies this file
-- to the name of the version. The tests have the key and the results of a client.

-- Records; the triggers derive the rest. One startup is deleted.
INSERT INTO venture.fund (id, name, website, domain, tags, addresses, source, source_key) VALUES
  ('00000000-0000-4000-8000-0000000000f1', 'Northwind Capital', 'https://northwind.example',
   'northwind.example', '{Software}', '[{"country":"Germany","city":"Berlin"}]', 'frozen', 'f1');
INSERT INTO venture.startup (id, name, website, domain, tags, addresses, members_count, source, source_key)
VALUES
  ('00000000-0000-4000-8000-000000000001', 'Alder', 'https://alder.example', 'alder.example',
   '{Fintech}', '[{"country":"Germany","city":"Berlin"}]', 12, 'frozen', '1'),
  ('00000000-0000-4000-8000-000000000002', 'Birch', NULL, NULL, '{}', '[]', NULL, 'frozen', '2'),
  ('00000000-0000-4000-8000-000000000003', 'Cedar', NULL, NULL, '{Fintech}',
   '[{"country":"France","city":"Paris"}]', 3, 'frozen', '3');
INSERT INTO venture.person (id, name, role, source, source_key) VALUES
  ('00000000-0000-4000-8000-0000000000a1', 'Ada Example', 'founder', 'frozen', 'a1');
INSERT INTO venture.funding_round
  (id, startup_id, date, series, stage, stage_stated, amount, source, source_key) VALUES
  ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-000000000001', '2025-05-04',
   'Seed', 3, 3, 2000000, 'frozen', 'b1');
INSERT INTO venture.round_investor (round_id, fund_id, lead, source, source_key) VALUES
  ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000f1', true, 'frozen', 'i1');
INSERT INTO venture.startup_person (startup_id, person_id, title, source, source_key) VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000a1', 'CEO', 'frozen', 'p1');
UPDATE venture.startup SET deleted_at = now(), revision = revision + 1
WHERE id = '00000000-0000-4000-8000-000000000003';

-- The feed as it was published: three signals, and one that waits.
DELETE FROM venture.signal_outbox;
INSERT INTO venture.signal
  (detected_at, position, id, type, subject_type, subject_id, object_id, occurred_at, amount, label)
VALUES
  ('2026-01-05 10:00:00.000001Z', 1, 'b8be6059-68ea-5f11-bc17-37906dd3ad38', 9, 2,
   '00000000-0000-4000-8000-0000000000f1', NULL, '2026-01-05 10:00:00Z', NULL, NULL),
  ('2026-01-05 10:00:00.000002Z', 2, 'cbcab24b-7fd3-5b1a-809b-c3ac6e089882', 7, 1,
   '00000000-0000-4000-8000-000000000001', NULL, '2026-01-05 10:00:00Z', NULL, NULL),
  ('2026-01-05 10:00:00.000003Z', 3, 'd38beb6b-45e2-554b-9564-aa7ba49aaa6d', 1, 1,
   '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000b1', '2025-05-04',
   2000000, 'Seed');
INSERT INTO venture.news (id, title, url, date, startup_id, source, source_key) VALUES
  ('00000000-0000-4000-8000-0000000000c1', 'Alder raises', 'https://news.example/1', '2025-05-05',
   '00000000-0000-4000-8000-000000000001', 'frozen', 'n1');

-- An account with two keys, one revoked, and 500 purchased credits, of which 40 are used.
INSERT INTO access.account (id, plan, purchased_credits, bucket, position, created_at) VALUES
  ('eb6a1706-114c-4349-9729-493865750077', 'free', 500, 66, 5, '2026-01-05 10:00:00Z');
INSERT INTO access.api_key (id, account_id, digest, hint, origin, scopes, is_narrowed, created_at,
  revoked_at) VALUES
  ('0f509ce0-5a7e-424f-8788-af07b92aee07', 'eb6a1706-114c-4349-9729-493865750077',
   'fe40c0fe259fb112f018df66aaa41837556a5d246d400a4fe0d2641289eaeae9', 'pk_live_YhiZ…', 'operator',
   '{}', false, '2026-01-05 10:00:01Z', NULL),
  ('675ea15f-bef0-4f5d-a4b5-5f037244b619', 'eb6a1706-114c-4349-9729-493865750077',
   'f5882e815c895397f3fcf012a22f3d2a43e05509da7d2e0a39891a0e82406cd6', 'pk_live_WDJY…', 'operator',
   '{}', false, '2026-01-05 10:00:02Z', '2026-01-05 10:00:04Z');
INSERT INTO access.purchase (operation_id, account_id, credits, recorded_at) VALUES
  ('order-1', 'eb6a1706-114c-4349-9729-493865750077', 500, '2026-01-05 10:00:03Z');
INSERT INTO access.event (bucket, position, account_id, key_id, kind, detail, recorded_at) VALUES
  (66, 1, 'eb6a1706-114c-4349-9729-493865750077', NULL, 'account_created',
   '{"plan": "free"}', '2026-01-05 10:00:00Z'),
  (66, 2, 'eb6a1706-114c-4349-9729-493865750077', '0f509ce0-5a7e-424f-8788-af07b92aee07',
   'key_issued', '{"origin": "operator"}', '2026-01-05 10:00:01Z'),
  (66, 3, 'eb6a1706-114c-4349-9729-493865750077', '675ea15f-bef0-4f5d-a4b5-5f037244b619',
   'key_issued', '{"origin": "operator"}', '2026-01-05 10:00:02Z'),
  (66, 4, 'eb6a1706-114c-4349-9729-493865750077', NULL, 'credits_purchased',
   '{"credits": 500, "operationId": "order-1"}', '2026-01-05 10:00:03Z'),
  (66, 5, 'eb6a1706-114c-4349-9729-493865750077', '675ea15f-bef0-4f5d-a4b5-5f037244b619',
   'key_revoked', '{}', '2026-01-05 10:00:04Z');
UPDATE access.bucket SET position = 5 WHERE id = 66;
UPDATE access.bucket SET position = 1 WHERE id IN (245, 254);
INSERT INTO access.charge (op, account_id, key_id, endpoint, request_id, period, charged, purchased,
  seq, bucket_seq, charged_at) VALUES
  ('01a220bb-ae39-715b-9dc4-0d87fe0aa564', 'eb6a1706-114c-4349-9729-493865750077',
   '0f509ce0-5a7e-424f-8788-af07b92aee07', '/startups', 'frozen-request-1', 202601, 540, 40, 1, 1,
   '2026-01-05 11:00:00Z');
INSERT INTO access.charge_total
  (bucket, account_id, period, endpoint, key_id, calls, charged, purchased, seq) VALUES
  (66, 'eb6a1706-114c-4349-9729-493865750077', 202601, '/startups',
   '0f509ce0-5a7e-424f-8788-af07b92aee07', 1, 540, 40, 1);
INSERT INTO access.charge_day (account_id, period, day, endpoint, charged) VALUES
  ('eb6a1706-114c-4349-9729-493865750077', 202601, 5, '/startups', 540);
UPDATE access.charge_bucket SET seq = 1 WHERE id = 66;
