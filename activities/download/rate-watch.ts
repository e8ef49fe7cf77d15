import { SourceError } from '../../egress/source-error.ts'

/** What a source must send on average while this process waits for it. */
const BYTES_PER_SECOND_MIN = 16 * 1024

/** Ends downloads from sources that send so little that they would occupy a slot for hours. */
export interface RateWatch {
  /** Call when this process is ready for more bytes. Time before it, such as that of our own disk, does not count. */
  waits(): void
  /** Counts received bytes. Throws a SourceError if a window has passed with less than the minimum. */
  received(bytes: number): void
}

/** Creates the watch of one download. `windowMs` is the time over which the average is taken. */
export function createRateWatch(windowMs: number): RateWatch {
  let bytesInWindow = 0
  let waitedMs = 0
  let waitsSince = performance.now()
  return {
    waits() {
      waitsSince = performance.now()
    },
    received(bytes) {
      bytesInWindow += bytes
      waitedMs += performance.now() - waitsSince
      if (waitedMs < windowMs) return
      if (bytesInWindow < (BYTES_PER_SECOND_MIN * waitedMs) / 1000)
        throw new SourceError('source_unreachable', 'The source sends less than 16 KiB per second.')
      bytesInWindow = 0
      waitedMs = 0
    },
  }
}
