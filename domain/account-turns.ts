/** The signal of work has aborted before its turn. */
export class DroppedWorkError extends Error {
  override name = 'DroppedWorkError'
}

interface Job {
  start: () => Promise<void>
}

/** Runs expensive work of a process, a few pieces at the same time; the accounts that wait take turns. */
export class AccountTurns {
  readonly #atOnce: number
  /** By account, in the order of their turns. */
  readonly #waiting = new Map<number, Job[]>()
  #running = 0

  /** `atOnce`: how much work of all accounts runs at the same time. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** How much work of an account waits. */
  waitingOf(accountId: number): number {
    return this.#waiting.get(accountId)?.length ?? 0
  }

  /**
   * Resolves to the result of `work` once it had its turn. If `signal` aborts before its turn, the work is dropped, and the
   * promise rejects with a DroppedWorkError.
   */
  async take<T>(accountId: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const job = { start: () => work().then(resolve, reject) }
    const drop = (): void => {
      if (this.#remove(accountId, job)) reject(new DroppedWorkError())
    }
    this.#waiting.set(accountId, [...(this.#waiting.get(accountId) ?? []), job])
    signal?.addEventListener('abort', drop, { once: true })
    this.#startNext()
    return promise.finally(() => signal?.removeEventListener('abort', drop))
  }

  #startNext(): void {
    const [next] = this.#waiting
    if (this.#running >= this.#atOnce || next === undefined) return
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
