import { Upload, type DetailedError, type HttpResponse } from 'tus-js-client'
import { Problem, problemFromResponse } from '../../api/problem.ts'
import type { ChunkSize } from './chunk-size.ts'
import type { SendOptions } from './upload-queue.ts'

/** A connection that says nothing for so long is dead, as after a sleep of the computer. */
const SILENCE_MS = 90_000

/** What is known of an attempt whose request failed. */
export class FailedAttempt extends Error {
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
export function sendOnce({
  file,
  url,
  chunk,
  options: { onProgress, signal },
}: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    let storedBytes: number | null = null
    let silence: ReturnType<typeof setTimeout> | undefined
    const end = (finish: () => void): void => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      finish()
    }
    const upload = new Upload(file, {
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
