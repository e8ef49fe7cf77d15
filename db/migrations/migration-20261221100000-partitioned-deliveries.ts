import { DELIVERY_TABLES } from '../partitions/delivery-tables.ts'
import { openPartitions } from '../partitions/write-partitions.ts'
import { step, StepMigration, type Step } from '../schema/step-migration.ts'
import { tableExists, type Run } from '../schema/transactions.ts'

/**
 * Partitions deliveries and their attempts: those that wait are in small tables, those that have ended in a table for the
 * week of their end. The tables of before become partitions as they are, for the ids below a bound; their rows leave
 * them when they are not kept any more (ADR 0058).
 */
export class PartitionedDeliveries extends StepMigration {
  override steps(): Step[] {
    return [
      step('columns', ...COLUMNS),
      step('bound', boundIds),
      step('deliveries within the bound', validate('webhook_delivery')),
      step('attempts within the bound', validate('webhook_attempt')),
      step('partitions', makePartitions),
      step('ids', beginIds),
    ]
  }
}

const COLUMNS = [
  'alter table webhook_delivery add column event_number bigint',
  `alter table webhook_attempt add column delivery_status text not null default 'pending',
    add column delivery_completed_at timestamptz`,
]

const IDS = { webhook_delivery: 'id', webhook_attempt: 'delivery_id' } as const

/**
 * Bounds the ids of the tables of before, far enough for what is written until the last step however late it comes: by a
 * million, and as many as there were ever. Does nothing for an empty table.
 */
async function boundIds(run: Run): Promise<void> {
  const [last] = await run<{ id: string | null }>('select max(id) as id from webhook_delivery')
  if (!last || last.id === null) return
  const bound = 2n * BigInt(last.id) + 1_000_000n
  for (const [table, id] of Object.entries(IDS))
    await run(
      `alter table ${table} add constraint ${table}_old_ids check (${id} < ${bound}) not valid`,
    )
}

/** Reads the table beside all other work, so that the last step need not. */
const validate =
  (table: keyof typeof IDS) =>
  async (run: Run): Promise<void> => {
    if ((await readBound(run, table)) === null) return
    await run(`alter table ${table} validate constraint ${table}_old_ids`)
  }

async function readBound(
  run: Run,
  table: keyof typeof IDS,
  relation: string = table,
): Promise<string | null> {
  const [found] = await run<{ bound: string }>(
    `select substring(pg_get_constraintdef(oid) from '[0-9]+') as bound from pg_constraint
     where conrelid = $1::regclass and conname = $2`,
    [relation, `${table}_old_ids`],
  )
  return found?.bound ?? null
}

/** In one transaction of some milliseconds, during which no delivery is written. */
async function makePartitions(run: Run): Promise<void> {
  await run('lock table webhook_delivery, webhook_attempt in access exclusive mode')
  const [last] = await run<{ next: string | null }>(
    'select max(id) + 1 as next from webhook_delivery',
  )
  const first = last?.next ? ((await readBound(run, 'webhook_delivery')) ?? last.next) : null
  await run('alter index webhook_delivery_pending rename to webhook_delivery_old_pending')
  for (const table of Object.keys(IDS) as (keyof typeof IDS)[]) await divide(run, table, first)
  if (first === null) await run('drop table webhook_attempt_old, webhook_delivery_old')
  for (const statement of [...INDEXES, ...TRIGGERS, ...GUARDS]) await run(statement)
  for (const { partitioned } of DELIVERY_TABLES) await openPartitions(run, partitioned)
}

/**
 * Lets ids begin at the bound. Not in the step before: a sequence does not move back with its transaction, and the table of
 * before would refuse ids beyond the bound.
 */
async function beginIds(run: Run): Promise<void> {
  if (!(await tableExists(run, 'webhook_delivery_old'))) return
  const bound = await readBound(run, 'webhook_delivery', 'webhook_delivery_old')
  if (bound === null) return
  await run(
    `select setval('webhook_delivery_id_seq', ${bound}, false) from webhook_delivery_id_seq
     where last_value < ${bound}`,
  )
}

/** What divides the rows of now. */
const STATES = {
  webhook_delivery: { status: 'status', end: 'completed_at' },
  webhook_attempt: { status: 'delivery_status', end: 'delivery_completed_at' },
} as const

async function divide(run: Run, table: keyof typeof IDS, first: string | null): Promise<void> {
  const { status, end } = STATES[table]
  await run(`alter table ${table} rename to ${table}_old`)
  await run(
    `create table ${table} (like ${table}_old including defaults) partition by range (${IDS[table]})`,
  )
  if (table === 'webhook_delivery')
    await run('alter sequence webhook_delivery_id_seq owned by webhook_delivery.id')
  if (first !== null)
    await run(
      `alter table ${table} attach partition ${table}_old for values from (minvalue) to (${first})`,
    )
  await run(`create table ${table}_current partition of ${table}
    for values from (${first ?? 'minvalue'}) to (maxvalue) partition by list (${status})`)
  await run(`create table ${table}_pending partition of ${table}_current for values in ('pending')`)
  for (const ended of ['delivered', 'failed']) {
    await run(`create table ${table}_${ended} partition of ${table}_current
      for values in ('${ended}') partition by range (${end})`)
    // For a week whose partition does not exist: a delivery always finds a place.
    await run(`create table ${table}_${ended}_default partition of ${table}_${ended} default`)
  }
}

