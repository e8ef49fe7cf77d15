import type { ServerResponse } from 'node:http'
import { createKeyCounts } from '../domain/key-counts.ts'
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
  readonly #bytes = createKeyCounts()

  /** Throws `rate_limited` if an owner has left its share unread. So one response is sent whatever its length. */
  requireRoom(owners: readonly BodyOwner[]): void {
    const isFull = owners.some(({ name, share }) => this.#bytes.of(name) > UNREAD_MAX_BYTES * share)
    if (isFull)
      throw new ApiError('rate_limited', {
        message: 'Responses to earlier requests are still to be read. Read them first.',
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      })
  }

  /** Counts the bytes of a response, which has its Content-Length, for all owners until it is sent, or the client is gone. */
  count(response: ServerResponse, owners: readonly BodyOwner[]): void {
    if (response.closed) return
    const bytes = Number(response.getHeader('Content-Length') ?? 0)
    this.#change(bytes, owners)
    response.once('close', () => this.#change(-bytes, owners))
  }

  #change(bytes: number, owners: readonly BodyOwner[]): void {
    for (const { name } of owners) this.#bytes.add(name, bytes)
  }
}
