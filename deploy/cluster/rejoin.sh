#!/bin/sh
# Turns an old primary into a standby of the new one. Run it as postgres, with the server here stopped:
#
#   PGDATA=/var/lib/postgresql/15/main PGCONFIG=/etc/postgresql/15/main/postgresql.conf rejoin.sh PRIMARY NAME
#
# Commits that the other machine never received are discarded. They were never confirmed to a client. Then start the
# server, and run synchronous.sh on the primary.
set -eu
pg_rewind --target-pgdata="$PGDATA" ${PGCONFIG:+--config-file="$PGCONFIG"} \
  --source-server="host=$1 port=${PGPORT:-5432} user=replicator dbname=postgres application_name=$2" \
  --write-recovery-conf
