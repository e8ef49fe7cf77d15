import { ReelgateError } from '../error.ts'
import type { UploadRequest, UploadResponse, UploadTransport } from './transport.ts'

/** A connection that takes nothing for so long is given up. */
const IDLE_MS = 60_000
/** How long the response may take after the body: the last byte of a large file joins all its parts. */
const RESPONSE_MS = 120_000

/** A request without its signal; `onSent` may be left out. */
export type TimedRequest = Omit<UploadRequest, 'signal' | 'onSent'> & {
  onSent?: ((bytes: number) => void) | undefined
}

/**
 * Sends a request, and gives up a connection on which nothing moves: phones and sleeping computers leave such ones behind. Throws a
 * ReelgateError `connection_failed` or `timeout`, or the signal's reason.
 */
export async function timedSend(
  { send }: UploadTransport,
  request: TimedRequest,
  signal: AbortSignal,
): Promise<UploadResponse> {
  const ending = new AbortController()
  const stop = (): void => ending.abort(signal.reason)
  const giveUp = (): void =>
    ending.abort(connectionError('timeout', 'The connection of the upload does not move.'))
  const size = request.body?.size ?? 0
  let timer = setTimeout(giveUp, size > 0 ? IDLE_MS : RESPONSE_MS)
  const onSent = (bytes: number): void => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, bytes < size ? IDLE_MS : RESPONSE_MS)
    request.onSent?.(bytes)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    return await send({ ...request, onSent, signal: ending.signal })
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason
    throw connectionError(
      'connection_failed',
      'The address of the upload cannot be reached.',
      error,
    )
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

const connectionError = (code: string, message: string, cause?: unknown): ReelgateError =>
  new ReelgateError({
    type: 'connection_error',
    code,
    message,
    ...(cause !== undefined && { cause }),
  })
