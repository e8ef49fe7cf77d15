import { Migration } from '@mikro-orm/migrations'

/** Adds what the mobile app redeems, and the keys of its installations on iOS. */
export class MobileApp extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  'create table redeemed_challenge (id uuid primary key, expires_at timestamptz not null)',
  'create index redeemed_challenge_expires_at on redeemed_challenge (expires_at)',
  // Each assertion updates a row, so no index contains a changing column.
  `create table app_attest_key (
    key_id text primary key check (key_id ~ '^[0-9a-f]{64}$'), public_key text not null,
    environment text not null check (environment in ('production', 'development')),
    counter bigint not null default 0 check (counter >= 0),
    created_at timestamptz not null default now(), last_used_at timestamptz not null default now())`,
  'alter table app_attest_key set (fillfactor = 80)',
]
