import { invalidArgument, ReelgateError } from '../error.ts'
import type { CreateOptions } from '../http.ts'
import type { uploadsOf } from '../resources/uploads.ts'
import type { Body, Upload } from '../types.ts'
import type { UploadSource } from './source.ts'
import type { UploadTransport } from './transport.ts'
import { sendFile, type SendOptions, type UploadedFile } from './upload-file.ts'

/** The fields of an upload, and how its file is sent. */
export interface CreateAndSendOptions
  extends Omit<Body<'createUpload'>, 'filename' | 'size_bytes'>, SendOptions, CreateOptions {
  /** That of a `File` by default. */
  filename?: string | undefined
  /** That of a file by default; `null`, which is the default of a stream, for one that grows while it is sent. */
  size_bytes?: number | null | undefined
  /** Called with the upload before its first byte is sent: keep its `upload_url` to continue later with `uploadFile`. */
  onCreated?: ((upload: Upload) => void) | undefined
}

/** The call `reelgate.uploadFile`. */
export function createAndSendOf(uploads: ReturnType<typeof uploadsOf>, transport: UploadTransport) {
  /**
   * Creates an upload and sends its file; resolves to the video, which is queued. Throws a ReelgateError, or the signal's
   * reason. The upload stays then: `uploads.cancel` ends it, and `uploadFile` continues it.
   */
  return async (
    source: UploadSource,
    options: CreateAndSendOptions = {},
  ): Promise<UploadedFile> => {
    const { onCreated, signal, idempotencyKey, ...sent } = options
    const { onProgress, onRetry, onChunkSize, chunkSizeBytes, maxRetries, ...fields } = sent
    const upload = await uploads.create(
      { ...fields, filename: filenameOf(source, options), size_bytes: sizeOf(source, options) },
      { signal, idempotencyKey },
    )
    onCreated?.(upload)
    const sending = { signal, onProgress, onRetry, onChunkSize, chunkSizeBytes, maxRetries }
    try {
      const { upload_url: uploadUrl } = upload
      return await sendFile(source, { ...sending, uploadUrl: uploadUrl ?? '' }, transport)
    } catch (error) {
      throw await named(error, () => uploads.get(upload.id))
    }
  }
}

function filenameOf(source: UploadSource, { filename }: CreateAndSendOptions): string {
  const name = filename ?? (source instanceof Blob && 'name' in source ? source.name : undefined)
  if (typeof name !== 'string' || name === '') throw invalidArgument('filename', 'must be given')
  return name
}

const sizeOf = (source: UploadSource, { size_bytes: size }: CreateAndSendOptions): number | null =>
  size === undefined && source instanceof Blob ? source.size : (size ?? null)

/** The address of an upload that has ended does not say how; the upload does. */
async function named(error: unknown, read: () => Promise<Upload>): Promise<unknown> {
  if (!(error instanceof ReelgateError) || error.code !== 'upload_not_found') return error
  const upload = await read().catch(() => null)
  if (upload?.status !== 'expired' && upload?.status !== 'cancelled') return error
  const { type, status, requestId } = error
  return new ReelgateError({
    type,
    status,
    requestId,
    code: `upload_${upload.status}`,
    message: upload.status === 'expired' ? 'The upload has expired.' : 'The upload was cancelled.',
  })
}
