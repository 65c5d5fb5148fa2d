#!/bin/sh
# Makes this machine a new standby of a primary. Run it as postgres, with the server here stopped and its data folder empty:
#
#   PGDATA=/var/lib/postgresql/15/main new-standby.sh PRIMARY NAME
#
# PRIMARY is the address of the other machine, NAME the name of this one in synchronous_standby_names. The password of
# `replicator` is read from ~/.pgpass. Then start the server, and run synchronous.sh on the primary.
set -eu
pg_basebackup --pgdata="$PGDATA" --dbname="host=$1 port=${PGPORT:-5432} user=replicator application_name=$2" \
  --wal-method=stream --checkpoint=fast --write-recovery-conf
