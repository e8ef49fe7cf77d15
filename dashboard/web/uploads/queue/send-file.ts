import type { DetailedError, HttpResponse, Upload } from 'tus-js-client'
import { Problem, problemFromResponse } from '../../api/problem.ts'
import type { ChunkSize } from './chunk-size.ts'
import { FILE_UNREADABLE } from './upload-item.ts'
import type { SendOptions } from './upload-queue.ts'

/** A connection that says nothing for so long is dead, as after a sleep of the computer. */
const SILENCE_MS = 90_000

const TOO_LARGE = 413

type Send = (file: File, url: string, options: SendOptions) => Promise<void>

/** Sends files by tus. The library is loaded with the first one. */
export function fileSender(chunk: ChunkSize): Send {
  /** How far uploads were when their last request got no response. */
  const stuckAt = new Map<string, number>()
  /** A proxy that refuses a body may not let pages read that: then the same bytes fail twice without a response. */
  const isRefused = (url: string, { status, storedBytes }: FailedAttempt): boolean => {
    if (status !== null || storedBytes === null) return status === TOO_LARGE
    const isStuck = stuckAt.get(url) === storedBytes
    stuckAt.set(url, storedBytes)
    return isStuck
  }
  return async function send(file, url, options) {
    const tus = await import('tus-js-client')
    for (;;) {
      try {
        return await sendOnce(tus.Upload, { file, url, chunk, options })
      } catch (error) {
        const isFailed = error instanceof FailedAttempt
        if (isFailed && isRefused(url, error) && chunk.refused()) continue
        if (isFailed && error.status === null) await expectReadable(file)
        throw isFailed ? error.cause : error
      }
    }
  }
}

/** What is known of an attempt whose request failed. */
class FailedAttempt extends Error {
  override name = 'FailedAttempt'
  /** Null without a response. */
  readonly status: number | null
  /** How much the server had when the failed request began; null if it did not say. */
  readonly storedBytes: number | null
  constructor(cause: unknown, status: number | null, storedBytes: number | null) {
    super('the attempt failed', { cause })
    this.status = status
    this.storedBytes = storedBytes
  }
}

interface Sending {
  file: File
  url: string
  chunk: ChunkSize
  options: SendOptions
}

/** Sends a file from where the server has it, until it is sent or a request fails. Rejects with a FailedAttempt, or the reason of the signal. */
function sendOnce(
  TusUpload: typeof Upload,
  { file, url, chunk, options: { onProgress, signal } }: Sending,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let storedBytes: number | null = null
    let silence: ReturnType<typeof setTimeout> | undefined
    const end = (finish: () => void): void => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      finish()
    }
    const upload = new TusUpload(file, {
      uploadUrl: url,
      chunkSize: chunk.bytes(),
      // The queue decides when to try again.
      retryDelays: [],
      storeFingerprintForResuming: false,
      onProgress(bytes) {
        listen()
        onProgress(bytes)
      },
      onAfterResponse(_request, response) {
        listen()
        const offset = response.getHeader('Upload-Offset')
        if (offset === undefined || response.getStatus() >= 300) return
        if (storedBytes !== null) chunk.accepted()
        storedBytes = Number(offset)
      },
      onSuccess: () => end(resolve),
      onError: (error) =>
        end(() => {
          const response = 'originalResponse' in error ? error.originalResponse : null
          const status = response?.getStatus() ?? 0
          reject(new FailedAttempt(problemOfTus(error), status || null, storedBytes))
        }),
    })
    const listen = (): void => {
      clearTimeout(silence)
      silence = setTimeout(() => give(new TypeError('the server is silent')), SILENCE_MS)
    }
    const give = (reason: unknown): void =>
      end(() => {
        void upload.abort()
        reject(reason)
      })
    const stop = (): void => give(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    listen()
    upload.start()
  })
}

/** The problem behind an error of the library: that of the response, or a TypeError as `fetch` throws it without one. */
function problemOfTus(error: Error | DetailedError): unknown {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (!response || response.getStatus() === 0) return new TypeError(error.message)
  return problemOfResponse(response)
}

function problemOfResponse(response: HttpResponse): Problem {
  const init = { status: response.getStatus() }
  try {
    return problemFromResponse(JSON.parse(response.getBody()), new Response(null, init))
  } catch {
    return problemFromResponse(null, new Response(null, init))
  }
}

/** Throws a Problem if the file can no longer be read. The browser reports that as a network without a response. */
async function expectReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch (cause) {
    const { message } = cause as Error
    const details = { kind: 'invalid_request_error', code: FILE_UNREADABLE, message } as const
    throw new Problem({ ...details, status: 0, field: null, requestId: null })
  }
}
