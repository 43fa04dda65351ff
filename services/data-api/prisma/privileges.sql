-- What each role may do in data-api's schemas. Run after every migration by the owner, in one
-- transaction; running it again changes nothing. No role owns a table or may change the schema.
--   vcds_data_api  the service: reads everything, writes nothing
--   vcds_data_worker  the data worker: reads everything, writes what it derives: the change feed, the
--     facet index, models, predictions, operating statuses, observations
--   vcds_importer  npm run ingest: writes records, never deletes them

REVOKE ALL ON ALL TABLES IN SCHEMA venture
  FROM vcds_data_api, vcds_data_worker, vcds_importer;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA venture FROM vcds_data_api;
GRANT USAGE ON SCHEMA venture TO vcds_data_api, vcds_data_worker, vcds_importer;
GRANT SELECT ON ALL TABLES IN SCHEMA venture
  TO vcds_data_api, vcds_data_worker, vcds_importer;

-- Statements of merged companies are read by all, and written by imports.
REVOKE ALL ON ALL TABLES IN SCHEMA stated FROM vcds_data_api, vcds_data_worker, vcds_importer;
GRANT USAGE ON SCHEMA stated TO vcds_data_api, vcds_data_worker, vcds_importer;
GRANT SELECT ON ALL TABLES IN SCHEMA stated TO vcds_data_api, vcds_data_worker, vcds_importer;
GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA stated TO vcds_importer;
GRANT INSERT, UPDATE ON venture.round_member TO vcds_importer;

-- Publishing signals: from the outbox into the feed.
GRANT DELETE ON venture.signal_outbox TO vcds_data_worker;
GRANT INSERT, UPDATE (occurred_at, dated) ON venture.signal TO vcds_data_worker;
GRANT UPDATE ON venture.signal_publisher TO vcds_data_worker;
GRANT SELECT ON SEQUENCE venture.signal_outbox_serial_seq TO vcds_data_worker;

-- Publishing changes of records, and those that existed before the feed.
GRANT INSERT, DELETE ON venture.change_outbox TO vcds_data_worker;
GRANT INSERT ON venture.change TO vcds_data_worker;
GRANT UPDATE, DELETE ON venture.change_backfill TO vcds_data_worker;
GRANT SELECT ON SEQUENCE venture.change_outbox_serial_seq TO vcds_data_worker;

-- Indexing facets: from the log of changes into codes and counts.
GRANT INSERT, DELETE ON venture.facet_change, venture.facet_batch TO vcds_data_worker;
GRANT INSERT, UPDATE ON venture.startup_facet, venture.fund_facet, venture.round_facet,
  venture.dimension_value, venture.facet_count, venture.facet_state TO vcds_data_worker;
GRANT SELECT ON SEQUENCE venture.facet_change_position_seq TO vcds_data_worker;

-- Training: a new model replaces the oldest.
GRANT INSERT, UPDATE, DELETE ON venture.model TO vcds_data_worker;
GRANT INSERT, UPDATE ON venture.stage_prediction TO vcds_data_worker;

-- Resolution: pairs, an operator's rulings, the state of the run.
GRANT INSERT, UPDATE ON venture.company_pair, venture.company_ruling, venture.resolution_run,
  venture.compared_statement TO vcds_data_worker;
GRANT DELETE ON venture.company_pair, venture.compared_statement TO vcds_data_worker;

-- Visiting sites.
GRANT INSERT, UPDATE ON venture.site_visit TO vcds_data_worker;

-- Importing: the records and what their triggers write.
GRANT INSERT, UPDATE ON venture.startup, venture.fund, venture.person, venture.funding_round,
  venture.round_investor, venture.holding, venture.post_valuation, venture.news,
  venture.startup_person, venture.fund_person, venture.reference, venture.observation,
  venture.startup_computed, venture.fund_computed TO vcds_importer;
GRANT INSERT, UPDATE ON venture.term, venture.usd_rate,
  venture.import_run, venture.import_sequence TO vcds_importer;
GRANT INSERT ON venture.term_spelling, venture.spelling_choice TO vcds_importer;
GRANT INSERT ON venture.signal_outbox, venture.change_outbox, venture.facet_change,
  venture.name_word TO vcds_importer;
GRANT UPDATE ON venture.signal_publisher TO vcds_importer;
-- The tables of one run, which the importer creates and drops.
GRANT USAGE, CREATE ON SCHEMA venture_import TO vcds_importer;

-- Functions that run with the owner's rights.
REVOKE ALL ON FUNCTION venture.cluster_companies(smallint, uuid[], uuid[]),
  venture.rank_source(text, integer, smallint, uuid, integer),
  venture.sweep_operating_status(integer), venture.turn_observations(integer),
  venture.record_observation(uuid, uuid, text, text, text, text, timestamptz, timestamptz, text),
  venture.refresh_statistics(regclass), venture.collect_first_statistics(),
  venture.oldest_transactions(),
  venture.drop_secondary_indexes(regclass), venture.build_dropped_index(text),
  venture.merge_pending_entries(regclass),
  venture.predict_stages(uuid, date), venture.derive_next() FROM PUBLIC, vcds_data_api;
GRANT EXECUTE ON FUNCTION venture.cluster_companies(smallint, uuid[], uuid[]),
  venture.rank_source(text, integer, smallint, uuid, integer) TO vcds_data_worker;
GRANT EXECUTE ON FUNCTION venture.predict_stages(uuid, date), venture.derive_next()
  TO vcds_data_worker;
GRANT EXECUTE ON FUNCTION venture.sweep_operating_status(integer),
  venture.turn_observations(integer) TO vcds_data_worker, vcds_importer;
GRANT EXECUTE ON FUNCTION
  venture.record_observation(uuid, uuid, text, text, text, text, timestamptz, timestamptz, text)
  TO vcds_data_worker;
GRANT EXECUTE ON FUNCTION venture.refresh_statistics(regclass), venture.collect_first_statistics(),
  venture.drop_secondary_indexes(regclass), venture.build_dropped_index(text),
  venture.merge_pending_entries(regclass) TO vcds_importer;
GRANT EXECUTE ON FUNCTION venture.oldest_transactions() TO vcds_data_worker;
