import { Migration } from '@mikro-orm/migrations'

/**
 * Gives each workflow request a lane, which follows from its command, and the index by which relays claim requests: of each account and
 * lane, the oldest. Processes of the release before insert rows without knowing of it.
 */
export class OutboxLanes extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    this.addSql(
      `alter table outbox add column lane smallint not null generated always as (case
         when command in ('ingest-video', 'set-poster') then 1
         when command = 'deliver-webhook' then 2
         when command in ('retry-delivery', 'replay-webhooks') then 3
         when command in ('cancel-delivery', 'settle-endpoint') then 4
         else 5 end) stored`,
    )
    this.addSql('create index outbox_lane on outbox (account_id, lane, due_at, id)')
    this.addSql('drop index outbox_account_due')
  }
}
