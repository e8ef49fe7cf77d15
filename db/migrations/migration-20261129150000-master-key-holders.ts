import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the list of running processes with the versions of the master key that each has. Unlogged: a crash of
 * PostgreSQL empties it.
 */
export class MasterKeyHolders extends Migration {
  override up(): void {
    this.addSql(
      `create unlogged table master_key_holder (process text primary key, versions int[] not null,
       seen_at timestamptz not null default now())`,
    )
  }
}
