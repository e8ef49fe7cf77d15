import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the sums of each account over its videos and captions, and triggers that record each change of them, because
 * processes of the release before write during an upgrade (ADR 0061). It reads no rows: the sums of existing accounts are
 * counted after it, one account at a time (`countAccount`).
 */
export class AccountSums extends Migration {
  override up(): void {
    this.addSql(`set local lock_timeout = '3s'`)
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATUSES = ['queued', 'processing', 'playable', 'ready', 'failed']

/** Each sum, and what a video adds to it. */
const SUMS_OF_VIDEOS: Record<string, string> = {
  used_bytes: 'size_bytes',
  reserved_bytes: 'reserved_bytes',
  ...Object.fromEntries(STATUSES.map((name) => [`${name}_count`, `(status = '${name}')::int`])),
}
const NAMES = Object.keys(SUMS_OF_VIDEOS)
const COLUMNS = [...NAMES, 'caption_bytes'].map((name) => `${name} bigint not null default 0`)
const VALUES = Object.values(SUMS_OF_VIDEOS).map((value) => `sum(sign * ${value})`)

const EVENTS = ['insert', 'update', 'delete'] as const
type Event = (typeof EVENTS)[number]

/** What a statement adds, and with the sign -1 what it takes away. */
const changedRows = (event: Event, columns: string, of: (rows: string) => string): string =>
  [
    event !== 'delete' && `select 1 as sign, ${columns} from ${of('new_rows')}`,
    event !== 'insert' && `select -1 as sign, ${columns} from ${of('old_rows')}`,
  ]
    .filter(Boolean)
    .join(' union all ')

const OF_VIDEO = (event: Event) => `
  insert into account_sum_delta (account_id, ${NAMES.join(', ')})
  select account_id, ${VALUES.join(', ')}
  from (${changedRows(event, 'account_id, status, size_bytes, reserved_bytes', (rows) => `${rows} where deleted_at is null`)}) r
  group by account_id having row(${VALUES.join(', ')}) <> row(${NAMES.map(() => 0).join(', ')})`

const OF_CAPTION = (event: Event) => `
  insert into account_sum_delta (account_id, caption_bytes)
  select account_id, sum(sign * r.size_bytes)
  from (${changedRows(event, 'video_id, size_bytes', (rows) => rows)}) r join video v on v.id = r.video_id
  group by account_id having sum(sign * r.size_bytes) <> 0`

/** One row for each account that a statement changes, however many rows it changes. */
const triggersOf = (table: string, statement: (event: Event) => string): string[] =>
  EVENTS.flatMap((event) => [
    `create function record_sums_of_${table}_${event}() returns trigger language plpgsql as $$ begin
      ${statement(event)};
      return null;
    end $$`,
    `create trigger record_sums_of_${event} after ${event} on ${table}
      referencing ${event === 'delete' ? '' : 'new table as new_rows'} ${event === 'insert' ? '' : 'old table as old_rows'}
      for each statement execute function record_sums_of_${table}_${event}()`,
  ])

const STATEMENTS = [
  // All locks at once, so that the migration cannot wait for a transaction that waits for it.
  'lock table video, caption in access exclusive mode',
  // Half empty pages, so that a new version of a row finds place on its page.
  `create table account_sum (
    account_id int primary key, version bigint not null default 0, ${COLUMNS.join(', ')},
    updated_at timestamptz not null default now()) with (fillfactor = 50)`,
  // Without foreign keys: each change of a video would lock the row of its account. Rows live a minute, so it is vacuumed by their number.
  `create table account_sum_delta (
    account_id int not null, id bigserial not null, ${COLUMNS.join(', ')}, primary key (account_id, id))
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`,
  ...triggersOf('video', OF_VIDEO),
  ...triggersOf('caption', OF_CAPTION),
  // Only the sums needed it. Without it, a change of reserved_bytes alone writes no index.
  'drop index video_account_storage',
]
