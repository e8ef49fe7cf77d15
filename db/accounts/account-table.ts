/** How a row belongs to an account: by its own column, or by the row that it names. */
type Owner = 'id' | 'account_id' | 'video_id' | 'delivery_id' | 'replay_id' | 'key_id' | 'member'

/** A table with data of accounts. A test compares the list and its columns with the database. */
export interface AccountTable {
  name: string
  owner: Owner
  /** The columns that an export contains; none if the rows say nothing that other tables do not. */
  exported: readonly string[]
  /** Secrets, hashes of secrets, sealed values, and what only the service itself needs. */
  withheld: readonly string[]
  /**
   * The time of a row of a partitioned table: too old rows are not exported. No foreign key holds the account for these
   * tables (ADR 0058).
   */
  timeColumn?: string
  /** SQL that is true for a row `t` that is exported, if its time alone does not decide. */
  keptSql?: string
}

/** A table that an account owns by `owner`; its columns are words. */
export const table = (
  name: string,
  owner: Owner,
  exported: string,
  withheld = '',
): AccountTable => ({
  name,
  owner,
  exported: words(exported),
  withheld: words(withheld),
})

/** A partitioned table with data of accounts. */
export const partitioned = (timeColumn: string, ...args: Parameters<typeof table>): AccountTable =>
  Object.assign(table(...args), { timeColumn })

/** A table that is partitioned by the ends of deliveries. */
export const ended = (kept: string, ...args: Parameters<typeof table>): AccountTable => ({
  ...partitioned('completed_at', ...args),
  keptSql: kept,
})

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** A condition on row `t` of the table that it belongs to the account of the parameter. */
export const ownedBy = ({ owner }: AccountTable): string => CONDITIONS[owner]

const CONDITIONS: Record<Owner, string> = {
  id: 't.id = ?',
  account_id: 't.account_id = ?',
  video_id: 't.video_id in (select v.id from video v where v.account_id = ?)',
  delivery_id: 't.delivery_id in (select d.id from webhook_delivery d where d.account_id = ?)',
  replay_id: 't.replay_id in (select r.id from webhook_replay r where r.account_id = ?)',
  key_id: 't.key_id in (select k.id from api_key k where k.account_id = ?)',
  member: `t.id in (select s.member_id from membership s where s.account_id = ?)`,
}
