#!/bin/bash
# Does what docker-compose.yml uses of the entrypoint of the published image.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  options='-c unix_socket_directories=/var/run/postgresql'
  pg_ctl -D "$PGDATA" -w -o "$options -c listen_addresses=''" start
  for script in /docker-entrypoint-initdb.d/*.sh; do "$script"; done
  pg_ctl -D "$PGDATA" -w -m fast stop
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
