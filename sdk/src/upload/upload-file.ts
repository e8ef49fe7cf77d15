import type { ReelgateError } from '../error.ts'
import type { CallOptions } from '../http.ts'
import { createPace, type PaceOptions } from './pace.ts'
import { readSource, sizeMismatch, type SourceReader, type UploadSource } from './source.ts'
import type { UploadTransport } from './transport.ts'
import { openUploadAddress, type Piece, type Stored } from './upload-address.ts'

/** How far an upload is. */
export interface UploadProgress {
  /** What is stored, and what has left of the bytes behind it. Less than before after a lost connection. */
  sentBytes: number
  /** Null for a stream until its end. */
  sizeBytes: number | null
}

/** What can be chosen about sending a file. */
export interface SendOptions extends CallOptions {
  onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Called with the error of a request that is tried again after `waitMs`. */
  onRetry?: ((error: ReelgateError, waitMs: number) => void) | undefined
  /** The largest request, 524288 or more; 16777216 by default. Smaller ones cost the service more. */
  chunkSizeBytes?: number | undefined
  /** Called with the size of requests after a proxy has refused larger ones: give it as `chunkSizeBytes` to later uploads. */
  onChunkSize?: ((bytes: number) => void) | undefined
  /** How many requests in a row may store nothing, before the error of the last one is thrown; 30 by default, about a quarter of an hour. */
  maxRetries?: number | undefined
}

export interface UploadFileOptions extends SendOptions {
  /** The `upload_url` of the upload. It is a secret of this upload. */
  uploadUrl: string | URL
}

export interface UploadedFile {
  /** The video that the file has become. It is queued. */
  videoId: string
}

const never = (): AbortSignal => new AbortController().signal

/**
 * Sends a file to the address of an upload, from where the upload is, and resolves to its video. Lost connections and errors of the
 * service or of proxies only delay it. Throws a ReelgateError if the upload cannot continue, or the signal's reason: then the same call
 * continues it later.
 */
export async function sendFile(
  source: UploadSource,
  options: UploadFileOptions,
  transport: UploadTransport,
): Promise<UploadedFile> {
  const { uploadUrl, signal = never() } = options
  const address = openUploadAddress(uploadUrl, transport, signal)
  const pace = createPace(options satisfies PaceOptions)
  const reader = readSource(source, signal)
  const pause = async (error: unknown, sentBytes: number): Promise<null> => {
    signal.throwIfAborted()
    const waitMs = pace.delayAfter(error, sentBytes)
    options.onRetry?.(error as ReelgateError, waitMs)
    await transport.sleep(waitMs, signal)
    return null
  }
  try {
    let stored: Stored | null = null
    for (;;) {
      stored ??= await address.read().catch((error: unknown) => pause(error, 0))
      if (stored === null) continue
      pace.reached(stored.offsetBytes)
      const piece = await nextPiece(reader, stored, pace.chunkBytes())
      const report = (sentBytes: number): void =>
        options.onProgress?.({
          sentBytes: piece.startByte + sentBytes,
          sizeBytes: piece.sizeBytes,
        })
      report(0)
      const { size } = piece.body
      stored = await address.send(piece, report).catch((error: unknown) => pause(error, size))
      if (stored === null || stored.videoId === null) continue
      options.onProgress?.({ sentBytes: stored.offsetBytes, sizeBytes: stored.offsetBytes })
      return { videoId: stored.videoId }
    }
  } finally {
    reader.close()
  }
}

/** Returns the bytes that follow. Throws `upload_size_mismatch` for a file that is not the one of the upload. */
async function nextPiece(
  reader: SourceReader,
  { offsetBytes: startByte, sizeBytes: uploadBytes }: Stored,
  maxBytes: number,
): Promise<Piece> {
  if (reader.sizeBytes !== null && uploadBytes !== null && reader.sizeBytes !== uploadBytes)
    throw sizeMismatch(reader.sizeBytes, uploadBytes)
  if (reader.sizeBytes !== null && startByte > reader.sizeBytes)
    throw sizeMismatch(reader.sizeBytes, startByte)
  const { body, isLast } = await reader.read(startByte, maxBytes)
  const endByte = startByte + body.size
  if (uploadBytes !== null && (isLast ? endByte !== uploadBytes : endByte > uploadBytes))
    throw sizeMismatch(endByte, uploadBytes)
  return { startByte, body, sizeBytes: reader.sizeBytes ?? (isLast ? endByte : uploadBytes) }
}

/** Cancels an upload: its address opens nothing any more. Throws a ReelgateError. */
export const cancelAt = (
  uploadUrl: string | URL,
  transport: UploadTransport,
  { signal = never() }: CallOptions = {},
): Promise<void> => openUploadAddress(uploadUrl, transport, signal).cancel()
