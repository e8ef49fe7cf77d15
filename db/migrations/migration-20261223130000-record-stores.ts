import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the learning record store of an account, and the statements that wait for it (ADR 0067). No foreign key to the record store,
 * whose statements are removed after it, nor to the video, which a statement outlives. The indexes are for the deliveries, the erasure of a
 * viewer and the purge.
 */
export class RecordStores extends Migration {
  override up(): void {
    this.addSql(`create table record_store (
      account_id int primary key references account (id),
      url text not null,
      username text not null,
      sealed_password text not null,
      home_page text not null,
      is_active boolean not null default true,
      failure_count int not null default 0,
      refused_in_row int not null default 0,
      next_attempt_at timestamptz null,
      delivered_count bigint not null default 0,
      refused_count bigint not null default 0,
      dropped_count bigint not null default 0,
      last_success_at timestamptz null,
      last_error_at timestamptz null,
      last_error_code text null,
      last_error_message text null,
      last_error_status int null,
      last_response text null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now())`)
    this.addSql(`create table xapi_statement (
      id uuid primary key,
      number bigserial not null,
      account_id int not null references account (id),
      viewer_id text not null,
      video_id text not null,
      verb text not null,
      at timestamptz not null,
      facts jsonb not null,
      refused_at timestamptz null,
      created_at timestamptz not null default now())`)
    this.addSql(`create index xapi_statement_waiting on xapi_statement (account_id, number)
      where refused_at is null`)
    this.addSql('create index xapi_statement_viewer on xapi_statement (account_id, viewer_id)')
    this.addSql('create index xapi_statement_created on xapi_statement (created_at)')
  }
}
