export type MediaErrorCode =
  | 'unreadable_file'
  | 'unsupported_container'
  | 'no_video_stream'
  | 'nothing_decodable'
  | 'encrypted_source'
  | 'source_damaged'
  | 'video_too_large'
  | 'encoding_failed'
  | 'chunk_not_exact'
  | 'packaging_failed'
  | 'verification_failed'
  | 'tool_failed'
  | 'stalled'
  | 'aborted'

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
