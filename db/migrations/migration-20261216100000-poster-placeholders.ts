import { Migration } from '@mikro-orm/migrations'

/** Adds the tiny pictures that are shown while a poster loads; videos from before have none. */
export class PosterPlaceholders extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(`alter table video add column poster_placeholders jsonb not null default '{}'`)
  }
}
