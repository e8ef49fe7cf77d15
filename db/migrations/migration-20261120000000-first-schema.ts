import { Migration } from '@mikro-orm/migrations'

/** Creates the tables of accounts and API keys, videos, renditions and content keys, events, deliveries and the outbox. */
export class FirstSchema extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `create table account (
    id serial primary key, name text not null, settings jsonb not null,
    sealed_signing_secret text not null, signing_secret_version int not null default 1,
    created_at timestamptz not null default now())`,
  `create table plan (
    account_id int primary key references account (id), protection text not null
      check (protection in ('clearkey', 'multi-drm')),
    is_active boolean not null default true, storage_limit_bytes bigint null,
    ends_at timestamptz null, updated_at timestamptz not null default now())`,
  `create table api_key (
    id serial primary key, account_id int not null references account (id),
    name text not null default '', hash text not null, hint text not null, scopes text[] not null,
    created_at timestamptz not null default now(), revoked_at timestamptz null,
    constraint api_key_hash_unique unique (hash))`,
  `create table idempotency_record (
    account_id int not null references account (id), route text not null, key text not null,
    fingerprint text not null, response_status int null, sealed_response text null,
    locked_until timestamptz not null, created_at timestamptz not null default now(),
    primary key (account_id, route, key))`,
  `create index idempotency_record_created_at on idempotency_record (created_at)`,
  `create table folder (
    id serial primary key, account_id int not null references account (id), name text not null,
    created_at timestamptz not null default now())`,
  `create unique index folder_account_name on folder (account_id, name)`,
  `create table video (
    id text primary key check (id ~ '^[0-9a-f]{20}$'),
    account_id int not null references account (id),
    status text not null default 'queued'
      check (status in ('queued', 'processing', 'playable', 'ready', 'failed')),
    title text not null, description text not null default '',
    folder_id int null references folder (id), source_url text not null, protection text not null,
    keep_original boolean not null default false, reserved_bytes bigint not null default '0',
    duration_ms int null, size_bytes bigint not null default '0', width int null, height int null,
    has_poster boolean not null default false, has_storyboard boolean not null default false,
    error_code text null, error_message text null, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(), deleted_at timestamptz null)`,
  `create index video_account_created on video (account_id, created_at desc, id desc)
    where deleted_at is null`,
  `create index video_unfinished on video (created_at)
    where deleted_at is null and status in ('queued', 'processing', 'playable')`,
  `create table rendition (
    video_id text not null references video (id), name text not null, facts jsonb not null,
    created_at timestamptz not null default now(), primary key (video_id, name))`,
  `create table content_key (
    video_id text not null references video (id), track_type text not null, key_id text not null,
    sealed_key text not null, iv_hex text null, systems jsonb not null,
    created_at timestamptz not null default now(), primary key (video_id, track_type),
    constraint content_key_key_id_unique unique (key_id))`,
  `create table event (
    id text primary key, account_id int not null references account (id), type text not null,
    body text not null, created_at timestamptz not null default now())`,
  `create table outbox (
    id bigserial primary key, command text not null, subject_id text not null,
    account_id int not null, attempts int not null default 0,
    due_at timestamptz not null default now(), created_at timestamptz not null default now())`,
  `create index outbox_due on outbox (due_at, id)`,
  `create table webhook_endpoint (
    id serial primary key, account_id int not null references account (id), url text not null,
    events text[] not null, is_active boolean not null default true,
    failure_count int not null default 0, last_success_at timestamptz not null default now(),
    sealed_secret text not null, previous_sealed_secret text null,
    previous_secret_until timestamptz null, created_at timestamptz not null default now(),
    updated_at timestamptz not null default now())`,
  `create index webhook_endpoint_account on webhook_endpoint (account_id)`,
  `create table webhook_delivery (
    id serial primary key, account_id int not null references account (id),
    endpoint_id int not null references webhook_endpoint (id) on delete cascade,
    event_id text not null references event (id), event_type text not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempt_count int not null default 0, next_retry_at timestamptz null, error_code text null,
    created_at timestamptz not null default now(), completed_at timestamptz null)`,
  `create index webhook_delivery_account on webhook_delivery (account_id, id desc)`,
  `create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id desc)`,
  `create index webhook_delivery_event on webhook_delivery (event_id)`,
  `create index webhook_delivery_pending on webhook_delivery (id) where status = 'pending'`,
  `create table webhook_attempt (
    delivery_id int not null references webhook_delivery (id) on delete cascade,
    number int not null, trigger text not null default 'schedule', started_at timestamptz not null,
    duration_ms int not null, response_status int null, error_code text null,
    response_body text null, remote_ip text null, timings jsonb not null,
    primary key (delivery_id, number))`,
  `create table security_event (
    id serial primary key, account_id int not null references account (id),
    event_type text not null, severity text not null, video_id text null, viewer_id text null,
    details jsonb not null, created_at timestamptz not null default now())`,
  `create index security_event_account on security_event (account_id, id desc)`,
  `create table playback_session (
    id uuid primary key, account_id int not null references account (id),
    video_id text not null references video (id), viewer_id text null,
    signing_secret_version int not null, referer_host text null, user_agent text null,
    key_grants int not null default 0, started_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now())`,
  `create index playback_session_video on playback_session (video_id, started_at desc)`,
]
