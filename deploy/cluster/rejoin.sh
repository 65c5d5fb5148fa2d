#!/bin/sh
# Makes a primary of yesterday the standby of today's primary. As the user postgres, with the server here stopped:
#
#   PGDATA=/var/lib/postgresql/15/main PGCONFIG=/etc/postgresql/15/main/postgresql.conf rejoin.sh PRIMARY NAME
#
# What it had committed and the other one never heard of is thrown away: nobody was told that it is there. Then start
# the server, and run synchronous.sh on the primary.
set -eu
pg_rewind --target-pgdata="$PGDATA" ${PGCONFIG:+--config-file="$PGCONFIG"} \
  --source-server="host=$1 port=${PGPORT:-5432} user=replicator dbname=postgres application_name=$2" \
  --write-recovery-conf
