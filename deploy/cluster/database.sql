-- Creates everything that the primary needs. Run it as PostgreSQL's superuser in the database `postgres`. You can run it
-- again after an upgrade or with new passwords: it keeps all data. On a running cluster, read "Updating the files" in
-- README.md first, because other files must be updated in a certain order. The passwords come from the environment, so
-- that no list of processes shows them:
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
-- Ends transactions that hang and keep locks. It is set here, because PgBouncer does not pass on settings of a process.
ALTER ROLE terse SET idle_in_transaction_session_timeout = '2500ms';
REVOKE CONNECT, TEMPORARY ON DATABASE terse FROM PUBLIC;

-- For copying a primary, following it, and pg_rewind.
ALTER ROLE replicator REPLICATION PASSWORD :'replicator_password';
GRANT CONNECT ON DATABASE postgres TO replicator;
GRANT EXECUTE ON FUNCTION
  pg_ls_dir(text, boolean, boolean),
  pg_stat_file(text, boolean),
  pg_read_binary_file(text),
  pg_read_binary_file(text, bigint, bigint, boolean)
  TO replicator;

-- HAProxy connects without a password. Its role can access only an empty database, with few connections, and can call only
-- the function made for it.
REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC;
REVOKE CONNECT, TEMPORARY ON DATABASE haproxy_check FROM PUBLIC;
GRANT CONNECT ON DATABASE haproxy_check TO haproxy_check;
ALTER ROLE haproxy_check CONNECTION LIMIT 20;

\connect haproxy_check
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO haproxy_check;
-- Every role with access to a database could otherwise create large objects there.
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
-- True if this primary may commit alone or its standby follows it. Otherwise the standby may have become the primary.
CREATE OR REPLACE FUNCTION accepts_writes() RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT NOT pg_is_in_recovery() AND (
    current_setting('synchronous_standby_names') = ''
    OR EXISTS (SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))
  )
$$;
