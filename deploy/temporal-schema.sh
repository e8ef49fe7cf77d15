#!/bin/sh
# Makes Temporal's databases where they are missing and updates their schemas; safe to repeat.
set -eu

prepare() {
  database=$1
  schema=$2
  tool() {
    temporal-sql-tool --plugin "$DB" --ep "$POSTGRES_SEEDS" -p "$DB_PORT" -u "$POSTGRES_USER" \
      --db "$database" "$@"
  }
  tool create
  tool setup-schema -v 0.0
  tool update-schema -d "/etc/temporal/schema/postgresql/v12/$schema/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
