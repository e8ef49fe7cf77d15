import { Problem } from '../../api/problem.ts'
import type { ChunkSize } from './chunk-size.ts'
import type { FailedAttempt } from './tus-attempt.ts'
import { FILE_UNREADABLE } from './upload-item.ts'
import type { SendOptions } from './upload-queue.ts'

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
    const { FailedAttempt, sendOnce } = await import('./tus-attempt.ts')
    for (;;) {
      try {
        return await sendOnce({ file, url, chunk, options })
      } catch (error) {
        const isFailed = error instanceof FailedAttempt
        if (isFailed && isRefused(url, error) && chunk.refused()) continue
        if (isFailed && error.status === null) await expectReadable(file)
        throw isFailed ? error.cause : error
      }
    }
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
