import { createHash } from 'node:crypto'
import type { DashboardFixture } from '../../../fixtures/dashboard.ts'
import { insertRow } from '../../../fixtures/insert-row.ts'

const MINUTE_MS = 60_000

/** An account that is being filled, and the moment that counts as now. */
export interface FilledAccount {
  t: DashboardFixture
  accountId: number
  /** When the filling began: every time is counted from it, so that pictures can be stable. */
  start: Date
}

/** The moment so many minutes before the start. */
export const minutesBefore = ({ start }: FilledAccount, minutes: number): Date =>
  new Date(start.getTime() - minutes * MINUTE_MS)

export const HOUR = 60
export const DAY = 24 * HOUR

/** Inserts a row of the account; resolves to its id. */
export const insertOwn = (
  { t, accountId }: FilledAccount,
  table: string,
  row: Record<string, unknown>,
): Promise<string> => insertRow(t, table, { account_id: accountId, ...row })

/** Returns so many characters of hex that depend on a text alone, for ids that are the same in each run. */
export const hexOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

/** Returns the item at an index, which begins again at the end. */
export function turn<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}
