import type { ReelgateError } from '../../../../sdk/src/upload.ts'
import { Problem, UNEXPECTED, UNREACHABLE } from '../../api/problem.ts'
import type { ChunkSize } from './chunk-size.ts'
import { FILE_UNREADABLE } from './upload-item.ts'
import type { SendOptions } from './upload-queue.ts'

type Send = (file: File, url: string, options: SendOptions) => Promise<void>

/** Sends files with the client of the SDK, which is loaded with the first one. */
export function fileSender(chunk: ChunkSize): Send {
  return async function send(file, url, { onProgress, signal }) {
    const { ReelgateError, uploadFile } = await import('../../../../sdk/src/upload.ts')
    try {
      await uploadFile(file, {
        uploadUrl: url,
        signal,
        onProgress: ({ sentBytes }) => onProgress(sentBytes),
        chunkSizeBytes: chunk.bytes(),
        onChunkSize: (bytes) => chunk.keep(bytes),
        // The queue decides when to try again.
        maxRetries: 0,
      })
    } catch (error) {
      if (!(error instanceof ReelgateError)) throw error
      if (error.type === 'connection_error') await expectReadable(file)
      throw problemOfUpload(error)
    }
  }
}

/** A lost connection has the status 0; what the client itself refuses is the end of the upload, as a refusal of the server is. */
function problemOfUpload({ type, code, message, status, requestId }: ReelgateError): Problem {
  const isLost = type === 'connection_error'
  return new Problem({
    kind: 'api_error',
    code: isLost ? UNREACHABLE : code === 'unknown_error' ? UNEXPECTED : code,
    message,
    status: status ?? (isLost ? 0 : 400),
    field: null,
    requestId: requestId ?? null,
  })
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
