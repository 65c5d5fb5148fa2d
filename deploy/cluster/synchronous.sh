#!/bin/sh
# Makes every commit of the primary wait for its standby. Run it as postgres on the primary, when the standby runs:
#
#   synchronous.sh NAME
#
# NAME is the name given to new-standby.sh or rejoin.sh. The setting changes only when the standby follows.
set -eu
ask() {
  psql --no-psqlrc --tuples-only --no-align --quiet --set=ON_ERROR_STOP=1 --command="$1" "${2:-postgres}"
}
until [ "$(ask "SELECT count(*) > 0 FROM pg_stat_replication WHERE application_name = '$1' AND state = 'streaming'")" = t ]; do
  echo "Waiting for the standby $1 to connect …" >&2
  sleep 1
done
ask "ALTER SYSTEM SET synchronous_standby_names = '$1'"
ask 'SELECT pg_reload_conf()' >/dev/null
until [ "$(ask 'SELECT accepts_writes()' haproxy_check)" = t ]; do sleep 0.1; done
