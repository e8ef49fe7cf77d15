#!/bin/sh
# Brings Temporal's databases (deploy/database-users.sh makes them) to the version of the image; safe to repeat.
set -eu

SQL_PASSWORD=$(cat /run/secrets/temporal_database_password)
export SQL_PASSWORD

prepare() {
  database=$1
  schema=$2
  tool() {
    temporal-sql-tool --plugin "$DB" --ep "$POSTGRES_SEEDS" -p "$DB_PORT" -u "$POSTGRES_USER" \
      --db "$database" "$@"
  }
  tool setup-schema -v 0.0
  tool update-schema -d "/etc/temporal/schema/postgresql/v12/$schema/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
