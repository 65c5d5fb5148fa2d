-- Everything that the primary needs, once, by PostgreSQL's superuser in the database `postgres`. The passwords come
-- from the environment, so that they stand in no list of processes:
--
--   TERSE_PASSWORD=… REPLICATOR_PASSWORD=… psql --file=database.sql postgres
\set ON_ERROR_STOP on
\getenv terse_password TERSE_PASSWORD
\getenv replicator_password REPLICATOR_PASSWORD

CREATE ROLE terse LOGIN PASSWORD :'terse_password';
-- PgBouncer cannot hand on what each process asks for: one that hangs in a transaction keeps its locks no longer.
ALTER ROLE terse SET idle_in_transaction_session_timeout = '15s';
CREATE DATABASE terse OWNER terse;

-- Copies a primary, follows it, and rewinds.
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replicator_password';
GRANT EXECUTE ON FUNCTION
  pg_ls_dir(text, boolean, boolean),
  pg_stat_file(text, boolean),
  pg_read_binary_file(text),
  pg_read_binary_file(text, bigint, bigint, boolean)
  TO replicator;

-- HAProxy's question. A primary that waits for a standby which does not follow it commits nothing: perhaps its standby is
-- the primary by now. Only a primary that may commit alone, or whose standby follows, is asked for anything.
CREATE ROLE haproxy_check LOGIN;
CREATE FUNCTION accepts_writes() RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT NOT pg_is_in_recovery() AND (
    current_setting('synchronous_standby_names') = ''
    OR EXISTS (SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))
  )
$$;
