import { Migration } from '@mikro-orm/migrations'

/**
 * Adds why videos did not play (ADR 0066). No foreign key to the video: a report outlives it. The indexes are for the
 * purge, and for the erasure of a viewer.
 */
export class PlaybackReports extends Migration {
  override up(): void {
    this.addSql(`create table playback_report (
      code text not null,
      account_id int not null references account (id),
      cause text not null,
      video_id text null,
      viewer_id text null,
      host text null,
      browser text null,
      system text null,
      details jsonb not null default '{}',
      created_at timestamptz not null default now(),
      primary key (code, account_id))`)
    this.addSql('create index playback_report_created on playback_report (created_at)')
    this.addSql(`create index playback_report_viewer on playback_report (account_id, viewer_id)
      where viewer_id is not null`)
  }
}
