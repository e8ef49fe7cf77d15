import pLimit from 'p-limit'
import { claimUpload, completeUpload } from '../commands/uploads/write-upload.ts'
import { SourceWriteLostError } from '../db/ingest/source-writes.ts'
import { findUpload, type UploadDetails } from '../db/uploads/uploads.ts'
import { UNUSED_UPLOADS, UPLOAD_VALIDATOR } from '../domain/uploads/upload.ts'
import { sourceKey, sourcePrefix, tailsPrefix } from '../domain/videos/media-paths.ts'
import type { SourceKeyOf } from '../security/sealing/encrypted-source.ts'
import type { MasterKeys } from '../security/sealing/sealing.ts'
import { openSourceKey } from '../security/sealing/secret-contexts.ts'
import { openStoredSource } from '../security/sealing/stored-source.ts'
import { readRange } from '../storage/object-storage.ts'
import type { SourceDeps } from './source-parts.ts'
import { openSourceWriter, type SourceOwner, type SourceWriter } from './source-writer.ts'

/** A hundred uploads that begin at the same moment leave connections to other requests. */
const claims = pLimit(3)

/** What the uploads of a process need. */
export interface UploadDeps extends SourceDeps {
  masterKeys: MasterKeys
  hasDrmProvider: boolean
}

/**
 * Opens the source of an upload for the caller alone; what it finishes becomes a video. Throws a SourceWriteLostError if the upload has
 * ended or expired.
 */
export const openUpload = (deps: UploadDeps, upload: UploadDetails): Promise<SourceWriter> =>
  openOwned(deps, upload, uploadSource(deps, upload))

function openOwned(
  deps: UploadDeps,
  upload: UploadDetails,
  owner: SourceOwner,
  onProgress?: () => void,
): Promise<SourceWriter> {
  const file = { validator: UPLOAD_VALIDATOR, firstByte: 0, sizeBytes: upload.sizeBytes }
  return openSourceWriter(deps, keyOf(deps, upload), owner, file, onProgress)
}

/**
 * Makes the video of an upload of which all bytes are stored: its process was killed before it did. Calls `onProgress` while it copies what is
 * stored. Returns false if bytes are missing.
 * Throws a SourceWriteLostError if the upload has ended or another process completes it; refuses as `completeUpload` does.
 */
export async function completeIfStored(
  deps: UploadDeps,
  upload: UploadDetails,
  onProgress?: () => void,
): Promise<boolean> {
  const { status, offsetBytes, sizeBytes } = upload
  if (status !== 'uploading' || sizeBytes === null || offsetBytes < sizeBytes) return false
  if (await completeVisible(deps, upload, sizeBytes)) return true
  const writer = await openOwned(deps, upload, uploadSource(deps, upload, true), onProgress)
  try {
    if (writer.offset() !== sizeBytes) return false
    await writer.finish()
    return true
  } finally {
    // The next writer makes a copy if this fails.
    await writer.release().catch(() => {})
  }
}

/** Completes an upload whose source is visible, and not recorded. Returns false if it is not visible yet. */
async function completeVisible(
  deps: UploadDeps,
  upload: UploadDetails,
  sizeBytes: number,
): Promise<boolean> {
  const key = sourceKey(upload.videoId)
  if (!(await deps.storage.stat(key))) return false
  const source = uploadSource(deps, upload, true)
  const { by, row } = await source.claim()
  const stored = await openStoredSource(
    (range) => readRange(deps.storage, key, range),
    keyOf(deps, upload),
  )
  if (stored.id === null || stored.id !== row.sourceId || stored.layout.sizeBytes !== sizeBytes)
    return false
  await source.complete({ sizeBytes, sourceId: stored.id }, by)
  return true
}

function keyOf({ masterKeys }: UploadDeps, { sealedKey, videoId }: UploadDetails): SourceKeyOf {
  if (sealedKey === null) throw new SourceWriteLostError('the upload has ended')
  return openSourceKey(masterKeys, { videoId, sealedKey })
}

/** `isWhole` if all bytes are stored. */
const uploadSource = (deps: UploadDeps, upload: UploadDetails, isWhole = false): SourceOwner => ({
  claim: () => claims(() => claimUpload(deps.db.em.fork(), upload, isWhole)),
  async complete(source, by) {
    // Before the video is there. A process that is killed behind this completes what is stored whole.
    await deps.storage.deletePrefix(tailsPrefix(upload.videoId))
    try {
      await completeUpload(deps.db.em.fork(), upload, by, source, deps.hasDrmProvider)
    } catch (error) {
      if (error instanceof SourceWriteLostError) await removeIfEnded(deps, upload)
      throw error
    }
  },
})

/** Removes the source of an upload that was cancelled while it was made visible: what was stored of it may be removed already. */
async function removeIfEnded(
  { db, storage }: UploadDeps,
  { accountId, id, videoId }: UploadDetails,
): Promise<void> {
  const upload = await findUpload(db.em.fork(), accountId, id)
  if (upload === null || UNUSED_UPLOADS.includes(upload.status))
    await storage.deletePrefix(sourcePrefix(videoId))
}
