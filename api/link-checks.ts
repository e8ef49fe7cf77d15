import pLimit, { type LimitFunction } from 'p-limit'
import { WebhookUrlError } from '../egress/check-webhook-url.ts'
import { isOwnFault } from '../egress/egress-error.ts'
import { SourceError } from '../egress/source-error.ts'
import { ApiError, serviceUnavailable } from '../http/api-error.ts'

/** How many links of one account a process checks at the same time. A check lasts up to ten seconds. */
const AT_ONCE_MAX = 4
/** How many checks of one account may run or wait. */
const CHECKS_MAX = 64
const RETRY_AFTER_SECONDS = 10

/** The checks of an account that run or wait. */
interface AccountChecks {
  limit: LimitFunction
  count: number
}

const accounts = new Map<number, AccountChecks>()

/**
 * Checks an integrator's link, so that slow hosts of one account do not hold the look-ups and connections of the others.
 * Rethrows the errors of the link as an ApiError about `param`; throws `rate_limited` when too many checks of the account
 * wait, and `service_unavailable` for a fault of this installation, whose network may be away.
 */
export async function inTurn<T>(
  accountId: number,
  param: string,
  check: () => Promise<T>,
): Promise<T> {
  const checks = accounts.get(accountId) ?? { limit: pLimit(AT_ONCE_MAX), count: 0 }
  if (checks.count === CHECKS_MAX)
    throw new ApiError('rate_limited', {
      message: 'Too many links of this account are being checked.',
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    })
  checks.count += 1
  accounts.set(accountId, checks)
  try {
    return await checks.limit(check)
  } catch (error) {
    if (isOwnFault(error)) throw serviceUnavailable()
    if (!(error instanceof SourceError) && !(error instanceof WebhookUrlError)) throw error
    throw new ApiError(error.code, { param, message: error.message })
  } finally {
    checks.count -= 1
    if (checks.count === 0) accounts.delete(accountId)
  }
}
