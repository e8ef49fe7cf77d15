import { invalidArgument, ReelgateError } from '../error.ts'
import { isOfService } from './upload-address.ts'

const CHUNK_BYTES = 16 << 20
const CHUNK_MIN_BYTES = 512 << 10
const RETRIES = 30
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
/** Another client that sends the same upload is not fought for longer. */
const TAKEOVERS_MAX = 5

/** Those below 500 after which a later request may pass. */
const RETRIED_STATUSES = [408, 409, 413, 425, 429]
/** Codes of the service that stay as they are, whatever their status. */
const FINAL_CODES = ['upload_ended', 'upload_size_mismatch', 'unexpected_redirect']

/** What the proxies of each host have accepted, for the next upload of this process or page. */
const acceptedBytes = new Map<string, number>()

/** How far uploads were when the connection was last lost under a chunk. */
const lostAt = new Map<string, number>()

export interface PaceOptions {
  uploadUrl: string | URL
  chunkSizeBytes?: number | undefined
  onChunkSize?: ((bytes: number) => void) | undefined
  maxRetries?: number | undefined
}

/** How large the requests of an upload are, and when a failed one is tried again. */
export interface Pace {
  chunkBytes: () => number
  /** So much is stored: the failures before it no longer count. */
  reached: (offsetBytes: number) => void
  /**
   * Returns how long to wait after the error of a request that had so many bytes. Throws the error if no further request helps.
   */
  delayAfter: (error: unknown, sentBytes: number) => number
}

/** Creates a Pace. Throws a ReelgateError `invalid_parameter` for an invalid option. */
export function createPace({
  uploadUrl,
  chunkSizeBytes,
  maxRetries = RETRIES,
  onChunkSize,
}: PaceOptions): Pace {
  if (!(maxRetries >= 0)) throw invalidArgument('maxRetries', 'must be 0 or more')
  const wanted = chunkSizeBytes ?? CHUNK_BYTES
  if (!(Number.isSafeInteger(wanted) && wanted >= CHUNK_MIN_BYTES))
    throw invalidArgument('chunkSizeBytes', `must be ${CHUNK_MIN_BYTES} or more`)
  const { origin, href } = new URL(uploadUrl)
  const counts = { bestOffset: -1, failures: 0, takeovers: 0 }
  let offset = 0
  let knownBytes = wanted
  const chunkBytes = (): number => Math.min(wanted, acceptedBytes.get(origin) ?? wanted)
  const halve = (sentBytes: number): boolean => {
    const half = Math.max(CHUNK_MIN_BYTES, Math.ceil(sentBytes / 2))
    if (half < sentBytes) acceptedBytes.set(origin, half)
    return half < sentBytes
  }
  /** A proxy may close the connection of a body that is too long for it, or send a 413 that a page may not read. */
  const isRefused = ({ status }: ReelgateError, sentBytes: number): boolean => {
    if (status !== undefined || sentBytes === 0) return status === 413
    const isStuck = lostAt.get(href) === offset
    lostAt.set(href, offset)
    return isStuck
  }
  const tellSize = (): void => {
    if (chunkBytes() === knownBytes) return
    knownBytes = chunkBytes()
    onChunkSize?.(knownBytes)
  }
  return {
    chunkBytes,
    reached(offsetBytes) {
      offset = offsetBytes
      if (lostAt.get(href) !== offset) lostAt.delete(href)
      if (offset <= counts.bestOffset) return
      if (counts.bestOffset >= 0) tellSize()
      Object.assign(counts, { bestOffset: offset, failures: 0, takeovers: 0 })
    },
    delayAfter(error, sentBytes) {
      if (!(error instanceof ReelgateError) || isFinal(error)) throw error
      if (isRefused(error, sentBytes) && halve(sentBytes)) return 0
      if (error.status === 413) throw error
      if (error.code === 'upload_taken_over' && (counts.takeovers += 1) > TAKEOVERS_MAX) throw error
      counts.failures += 1
      if (counts.failures > maxRetries) throw error
      return Math.max(backoffMs(counts.failures), (error.retryAfterSeconds ?? 0) * 1000)
    },
  }
}

function backoffMs(failures: number): number {
  const ms = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1))
  return ms / 2 + (Math.random() * ms) / 2
}

/** False for what a proxy on the way said: it may pass the same request later. */
function isFinal(error: ReelgateError): boolean {
  const { status, code } = error
  if (FINAL_CODES.includes(code)) return true
  if (status === undefined || status >= 500 || RETRIED_STATUSES.includes(status)) return false
  return isOfService(error)
}
