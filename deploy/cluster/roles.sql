-- Roles of PostgreSQL for a cluster: one that writes (loads, recorders, compact, sweep, delete) and one that only reads
-- (nodes, verify, pg_dump). Both keep accounts: nodes make keys and count calls. Run it in the catalogue's database as
-- its owner, once the first load has made the catalogue and the first `backbook keys create` the accounts, and again
-- after a new version and after a restore:
--   psql -v ON_ERROR_STOP=1 -v reader_password=… -v writer_password=… -f roles.sql backbook
-- The schema of the catalogue is CATALOGUE_SCHEMA, "backbook" unless set; that of the accounts is "public".

SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['backbook_writer', 'backbook_reader', 'backbook_accounts']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE backbook_writer LOGIN PASSWORD :'writer_password';
ALTER ROLE backbook_reader LOGIN PASSWORD :'reader_password';

GRANT USAGE ON SCHEMA backbook TO backbook_reader, backbook_writer;
GRANT SELECT ON ALL TABLES IN SCHEMA backbook TO backbook_reader;
-- What pg_dump reads.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA backbook TO backbook_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA backbook TO backbook_writer;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA backbook TO backbook_writer;

GRANT USAGE ON SCHEMA public TO backbook_accounts;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  users, api_keys, accounts_revision, ended_secrets, key_uses, user_totals, user_hours, user_months, service_hours,
  service_months, market_days, recent_requests, usage_writers, subscriptions, stripe_events
  TO backbook_accounts;
GRANT SELECT ON schema_migrations TO backbook_accounts;
GRANT backbook_accounts TO backbook_reader, backbook_writer;
