import type { MEDIA_FAILURES } from '../domain/videos/video-failures.ts'

/** Why a file or a tool failed. The last two are no failures of a video: it is encoded whole, or has ended. */
export type MediaErrorCode = keyof typeof MEDIA_FAILURES | 'chunk_not_exact' | 'aborted'

/** A file or a tool failed. `message` is for the integrator and contains no path of this machine. */
export class MediaError extends Error {
  override name = 'MediaError'
  readonly code: MediaErrorCode

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The machine caused the failure, for example by a full disk. Another attempt may succeed. */
export class MachineError extends Error {
  override name = 'MachineError'
}
