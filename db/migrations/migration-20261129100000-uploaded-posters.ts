import { Migration } from '@mikro-orm/migrations'

/** Lets members upload the poster of a video. */
export class UploadedPosters extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `alter table video add column upload_number int null,
    add column upload_bytes int not null default 0`,
  'create sequence poster_upload_number_seq as int',
  // One row for each video: a new upload takes the place of the former one.
  `create table poster_upload (
    video_id text primary key references video (id), account_id int not null references account (id),
    number int not null unique default nextval('poster_upload_number_seq'),
    content bytea null, format text not null, size_bytes int not null, reason text null,
    request_id text null, created_at timestamptz not null default now(),
    constraint poster_upload_waits check ((content is null) = (reason is not null)))`,
  // Pictures are compressed already.
  'alter table poster_upload alter column content set storage external',
]
