import { CHUNK_NOT_EXACT, VIDEO_GONE } from '../../domain/ingest/ingest.ts'
import type { VideoErrorCode } from '../../domain/videos/video-failures.ts'

/** Why a step of an ingest ends: the video fails for it, is encoded whole, or its ingest has ended. */
type IngestRefusalCode = VideoErrorCode | typeof CHUNK_NOT_EXACT | typeof VIDEO_GONE

/**
 * Thrown by a command of an ingest that the current rows do not allow; rolls its transaction back. The step is not
 * retried. `message` is for the integrator.
 */
export class IngestRefusal extends Error {
  override name = 'IngestRefusal'
  readonly code: IngestRefusalCode

  constructor(code: IngestRefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The refusal of a video that was deleted or has ended. */
export const videoGone = (): IngestRefusal =>
  new IngestRefusal(VIDEO_GONE, 'the ingest of the video has ended')

/** Whether an error is that of `videoGone`. */
export const isVideoGone = (error: unknown): boolean =>
  error instanceof IngestRefusal && error.code === VIDEO_GONE
