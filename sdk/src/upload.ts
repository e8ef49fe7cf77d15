// What a page needs to send a file to the address of an upload: without an API key, and without the rest of the package.
import type { CallOptions } from './http.ts'
import { browserTransport } from './upload/browser-transport.ts'
import type { UploadSource } from './upload/source.ts'
import {
  cancelAt,
  sendFile,
  type UploadedFile,
  type UploadFileOptions,
} from './upload/upload-file.ts'

export { ReelgateError } from './error.ts'
export type { UploadSource } from './upload/source.ts'
export type {
  SendOptions,
  UploadedFile,
  UploadFileOptions,
  UploadProgress,
} from './upload/upload-file.ts'

/**
 * Sends a file to the `upload_url` of an upload, from where the upload is, and resolves to its video. Lost connections and errors of the
 * service or of proxies only delay it. Throws a ReelgateError if the upload cannot continue, or the signal's reason: then the same call
 * continues it later.
 */
export const uploadFile = (
  source: UploadSource,
  options: UploadFileOptions,
): Promise<UploadedFile> => sendFile(source, options, browserTransport())

/** Cancels an upload: its address opens nothing any more, and what is stored of it is removed. Throws a ReelgateError. */
export const cancelUpload = (uploadUrl: string | URL, options: CallOptions = {}): Promise<void> =>
  cancelAt(uploadUrl, browserTransport(), options)
