import { Migration } from '@mikro-orm/migrations'

/** Adds the limit of concurrent plays to the settings of accounts, and the leases that enforce it. */
export class StreamLeases extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `update account set settings = settings || '{"concurrent_plays": {"limit": null, "winner": "newest"}}'
    where not settings ? 'concurrent_plays'`,
  // Each heartbeat reads them: settings with long domain lists are stored out of line and cost more.
  `alter table account
    add column plays_limit int null
      generated always as ((settings #>> '{concurrent_plays,limit}')::int) stored,
    add column newest_play_wins boolean not null
      generated always as (coalesce(settings #>> '{concurrent_plays,winner}', 'newest') = 'newest') stored`,
  // Each heartbeat of a limited viewer updates a row, so no index contains a changing column.
  `create table stream_lease (
    account_id int not null references account (id), viewer_id text not null,
    leases jsonb not null default '[]' check (jsonb_typeof(leases) = 'array'),
    renewed_at timestamptz not null default now(),
    primary key (account_id, viewer_id))`,
  'alter table stream_lease set (fillfactor = 80)',
]
