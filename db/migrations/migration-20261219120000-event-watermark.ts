import { Migration } from '@mikro-orm/migrations'

/** Adds the watermark of settled events, which relays write (ADR 0063). Processes of the release before do without it. */
export class EventWatermark extends Migration {
  override up(): void {
    // Half empty pages, so that each new version of the row finds place.
    this.addSql(`create table event_watermark (
      id smallint primary key check (id = 1), settled_before xid8 not null, written_by xid8 not null)
      with (fillfactor = 50)`)
  }
}
