-- Roles of PostgreSQL for a cluster: one that writes (loads, recorders, compact, sweep, delete) and one that only reads
-- (nodes). Run it in the catalogue's database as its owner, once the first load has made the tables:
--   psql -v reader_password=… -v writer_password=… -f roles.sql backbook
-- The schema is CATALOGUE_SCHEMA, "backbook" unless set.

CREATE ROLE backbook_writer LOGIN PASSWORD :'writer_password';
CREATE ROLE backbook_reader LOGIN PASSWORD :'reader_password';

GRANT USAGE ON SCHEMA backbook TO backbook_reader, backbook_writer;
GRANT SELECT ON ALL TABLES IN SCHEMA backbook TO backbook_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA backbook TO backbook_writer;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA backbook TO backbook_writer;
