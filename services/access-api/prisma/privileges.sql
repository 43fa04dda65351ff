-- What access-api and its worker may do in schema access. Run after every migration by the owner,
-- in one transaction; running it again changes nothing. The role owns no table and may not change
-- the schema; events, purchases and charges can be added, never changed.

REVOKE ALL ON ALL TABLES IN SCHEMA access FROM vcds_access_api;
GRANT USAGE ON SCHEMA access TO vcds_access_api;
GRANT SELECT ON ALL TABLES IN SCHEMA access TO vcds_access_api;

GRANT UPDATE ON access.bucket TO vcds_access_api;
GRANT INSERT, UPDATE ON access.account, access.api_key, access.oauth_grant TO vcds_access_api;
GRANT INSERT, UPDATE, DELETE ON access.login TO vcds_access_api;
GRANT INSERT ON access.event, access.purchase, access.charge TO vcds_access_api;
GRANT INSERT, UPDATE ON access.charge_total, access.charge_day, access.charge_bucket TO vcds_access_api;

-- Functions that run with the owner's rights, and those that they call.
REVOKE ALL ON FUNCTION access.maintain_charges(integer),
  access.add_charge_partition(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION access.maintain_charges(integer) TO vcds_access_api;
