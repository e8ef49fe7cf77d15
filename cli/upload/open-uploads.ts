import type { Reelgate, Upload } from '../../sdk/src/index.ts'
import type { LocalFile } from './collect-files.ts'

/** Older uploads have no bytes that are recent enough: an unfinished one expires within six days. */
const RECENT_MS = 30 * 86_400_000

/** The uploads of an account that take bytes. */
export interface OpenUploads {
  /**
   * Returns the upload that an earlier run began for this file, once: one with its name and size that is younger than the file's
   * last change.
   */
  take(file: LocalFile): Upload | null
}

/** Reads the unfinished uploads of an account. Throws a ReelgateError. */
export async function readOpenUploads(
  reelgate: Reelgate,
  signal: AbortSignal,
): Promise<OpenUploads> {
  const open: Upload[] = []
  for await (const upload of reelgate.uploads.listAll({}, { signal })) {
    if (Date.now() - Date.parse(upload.created_at) > RECENT_MS) break
    if (upload.upload_url !== null) open.push(upload)
  }
  return {
    take({ filename, sizeBytes, modifiedAt }) {
      const at = open.findIndex(
        (upload) =>
          upload.filename === filename &&
          upload.size_bytes === sizeBytes &&
          Date.parse(upload.created_at) > modifiedAt.getTime(),
      )
      return at === -1 ? null : (open.splice(at, 1)[0] ?? null)
    },
  }
}
