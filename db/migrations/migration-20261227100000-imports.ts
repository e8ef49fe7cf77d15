import { Migration } from '@mikro-orm/migrations'

/**
 * Adds imports of videos from links (ADR 0074), and their lines. A line names its video without a foreign key, because it outlives one that is deleted. The indexes are for the
 * rounds of an import, the download of a video and the purge.
 */
export class Imports extends Migration {
  override up(): void {
    this.addSql(`create table video_import (
      id bigserial primary key,
      account_id int not null references account (id),
      state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
      at_once int not null,
      line_count int not null,
      bucket jsonb null,
      sealed_access text null,
      request_id text null,
      created_at timestamptz not null default now(),
      completed_at timestamptz null)`)
    this.addSql(`create table video_import_line (
      import_id bigint not null references video_import (id) on delete cascade,
      number int not null,
      account_id int not null references account (id),
      state text not null default 'waiting'
        check (state in ('waiting', 'started', 'ready', 'failed', 'exists', 'cancelled')),
      external_id text null,
      source_url text not null,
      sha256 text null,
      facts jsonb not null,
      video_id text null,
      error_code text null,
      error_message text null,
      primary key (import_id, number))`)
    this.addSql('create index video_import_account on video_import (account_id, id desc)')
    this.addSql(`create index video_import_running on video_import (id)
      where state = 'running' or sealed_access is not null`)
    this.addSql('create index video_import_completed on video_import (completed_at)')
    this.addSql(`create index video_import_line_open on video_import_line (import_id, state, number)
      where state in ('waiting', 'started')`)
    this.addSql('create index video_import_line_account on video_import_line (account_id)')
    this.addSql(
      'create index video_import_line_video on video_import_line (video_id) where video_id is not null',
    )
  }
}
