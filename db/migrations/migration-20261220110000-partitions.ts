import { Migration } from '@mikro-orm/migrations'

/**
 * Adds when each partition by id got its first id, and how long the rows of partitioned tables are kept, by which
 * reads hide what is too old until its partition is dropped (ADR 0058).
 */
export class Partitions extends Migration {
  override up(): void {
    this.addSql(
      `create table id_partition (
         name text primary key, table_name text not null, opened_at timestamptz not null)`,
    )
    this.addSql(`create table kept_days (table_name text primary key, days int not null)`)
    this.addSql(
      `create function kept_since(name text) returns timestamptz stable parallel safe language sql
         return coalesce((select now() - k.days * interval '1 day' from kept_days k where k.table_name = name), '-infinity')`,
    )
  }
}
