#!/bin/sh
# Promotes this standby to primary after the other machine was lost. Run it as postgres on the standby:
#
#   promote.sh
#
# The new primary commits alone until you have run rejoin.sh on the other machine and synchronous.sh here.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 postgres <<'SQL'
-- On a primary, perhaps one of yesterday, what follows would end its waiting for a standby.
DO $$ BEGIN
  IF NOT pg_is_in_recovery() THEN RAISE 'This server is no standby. Nothing was changed.'; END IF;
END $$;
-- Before it is promoted, or the new primary would wait for the lost one.
ALTER SYSTEM SET synchronous_standby_names = '';
SELECT pg_reload_conf() \g /dev/null
DO $$ BEGIN
  IF NOT pg_promote() THEN RAISE 'This server has not become the primary within a minute: see its log.'; END IF;
END $$;
-- Until then rejoin.sh would believe that nothing has changed.
CHECKPOINT;
SQL
