import { Migration } from '@mikro-orm/migrations'

/** The request that caused a video, an event or a command; null where none of ours did. */
export class RequestIds extends Migration {
  override up(): void {
    for (const table of ['video', 'event', 'outbox'])
      this.addSql(`alter table ${table} add column request_id text null`)
  }
}
