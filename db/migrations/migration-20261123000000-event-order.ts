import { Migration } from '@mikro-orm/migrations'

/**
 * Gives events an order that readers can follow: by the transaction that wrote them, then by number. Existing
 * events are settled, and keep the order of their creation times.
 */
export class EventOrder extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `alter table event add column transaction_id xid8 not null default '0', add column number bigint`,
  `update event e set number = o.number
    from (select id, row_number() over (order by created_at, id) as number from event) o
    where o.id = e.id`,
  `create sequence event_number_seq owned by event.number`,
  `select setval('event_number_seq', count(*) + 1, false) from event`,
  `alter table event alter column transaction_id set default pg_current_xact_id(),
    alter column number set default nextval('event_number_seq'), alter column number set not null`,
  `create index event_account_order on event (account_id, transaction_id, number)`,
]
