-- Everything that the primary needs, by PostgreSQL's superuser in the database `postgres`. Run it again after an upgrade, or
-- with new passwords: it changes what differs and keeps all data. On a cluster that serves, read "Upgrades without a pause" in
-- docs/scaling.md first: other files go with it, in an order. The passwords come from the environment, so that they stand in
-- no list of processes:
--
--   TERSE_PASSWORD=… REPLICATOR_PASSWORD=… psql --file=database.sql postgres
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
\getenv terse_password TERSE_PASSWORD
\getenv replicator_password REPLICATOR_PASSWORD

SELECT format('CREATE ROLE %I LOGIN', name) FROM unnest(ARRAY['terse', 'replicator', 'haproxy_check']) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
SELECT format('CREATE DATABASE %I OWNER %I', name, owner)
  FROM (VALUES ('terse', 'terse'), ('haproxy_check', 'postgres')) AS wanted (name, owner)
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = name) \gexec

ALTER ROLE terse PASSWORD :'terse_password';
-- PgBouncer cannot hand on what each process asks for: one that hangs in a transaction keeps its locks no longer.
ALTER ROLE terse SET idle_in_transaction_session_timeout = '2500ms';
REVOKE CONNECT, TEMPORARY ON DATABASE terse FROM PUBLIC;

-- Copies a primary, follows it, and rewinds.
ALTER ROLE replicator REPLICATION PASSWORD :'replicator_password';
GRANT CONNECT ON DATABASE postgres TO replicator;
GRANT EXECUTE ON FUNCTION
  pg_ls_dir(text, boolean, boolean),
  pg_stat_file(text, boolean),
  pg_read_binary_file(text),
  pg_read_binary_file(text, bigint, bigint, boolean)
  TO replicator;

-- HAProxy asks without a password. So its role gets into an empty database of its own and into no other, and may run there
-- what is made for it, on a few connections.
REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC;
REVOKE CONNECT, TEMPORARY ON DATABASE haproxy_check FROM PUBLIC;
GRANT CONNECT ON DATABASE haproxy_check TO haproxy_check;
ALTER ROLE haproxy_check CONNECTION LIMIT 20;

\connect haproxy_check
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO haproxy_check;
-- Large objects are the one thing that anybody who gets into a database may make there.
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
-- A primary that waits for a standby which does not follow it commits nothing: perhaps its standby is the primary by now. Only
-- a primary that may commit alone, or whose standby follows, is asked for anything.
CREATE OR REPLACE FUNCTION accepts_writes() RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT NOT pg_is_in_recovery() AND (
    current_setting('synchronous_standby_names') = ''
    OR EXISTS (SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))
  )
$$;
