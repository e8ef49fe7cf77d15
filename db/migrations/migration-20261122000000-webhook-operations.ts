import { Migration } from '@mikro-orm/migrations'

/** Adds descriptions, secret rotations and disabling of webhook endpoints, retries, replays, and indexes for retention. */
export class WebhookOperations extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `alter table webhook_endpoint add column description text not null default '',
    add column disabled_reason text null check (disabled_reason in ('owner', 'failures', 'gone'))`,
  // Several, so that a second rotation within a day does not invalidate the first secret.
  `alter table webhook_endpoint add column previous_secrets jsonb not null default '[]'`,
  `update webhook_endpoint set previous_secrets = jsonb_build_array(jsonb_build_object(
      'sealed_secret', previous_sealed_secret, 'valid_until', previous_secret_until))
    where previous_secret_until > now()`,
  `alter table webhook_endpoint drop column previous_sealed_secret, drop column previous_secret_until`,
  `create table webhook_replay (
    id serial primary key, account_id int not null references account (id),
    endpoint_id int null references webhook_endpoint (id) on delete cascade,
    since timestamptz not null, until timestamptz not null check (since < until),
    status text not null check (status in ('failed', 'delivered', 'missing')),
    state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
    event_count int not null, scanned_count int not null default 0,
    last_created_at timestamptz null, last_event_id text null,
    created_at timestamptz not null default now(), completed_at timestamptz null)`,
  `create unique index webhook_replay_running on webhook_replay (account_id)
    where state = 'running'`,
  `create index webhook_replay_account on webhook_replay (account_id, id desc)`,
  `create index webhook_replay_endpoint on webhook_replay (endpoint_id)
    where endpoint_id is not null`,
  `alter table webhook_delivery
    add column retry_of int null references webhook_delivery (id) on delete set null,
    add column replay_id int null references webhook_replay (id) on delete set null`,
  `create index webhook_delivery_retry on webhook_delivery (retry_of) where retry_of is not null`,
  `create unique index webhook_delivery_replay on webhook_delivery (replay_id, endpoint_id, event_id)
    where replay_id is not null`,
  `create index webhook_delivery_replay_waiting on webhook_delivery (replay_id)
    where replay_id is not null and status = 'pending' and attempt_count = 0`,
  `create index webhook_delivery_ended on webhook_delivery (status, completed_at)
    where completed_at is not null`,
  `create index event_account_created on event (account_id, created_at, id)`,
  `create index event_created on event (created_at)`,
]
