import { isOwnFault } from '../../egress/egress-error.ts'
import { SourceError, toSourceError } from '../../egress/source-error.ts'

/** An internal error in the middle of a download; `fetchSource` throws its `cause`. */
class InternalError extends Error {
  constructor(cause: unknown) {
    super('the download was interrupted by an internal error', { cause })
  }
}

/** Marks errors of `work` as internal, so that they are not attributed to the source. */
export async function internally(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw error instanceof SourceError ? error : new InternalError(error)
  }
}

/** Translates an error to the contract's codes, except internal ones and those of this installation's network. */
export function downloadErrorOf(error: unknown): unknown {
  if (error instanceof InternalError) return error.cause
  const translated = toSourceError(error)
  if (translated instanceof SourceError || isOwnFault(translated) || isLocal(translated))
    return translated
  return new SourceError('source_unreachable', 'The connection to the source broke off.', error)
}

/** Returns whether this machine caused the error, such as a full disk or a missing folder. */
const isLocal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && LOCAL_CODES.has(error.code)

const LOCAL_CODES = new Set<unknown>([
  'EACCES',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOMEM',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'ESTALE',
])
