/** How many bytes accounts may leave behind in a day. */
export interface ByteAllowance {
  /**
   * Takes bytes of an account's allowance and returns 0; or takes none, and returns the milliseconds until they are free.
   * Bytes that are more than a day's allowance are never free.
   */
  take: (accountId: number, bytes: number, nowMs: number) => number
  /** Fills the allowance of an account. */
  forget: (accountId: number) => void
}

const DAY_MS = 24 * 3_600_000

/** Accounts that are remembered; beyond them, the one that took bytes longest ago begins again. */
const ACCOUNTS_MAX = 50_000

/** Opens an allowance of `bytesPerDay` for each account, which fills evenly. It is kept as the time at which it is full again. */
export function createByteAllowance(
  bytesPerDay: number,
  accountsMax: number = ACCOUNTS_MAX,
): ByteAllowance {
  const fullAtMs = new Map<number, number>()
  return {
    take(accountId, bytes, nowMs) {
      const fullFrom = Math.max(fullAtMs.get(accountId) ?? 0, nowMs)
      const fullAt = fullFrom + (bytes / bytesPerDay) * DAY_MS
      if (fullAt > nowMs + DAY_MS) return fullAt - nowMs - DAY_MS
      fullAtMs.delete(accountId)
      fullAtMs.set(accountId, fullAt)
      const [oldest = accountId] = fullAtMs.keys()
      if (fullAtMs.size > accountsMax) fullAtMs.delete(oldest)
      return 0
    },
    forget: (accountId) => void fullAtMs.delete(accountId),
  }
}
