import { ApiError } from '../http/api-error.ts'

export interface TurnLimits {
  /** How much work of all accounts runs at the same time. */
  atOnce: number
  /** How much work of one account may wait. */
  waitingMax: number
}

interface Job {
  start: () => Promise<void>
}

const RETRY_AFTER_SECONDS = 10

/** Never sent: the client has disconnected. */
const gone = (): ApiError =>
  new ApiError('invalid_request', { message: 'The request was aborted.' })

/** Runs expensive work of a process, a few pieces at the same time; the accounts that wait take turns. */
export class Turns {
  readonly #limits: TurnLimits
  /** By account, in the order of their turns. */
  readonly #waiting = new Map<number, Job[]>()
  #running = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Resolves to the result of `work` once it had its turn. Throws `rate_limited` if too much work of the account waits.
   * If `signal` aborts before its turn, the work is dropped, and the promise rejects.
   */
  async take<T>(accountId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw gone()
    const queue = this.#waiting.get(accountId) ?? []
    if (queue.length >= this.#limits.waitingMax)
      throw new ApiError('rate_limited', {
        message: 'Too many captions of this account are being checked.',
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      })
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const job = { start: () => work().then(resolve, reject) }
    const drop = (): void => {
      if (this.#remove(accountId, job)) reject(gone())
    }
    this.#waiting.set(accountId, [...queue, job])
    signal.addEventListener('abort', drop, { once: true })
    this.#startNext()
    return promise.finally(() => signal.removeEventListener('abort', drop))
  }

  #startNext(): void {
    const [next] = this.#waiting
    if (this.#running >= this.#limits.atOnce || next === undefined) return
    const [accountId, [job, ...others]] = next
    // The account goes behind the others that wait.
    this.#waiting.delete(accountId)
    if (others.length > 0) this.#waiting.set(accountId, others)
    if (!job) return
    this.#running += 1
    void job.start().finally(() => {
      this.#running -= 1
      this.#startNext()
    })
  }

  #remove(accountId: number, job: Job): boolean {
    const queue = this.#waiting.get(accountId) ?? []
    const others = queue.filter((one) => one !== job)
    if (others.length > 0) this.#waiting.set(accountId, others)
    else this.#waiting.delete(accountId)
    return others.length < queue.length
  }
}
