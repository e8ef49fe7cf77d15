import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the numbers of a replay's deliveries, and counts those that exist. Triggers keep them, because processes of the
 * release before add and end deliveries during an upgrade (ADR 0047).
 */
export class ReplayCounts extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  // Half empty pages, so that a new version of a row finds place on its page and no index changes.
  `create table webhook_replay_count (
    replay_id bigint not null references webhook_replay (id) on delete cascade,
    endpoint_id bigint not null references webhook_endpoint (id) on delete cascade, shard int not null,
    created int not null default 0, delivered int not null default 0, failed int not null default 0,
    primary key (replay_id, endpoint_id, shard)) with (fillfactor = 50)`,
  'create index webhook_replay_count_endpoint on webhook_replay_count (endpoint_id)',
  // The first delivery adds all shards: a delivery that ends only changes a row, and needs no lock of a foreign key.
  `create function count_delivery_of_replay() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then
      update webhook_replay_count set created = created + 1
        where replay_id = new.replay_id and endpoint_id = new.endpoint_id and shard = 0;
      if not found then
        insert into webhook_replay_count (replay_id, endpoint_id, shard, created)
        select new.replay_id, new.endpoint_id, shard, case shard when 0 then 1 else 0 end
        from generate_series(0, 7) shard;
      end if;
    else
      update webhook_replay_count set
        delivered = delivered + (new.status = 'delivered')::int - (old.status = 'delivered')::int,
        failed = failed + (new.status = 'failed')::int - (old.status = 'failed')::int
        where replay_id = new.replay_id and endpoint_id = new.endpoint_id and shard = new.id % 8;
    end if;
    return null;
  end $$`,
  `create trigger count_new_delivery after insert on webhook_delivery for each row
    when (new.replay_id is not null) execute function count_delivery_of_replay()`,
  `create trigger count_ended_delivery after update of status on webhook_delivery for each row
    when (new.replay_id is not null and new.status <> old.status)
    execute function count_delivery_of_replay()`,
  // After the triggers, whose lock keeps other changes of deliveries out until the commit.
  `insert into webhook_replay_count (replay_id, endpoint_id, shard, created, delivered, failed)
    select replay_id, endpoint_id, shard, case shard when 0 then count(*) else 0 end,
      count(*) filter (where shard = id % 8 and status = 'delivered'),
      count(*) filter (where shard = id % 8 and status = 'failed')
    from webhook_delivery, generate_series(0, 7) shard where replay_id is not null
    group by replay_id, endpoint_id, shard`,
]
