import { createKeyCounts } from '../../domain/key-counts.ts'
import { SMALL_BODY_MAX_BYTES } from '../../domain/limits.ts'
import { BodyError } from './body-error.ts'

/** Who holds a part of the budget: an account, one of its keys or members, or a network. */
export interface BodyOwner {
  name: string
  /** Its share of the budget, from 0 to 1. */
  share: number
}

export interface BodyBudgetOptions {
  /** Bytes of bodies up to 64 KiB, which large ones never take. */
  smallBytes: number
  largeBytes: number
}

/** 64 MiB of large bodies are 13 captions of the largest size; each needs about four times its bytes in memory. */
const DEFAULTS: BodyBudgetOptions = { smallBytes: 16 * 2 ** 20, largeBytes: 64 * 2 ** 20 }

/** Bounds the bytes of all bodies that a process holds at the same time. */
export class BodyBudget {
  readonly #small: Pool
  readonly #large: Pool

  constructor(options: Partial<BodyBudgetOptions> = {}) {
    const { smallBytes, largeBytes } = { ...DEFAULTS, ...options }
    this.#small = new Pool(smallBytes)
    this.#large = new Pool(largeBytes)
  }

  /**
   * Takes `bytes` for all `owners` and returns a function that gives them back once. Throws a BodyError `share.used.up`
   * if an owner holds its share already, and `process.full` if all owners together hold the whole budget.
   */
  take(bytes: number, owners: readonly BodyOwner[]): () => void {
    return (bytes > SMALL_BODY_MAX_BYTES ? this.#large : this.#small).take(bytes, owners)
  }
}

class Pool {
  readonly #totalBytes: number
  readonly #held = createKeyCounts()
  #heldBytes = 0

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes
  }

  take(bytes: number, owners: readonly BodyOwner[]): () => void {
    for (const { name, share } of owners)
      if (this.#held.of(name) + bytes > this.#totalBytes * share)
        throw new BodyError(
          'share.used.up',
          'Too many large requests are running. Try again after Retry-After seconds.',
        )
    if (this.#heldBytes + bytes > this.#totalBytes)
      throw new BodyError(
        'process.full',
        'The service is reading too many requests. Try again in a moment.',
      )
    this.#change(bytes, owners)
    let isHeld = true
    return () => {
      if (isHeld) this.#change(-bytes, owners)
      isHeld = false
    }
  }

  #change(bytes: number, owners: readonly BodyOwner[]): void {
    this.#heldBytes += bytes
    for (const { name } of owners) this.#held.add(name, bytes)
  }
}
