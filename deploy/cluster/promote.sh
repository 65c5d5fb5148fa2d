#!/bin/sh
# Promotes this standby to primary after the other machine was lost. Run it as postgres on the standby:
#
#   promote.sh
#
# The new primary commits alone until you have run rejoin.sh on the other machine and synchronous.sh here.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 postgres <<'SQL'
-- On a primary, the commands below would stop it from waiting for its standby.
DO $$ BEGIN
  IF NOT pg_is_in_recovery() THEN RAISE 'This server is not a standby. Nothing was changed.'; END IF;
END $$;
-- Must run before the promotion. Otherwise the new primary would wait for the lost machine.
ALTER SYSTEM SET synchronous_standby_names = '';
SELECT pg_reload_conf() \g /dev/null
DO $$ BEGIN
  IF NOT pg_promote() THEN RAISE 'This server did not become the primary within a minute. See its log.'; END IF;
END $$;
-- Before this checkpoint, rejoin.sh would not detect the promotion.
CHECKPOINT;
SQL
