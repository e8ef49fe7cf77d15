#!/bin/bash
# Makes a database user for each of Reelgate and Temporal, with nothing but its own databases. The image of
# PostgreSQL runs this at its first start. Safe to repeat; docs/operating/upgrade.md says when to run it by hand.
set -euo pipefail

superuser() {
  psql --no-psqlrc --quiet --no-password -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" "$@"
}

# user NAME: reads its password from the file of the secret, so that it is in no argument and no log.
user() {
  superuser -d postgres -v name="$1" <<SQL
\\set password \`cat /run/secrets/$1_database_password\`
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \\gexec
SET log_statement = 'none';
ALTER ROLE :"name" LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
SQL
}

# database NAME OWNER
database() {
  superuser -d postgres -v name="$1" -v owner="$2" <<'SQL'
SELECT format('CREATE DATABASE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
ALTER DATABASE :"name" OWNER TO :"owner";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
  superuser -d "$1" -v owner="$2" <<'SQL'
-- What an earlier version made as superuser; nothing in a new database.
SELECT format('ALTER %s %s OWNER TO %I', kind, name, :'owner')
FROM (
  SELECT oid, 'pg_class'::regclass AS catalog, relowner AS owner, oid::regclass::text AS name,
    CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END AS kind
  FROM pg_class WHERE relkind IN ('r', 'p', 'S', 'v', 'm') AND relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT oid, 'pg_proc'::regclass, proowner, oid::regprocedure::text, 'ROUTINE'
  FROM pg_proc WHERE prokind <> 'a' AND pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT oid, 'pg_type'::regclass, typowner, oid::regtype::text, 'TYPE'
  FROM pg_type WHERE typtype IN ('e', 'd') AND typnamespace = 'public'::regnamespace
) AS object
WHERE owner <> (SELECT oid FROM pg_roles WHERE rolname = :'owner')
  -- Not what belongs to an extension or to a column.
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = catalog AND objid = object.oid AND deptype IN ('e', 'a', 'i'))
\gexec
SQL
}

superuser -d postgres -c 'REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC'
user reelgate
database reelgate reelgate
user temporal
database temporal temporal
database temporal_visibility temporal
