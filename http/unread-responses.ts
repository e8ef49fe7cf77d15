import type { ServerResponse } from 'node:http'
import type { BodyOwner } from '../processes/bodies/body-budget.ts'
import { ApiError } from './api-error.ts'

/** Of an owner whose share is 1. */
const UNREAD_MAX_BYTES = 64 * 2 ** 20
const RETRY_AFTER_SECONDS = 5

/**
 * Counts the bytes of responses that clients of one process have not read yet: they are in memory until then. A list can have
 * 20 MB, and the limit of requests is none of memory.
 */
export class UnreadResponses {
  readonly #bytes = new Map<string, number>()

  /** Throws `rate_limited` if an owner has left its share unread. So one response is sent whatever its length. */
  requireRoom(owners: readonly BodyOwner[]): void {
    const isFull = owners.some(
      ({ name, share }) => (this.#bytes.get(name) ?? 0) > UNREAD_MAX_BYTES * share,
    )
    if (isFull)
      throw new ApiError('rate_limited', {
        message: 'Responses to earlier requests are still to be read. Read them first.',
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      })
  }

  /** Counts bytes for all owners until the response is sent, or the client is gone. */
  count(response: ServerResponse, bytes: number, owners: readonly BodyOwner[]): void {
    if (response.closed) return
    this.#change(bytes, owners)
    response.once('close', () => this.#change(-bytes, owners))
  }

  #change(bytes: number, owners: readonly BodyOwner[]): void {
    for (const { name } of owners) {
      const unread = (this.#bytes.get(name) ?? 0) + bytes
      if (unread > 0) this.#bytes.set(name, unread)
      else this.#bytes.delete(name)
    }
  }
}
