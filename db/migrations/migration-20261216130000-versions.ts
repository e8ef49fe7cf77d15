import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the version of videos, folders and webhook endpoints, which their ETag contains, and the ETag of a stored
 * response. Triggers count the versions, because processes of the release before write during an upgrade (ADR 0051).
 */
export class Versions extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

/** The columns by whose change a row gets a new version: what its object shows, without counts of attempts. */
const SHOWN = {
  video: `status, title, description, folder_id, duration_ms, size_bytes, has_poster, poster_version, width, height,
    warnings, error_code, error_message`,
  folder: 'name',
  webhook_endpoint: 'url, description, events, is_active, disabled_reason',
}

const rowOf = (name: 'old' | 'new', columns: string): string =>
  `row(${columns
    .split(/,\s*/)
    .map((column) => `${name}.${column}`)
    .join()})`

const STATEMENTS = [
  'alter table idempotency_record add column etag text',
  `create function count_version() returns trigger language plpgsql as $$ begin
    new.version = old.version + 1;
    return new;
  end $$`,
  // A default that is constant does not rewrite the table.
  ...Object.entries(SHOWN).flatMap(([table, columns]) => [
    `alter table ${table} add column version int not null default 1`,
    `create trigger count_version before update of ${columns} on ${table} for each row
      when (${rowOf('old', columns)} is distinct from ${rowOf('new', columns)})
      execute function count_version()`,
  ]),
]