const INDEXES = [
  `create index webhook_delivery_current_account on webhook_delivery_current (account_id, id desc)`,
  `create index webhook_delivery_current_account_created
    on webhook_delivery_current (account_id, created_at desc, id desc)`,
  `create index webhook_delivery_current_endpoint on webhook_delivery_current (endpoint_id, id desc)`,
  `create index webhook_delivery_current_event on webhook_delivery_current (event_id)`,
  `create index webhook_delivery_current_retry on webhook_delivery_current (retry_of)
    where retry_of is not null`,
  `create index webhook_delivery_current_replay on webhook_delivery_current (replay_id, id desc)
    where replay_id is not null`,
  `create unique index webhook_delivery_pending_id on webhook_delivery_pending (id)`,
  `create index webhook_delivery_pending_replay_waiting on webhook_delivery_pending (replay_id)
    where replay_id is not null and attempt_count = 0`,
  `create index webhook_delivery_delivered_id on webhook_delivery_delivered (id)`,
  `create index webhook_delivery_failed_id on webhook_delivery_failed (id)`,
  // They tell whether an event is needed (`hasDeliveries`).
  ...['delivered', 'failed'].map(
    (ended) => `create index webhook_delivery_${ended}_event_number on webhook_delivery_${ended}
      using brin (event_number) with (pages_per_range = 32, autosummarize = on)`,
  ),
  // Not unique across partitions: the row of the delivery counts its attempts, so that none is recorded twice.
  `create unique index webhook_attempt_pending_number on webhook_attempt_pending (delivery_id, number)`,
  `create index webhook_attempt_delivered_number on webhook_attempt_delivered (delivery_id, number)`,
  `create index webhook_attempt_failed_number on webhook_attempt_failed (delivery_id, number)`,
]

/**
 * PostgreSQL moves a row by a deletion and an insertion. Triggers count it and move its attempts, because processes of the
 * release before end deliveries too.
 */
const TRIGGERS = [
  `create function count_placed_delivery_of_replay() returns trigger language plpgsql as $$ begin
    if new.status = 'pending' then
      update webhook_replay_count set created = created + 1
        where replay_id = new.replay_id and endpoint_id = new.endpoint_id and shard = 0;
      if not found then
        insert into webhook_replay_count (replay_id, endpoint_id, shard, created)
        select new.replay_id, new.endpoint_id, shard, case shard when 0 then 1 else 0 end
        from generate_series(0, 7) shard;
      end if;
    else
      update webhook_replay_count set delivered = delivered + (new.status = 'delivered')::int,
        failed = failed + (new.status = 'failed')::int
        where replay_id = new.replay_id and endpoint_id = new.endpoint_id and shard = new.id % 8;
    end if;
    return null;
  end $$`,
  `create trigger count_placed_delivery after insert on webhook_delivery_current for each row
    when (new.replay_id is not null) execute function count_placed_delivery_of_replay()`,
  // A success that arrives after the end moves a failed delivery. The deletion of a row is not counted.
  `create function count_delivery_of_replay_no_longer_failed() returns trigger language plpgsql as $$ begin
    update webhook_replay_count set failed = failed - 1
      where replay_id = new.replay_id and endpoint_id = new.endpoint_id and shard = new.id % 8;
    return new;
  end $$`,
  `create trigger count_no_longer_failed before update of status on webhook_delivery_failed for each row
    when (new.replay_id is not null and new.status <> old.status)
    execute function count_delivery_of_replay_no_longer_failed()`,
  `create function move_attempts_of_delivery() returns trigger language plpgsql as $$ begin
    update webhook_attempt set delivery_status = new.status, delivery_completed_at = new.completed_at
      where delivery_id = new.id and delivery_status = 'pending';
    return null;
  end $$`,
  ...['delivered', 'failed'].map(
    (ended) => `create trigger move_attempts after insert on webhook_delivery_${ended} for each row
      when (new.attempt_count > 0) execute function move_attempts_of_delivery()`,
  ),
]

/**
 * The release before deletes rows by `ctid` alone, which rows of other partitions have too. It fails instead, and the release
 * of now continues.
 */
const GUARDS = [
  `create function refuse_deletion_by_ctid() returns trigger language plpgsql as $$ begin
    if current_query() ~* 'where\\s+ctid\\s*=' then
      raise exception 'rows of % are not deleted by their ctid, which those of other partitions have too', tg_table_name;
    end if;
    return null;
  end $$`,
  // Its purge deletes security events in this way too.
  ...[...Object.keys(IDS), 'security_event'].map(
    (table) => `create trigger refuse_deletion_by_ctid before delete on ${table}
      for each statement execute function refuse_deletion_by_ctid()`,
  ),
]
