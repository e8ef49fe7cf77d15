import { AccountTurns, DroppedWorkError } from '../domain/account-turns.ts'
import { ApiError } from '../http/api-error.ts'

export interface TurnLimits {
  /** How much work of all accounts runs at the same time. */
  atOnce: number
  /** How much work of one account may wait. */
  waitingMax: number
}

const RETRY_AFTER_SECONDS = 10

/** Never sent: the client has disconnected. */
const gone = (): ApiError =>
  new ApiError('invalid_request', { message: 'The request was aborted.' })

/** Runs expensive work of requests as AccountTurns do, and bounds how much of an account waits. */
export class Turns {
  readonly #turns: AccountTurns
  readonly #waitingMax: number

  constructor({ atOnce, waitingMax }: TurnLimits) {
    this.#turns = new AccountTurns(atOnce)
    this.#waitingMax = waitingMax
  }

  /**
   * Resolves to the result of `work` once it had its turn. Throws `rate_limited` if too much work of the account waits.
   * If `signal` aborts before its turn, the work is dropped, and the promise rejects.
   */
  async take<T>(accountId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw gone()
    if (this.#turns.waitingOf(accountId) >= this.#waitingMax)
      throw new ApiError('rate_limited', {
        message: 'Too many captions of this account are being checked.',
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      })
    try {
      return await this.#turns.take(accountId, work, signal)
    } catch (error) {
      throw error instanceof DroppedWorkError ? gone() : error
    }
  }
}
