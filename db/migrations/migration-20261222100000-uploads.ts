import { step, StepMigration } from '../schema/step-migration.ts'

/**
 * Adds uploads (ADR 0064). What is stored of one is in `source_write` before its video and its source key exist, so that table
 * loses its foreign key. Its rows still go with the key: by a trigger, also for processes of the release before.
 */
export class Uploads extends StepMigration {
  override steps() {
    return [
      step(
        'source writes go with their key',
        `create function drop_source_writes() returns trigger language plpgsql as $$ begin
          delete from source_write w using old_rows o where w.video_id = o.video_id;
          return null;
        end $$`,
        `create trigger drop_source_writes after delete on source_key
          referencing old table as old_rows for each statement execute function drop_source_writes()`,
        'alter table source_write drop constraint source_write_video_id_fkey',
        'alter table source_write add column tail jsonb null',
      ),
      step('uploads', ...UPLOAD),
    ]
  }
}

const UPLOAD = [
  `create table upload (
    id bigserial primary key,
    account_id int not null references account (id),
    video_id text not null unique,
    status text not null check (status in ('waiting', 'uploading', 'complete', 'cancelled', 'expired')),
    token_hash text null unique,
    sealed_token text null,
    sealed_key text null,
    filename text not null,
    title text not null,
    description text not null,
    folder_id bigint null references folder (id) on delete set null,
    keep_original boolean not null,
    allowed_origin text null,
    size_bytes bigint null,
    reserved_bytes bigint not null,
    expires_in_seconds int not null,
    request_id text null,
    created_at timestamptz not null default now(),
    received_at timestamptz not null default now(),
    ended_at timestamptz null)`,
  'create index upload_account on upload (account_id, id)',
  'create index upload_folder on upload (folder_id) where folder_id is not null',
  `create index upload_open on upload (account_id) where status in ('waiting', 'uploading')`,
  'create index upload_ended on upload (ended_at) where ended_at is not null',
  `create trigger drop_source_writes after delete on upload
    referencing old table as old_rows for each statement execute function drop_source_writes()`,
  ...(['insert', 'update', 'delete'] as const).flatMap(sumsOf),
]

/** Storage that uploads have reserved counts as that of videos does (ADR 0061). */
function sumsOf(event: 'insert' | 'update' | 'delete'): string[] {
  const added = event !== 'delete' && 'select account_id, reserved_bytes as bytes from new_rows'
  const taken = event !== 'insert' && 'select account_id, -reserved_bytes as bytes from old_rows'
  return [
    `create function record_sums_of_upload_${event}() returns trigger language plpgsql as $$ begin
      insert into account_sum_delta (account_id, reserved_bytes)
      select account_id, sum(bytes) from (${[added, taken].filter(Boolean).join(' union all ')}) r
      group by account_id having sum(bytes) <> 0;
      return null;
    end $$`,
    `create trigger record_sums_of_${event} after ${event} on upload
      referencing ${added ? 'new table as new_rows' : ''} ${taken ? 'old table as old_rows' : ''}
      for each statement execute function record_sums_of_upload_${event}()`,
  ]
}
