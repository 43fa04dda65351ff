-- Run once, when the database is created. Migrations grant the privileges.
CREATE ROLE vcds_owner LOGIN PASSWORD 'development';
CREATE ROLE vcds_data_api LOGIN PASSWORD 'development';
CREATE ROLE vcds_data_worker LOGIN PASSWORD 'development';
CREATE ROLE vcds_importer LOGIN PASSWORD 'development';
CREATE ROLE vcds_access_api LOGIN PASSWORD 'development';
ALTER DATABASE vcds OWNER TO vcds_owner;
-- For the metric of the oldest open transaction.
GRANT pg_read_all_stats TO vcds_owner;
