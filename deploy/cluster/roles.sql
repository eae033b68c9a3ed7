-- PostgreSQL roles of a cluster: a writer (loads, recorders, compact, sweep, delete) and a reader (nodes, verify,
-- pg_dump). Both may write accounts, since nodes make keys and count calls. Run this file in the catalogue's database
-- as its owner, after the first load has created the catalogue and the first `backbook keys create` the accounts.
-- Run it again after each new version and each restore:
--   psql -v ON_ERROR_STOP=1 -v reader_password=… -v writer_password=… -f roles.sql backbook
-- The schema of the catalogue is CATALOGUE_SCHEMA (default "backbook"). The schema of the accounts is "public".

SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['backbook_writer', 'backbook_reader', 'backbook_accounts']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE backbook_writer LOGIN PASSWORD :'writer_password';
ALTER ROLE backbook_reader LOGIN PASSWORD :'reader_password';

GRANT USAGE ON SCHEMA backbook TO backbook_reader, backbook_writer;
GRANT SELECT ON ALL TABLES IN SCHEMA backbook TO backbook_reader;
-- pg_dump reads sequences too.
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
