/** Why a body was not read. The `type` of the first four is that of Express's body parser. */
export type BodyFault =
  | 'entity.too.large'
  | 'encoding.unsupported'
  | 'request.aborted'
  | 'entity.encoding.failed'
  | 'body.too.slow'
  | 'share.used.up'
  | 'process.full'

const STATUS: Record<BodyFault, number> = {
  'entity.too.large': 413,
  'encoding.unsupported': 415,
  'request.aborted': 400,
  'entity.encoding.failed': 400,
  'body.too.slow': 408,
  'share.used.up': 429,
  'process.full': 503,
}

/** Seconds after which a refused body may fit. */
export const BODY_RETRY_AFTER_SECONDS = 5

/** A body that was not read, or not to its end. Each server converts it to its own form of error. */
export class BodyError extends Error {
  override name = 'BodyError'
  readonly type: BodyFault
  readonly status: number

  constructor(type: BodyFault, message: string) {
    super(message)
    this.type = type
    this.status = STATUS[type]
  }
}
