import { Migration } from '@mikro-orm/migrations'

/** Adds captions, chapters, moments, payments, the usage of each day, and the request counts of API keys. */
export class ApiResources extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  // For the index of ranges, which also compares the video's id. Trusted, so the database's owner may create it.
  'create extension if not exists btree_gist',
  // Unlogged, because every request writes it and it may be lost in a crash of PostgreSQL.
  `create unlogged table api_key_rate (
    key_id int primary key references api_key (id) on delete cascade,
    minute_count int not null default 1, minute_ends_at timestamptz not null,
    day_count int not null default 1, day_ends_at timestamptz not null) with (fillfactor = 50)`,
  `alter table plan add column bandwidth_limit_bytes bigint null,
    add column encoding_limit_minutes int null`,
  `alter table folder add column updated_at timestamptz not null default now()`,
  `alter table video add column removed_at timestamptz null`,
  `create index video_folder on video (folder_id) where folder_id is not null`,
  `create index video_to_remove on video (deleted_at)
    where deleted_at is not null and removed_at is null`,
  `create table caption (
    video_id text not null references video (id), language_code text not null, label text not null,
    content text not null, size_bytes int not null, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), primary key (video_id, language_code))`,
  // A range excludes its end, so chapters that touch do not overlap.
  `create table chapter (
    id serial primary key, video_id text not null references video (id), title text not null,
    start_seconds int not null, end_seconds int not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    constraint chapter_order check (start_seconds >= 0 and start_seconds < end_seconds),
    constraint chapter_overlap exclude using gist
      (video_id with =, int4range(start_seconds, end_seconds) with &&))`,
  `create table moment (
    id serial primary key, video_id text not null references video (id), label text not null,
    timestamp_seconds int not null check (timestamp_seconds >= 0),
    created_at timestamptz not null default now(),
    constraint moment_once unique (video_id, timestamp_seconds))`,
  `create table payment (
    id serial primary key, account_id int not null references account (id), amount bigint not null,
    currency text not null, plan_type text not null, billing_cycle text not null,
    reference text not null, created_at timestamptz not null default now(),
    constraint payment_once unique (reference))`,
  `create index payment_account on payment (account_id, id desc)`,
  `create table usage_day (
    account_id int not null references account (id), day date not null,
    bandwidth_bytes bigint not null default 0, encoded_ms bigint not null default 0,
    primary key (account_id, day))`,
]
