import { Migration } from '@mikro-orm/migrations'

/**
 * Adds when each running process started, by which a former master key is dropped, and how far its clock is ahead of
 * the database's. Processes of the release before record neither.
 */
export class ProcessClocks extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(
      `alter table master_key_holder
         add column started_at timestamptz not null default now(),
         add column clock_offset_ms bigint`,
    )
  }
}
