import { Migration } from '@mikro-orm/migrations'

/**
 * Adds what continues after a kill: which steps of a migration are done, and how far each backfill is. Adds which server
 * the database runs on, by which a restore into another one is noticed.
 */
export class StepsAndBackfills extends Migration {
  override up(): void {
    this.addSql(
      `create table migration_step (
         migration text not null, step text not null, done_at timestamptz not null default now(),
         primary key (migration, step))`,
    )
    this.addSql(
      `create table backfill (
         name text primary key, position text, created_at timestamptz not null default now(), completed_at timestamptz)`,
    )
    this.addSql(
      `create table database_server (is_this boolean primary key default true check (is_this), identifier text not null)`,
    )
  }
}
