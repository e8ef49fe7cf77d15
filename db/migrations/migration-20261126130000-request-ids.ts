import { Migration } from '@mikro-orm/migrations'

/** Adds the id of the request that caused a video, an event or a workflow request; null if no request did. */
export class RequestIds extends Migration {
  override up(): void {
    for (const table of ['video', 'event', 'outbox'])
      this.addSql(`alter table ${table} add column request_id text null`)
  }
}
