import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ACCOUNT_REQUESTS_PER_MINUTE, MEMBER_REQUESTS_PER_MINUTE } from '../../../domain/limits.ts'
import { ApiError } from '../../../http/api-error.ts'

/** Requests to the operations that one process takes in a minute. */
export interface RequestLimits {
  perMember: number
  perAccount: number
}

export const REQUEST_LIMITS: RequestLimits = {
  perMember: MEMBER_REQUESTS_PER_MINUTE,
  perAccount: ACCOUNT_REQUESTS_PER_MINUTE,
}

export interface RequestLimit {
  /** Counts a request of a member. Throws `rate_limited` with Retry-After. */
  countMember: (id: number) => Promise<void>
  /** Counts a request of any member of an account, in the same way. */
  countAccount: (id: number) => Promise<void>
}

/**
 * Counts the requests of members in the memory of this process, in windows of a minute that begin with a first request.
 * It protects the process and its connections; what a member may do is limited elsewhere.
 */
export function openRequestLimit({ perMember, perAccount }: RequestLimits): RequestLimit {
  const members = new RateLimiterMemory({ points: perMember, duration: 60 })
  const accounts = new RateLimiterMemory({ points: perAccount, duration: 60 })
  return {
    countMember: (id) => count(members, id, 'You have sent too many requests.'),
    countAccount: (id) =>
      count(accounts, id, 'The members of this account have sent too many requests.'),
  }
}

async function count(limiter: RateLimiterMemory, id: number, cause: string): Promise<void> {
  try {
    await limiter.consume(id)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    throw new ApiError('rate_limited', {
      message: `${cause} Try again after ${seconds} s.`,
      headers: { 'Retry-After': String(seconds) },
    })
  }
}
