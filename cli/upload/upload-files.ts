import { openAsBlob } from 'node:fs'
import { ReelgateError, type Reelgate, type Upload } from '../../sdk/src/index.ts'
import { fetchTransport } from '../../sdk/src/upload/transport.ts'
import { sendFile } from '../../sdk/src/upload/upload-file.ts'
import type { LocalFile } from './collect-files.ts'
import { readOpenUploads, type OpenUploads } from './open-uploads.ts'
import type { FileOutcome, UploadReport } from './report.ts'

export interface UploadFilesOptions {
  reelgate: Reelgate
  files: readonly LocalFile[]
  /** The name of the folder of the videos; it is made if there is none. */
  folder?: string | undefined
  report: UploadReport
  /** Ends the run; unfinished uploads stay. */
  signal: AbortSignal
}

/**
 * Uploads files one after the other, and continues those that an earlier run has begun. A file that fails does not end the run. Resolves
 * to how many were not uploaded. Throws a ReelgateError if the account cannot be read.
 */
export async function uploadFiles(options: UploadFilesOptions): Promise<number> {
  const { reelgate, files, folder, report, signal } = options
  const open = await readOpenUploads(reelgate, signal)
  const folderId = folder === undefined ? null : await folderIdOf(reelgate, folder, signal)
  let uploaded = 0
  for (const file of files) {
    if (signal.aborted) break
    const outcome = await uploadOne(options, file, { open, folderId })
    if (outcome.error === null) uploaded += 1
    report.end(file, outcome)
  }
  return files.length - uploaded
}

async function folderIdOf(reelgate: Reelgate, name: string, signal: AbortSignal): Promise<number> {
  for await (const folder of reelgate.folders.listAll({}, { signal }))
    if (folder.name === name) return folder.id
  return (await reelgate.folders.create({ name }, { signal })).id
}

async function uploadOne(
  { reelgate, report, signal }: UploadFilesOptions,
  file: LocalFile,
  { open, folderId }: { open: OpenUploads; folderId: number | null },
): Promise<FileOutcome> {
  let upload: Upload | null = open.take(file)
  const continuedBytes = upload?.offset_bytes ?? 0
  const outcome = (rest: Pick<FileOutcome, 'videoId' | 'error'>): FileOutcome => ({
    uploadId: upload?.id ?? null,
    continuedBytes,
    ...rest,
  })
  try {
    report.begin(file, continuedBytes)
    upload ??= await reelgate.uploads.create(
      { filename: file.filename, size_bytes: file.sizeBytes, folder_id: folderId },
      { signal },
    )
    const { videoId } = await sendFile(
      await openAsBlob(file.path),
      {
        uploadUrl: upload.upload_url ?? '',
        signal,
        onProgress: ({ sentBytes }) => report.sent(sentBytes),
        onRetry: ({ message }) => report.waiting(message),
      },
      fetchTransport(),
    )
    return outcome({ videoId, error: null })
  } catch (error) {
    return outcome({ videoId: null, error: failureOf(error, signal) })
  }
}

function failureOf(error: unknown, signal: AbortSignal): { code: string; message: string } {
  if (signal.aborted)
    return { code: 'interrupted', message: 'Interrupted. The same command continues.' }
  if (error instanceof ReelgateError) return { code: error.code, message: error.message }
  // A file that cannot be opened.
  return { code: 'file_unreadable', message: String(error) }
}
