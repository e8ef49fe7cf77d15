import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { FILENAME_MAX_LENGTH, UPLOAD_EXPIRES_MAX_SECONDS } from '../../../domain/limits.ts'
import { metadataOf, type ManifestLine } from '../../../domain/moving/manifest.ts'
import { ReelgateError, type Upload } from '../../../sdk/src/index.ts'
import { fetchTransport } from '../../../sdk/src/upload/transport.ts'
import { sendFile } from '../../../sdk/src/upload/upload-file.ts'
import type { LocalFile } from '../inside-folder.ts'
import type { JournalEntry } from './journal.ts'
import { LineFailure, type ImportRun } from './run.ts'

/** A line with the external id that its video has. */
export interface NamedLine {
  line: ManifestLine
  externalId: string
}

/** The same with its file and its checksum. */
export interface IdentifiedLine extends NamedLine {
  number: number
  file: LocalFile
  sha256: string
}

/** The video of a line. */
export interface HeldVideo {
  videoId: string
  /** False for a video that was there before. */
  isOurs: boolean
}

const NONE: ReadonlySet<never> = new Set()

/**
 * Finds the video of a line, or makes it: by what the journal says, as far as the service agrees, and otherwise by the external id, which only
 * one video or open upload of the account can have. So a killed run, a lost journal and two runs at once make one video.
 */
export async function holdVideo(run: ImportRun, one: IdentifiedLine): Promise<HeldVideo> {
  const { journal, server } = run
  const entry = journal.entry(one.externalId)
  const begun = entry?.uploadId ? server.uploadOf(entry.uploadId, one.externalId) : null
  const videoId = entry?.videoId ?? begun?.video_id ?? null
  if (entry && videoId !== null && server.statusOf(videoId) !== null) {
    assertSameFile(entry, one, videoId)
    if (entry.videoId === null) await journal.noteEntry(one.externalId, { ...entry, videoId })
    return { videoId, isOurs: entry.uploadId !== null }
  }
  if (entry && begun && begun.upload_url !== null) {
    if (entry.sha256 === one.sha256) return send(run, one, begun)
    // The file has changed since, so what is sent of the earlier one is of no use.
    await cancel(run, begun.id)
  }
  return createOrFind(run, one)
}

function assertSameFile({ sha256 }: JournalEntry, one: IdentifiedLine, videoId: string): void {
  if (sha256 === one.sha256) return
  throw new LineFailure(
    'file_changed',
    `The file has changed since its video ${videoId} was made. Give it another external_id.`,
  )
}

async function cancel({ reelgate, patiently, signal }: ImportRun, id: number): Promise<void> {
  try {
    await patiently(() => reelgate.uploads.cancel(id, { signal }))
  } catch (error) {
    if (!(error instanceof ReelgateError) || error.code !== 'upload_ended') throw error
  }
}

/** An upload may end between the refusal of its external id and the look for it. */
const ATTEMPTS = 3

async function createOrFind(run: ImportRun, one: IdentifiedLine): Promise<HeldVideo> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(run, one, await createUpload(run, one))
    } catch (error) {
      const isTaken = error instanceof ReelgateError && error.code === 'external_id_taken'
      if (!isTaken) throw error
      const held = await findHolder(run, one)
      if (held !== null) return held
      if (attempt === ATTEMPTS) throw error
    }
  }
}

async function createUpload(run: ImportRun, one: IdentifiedLine): Promise<Upload> {
  const { reelgate, patiently, folders, keepOriginal, signal } = run
  const { line, file, externalId } = one
  const folderId = line.folder === null ? null : await folders.idOf(line.folder)
  const body = {
    filename: basename(file.path).slice(-FILENAME_MAX_LENGTH),
    size_bytes: file.sizeBytes,
    ...(line.title !== null && { title: line.title }),
    description: line.description ?? '',
    folder_id: folderId,
    external_id: externalId,
    tags: line.tags,
    metadata: metadataOf(line),
    ...(keepOriginal !== undefined && { keep_original: keepOriginal }),
    expires_in_seconds: UPLOAD_EXPIRES_MAX_SECONDS,
  }
  return patiently(() => reelgate.uploads.create(body, { signal }))
}

/** Finds the video or the open upload that has the external id of a line; null if both are gone. */
async function findHolder(run: ImportRun, one: IdentifiedLine): Promise<HeldVideo | null> {
  const { reelgate, patiently, journal, signal } = run
  const { externalId, sha256, file } = one
  const query = { external_id: externalId, limit: 1 }
  const { data } = await patiently(() => reelgate.videos.list(query, { signal }))
  const video = data[0]
  if (video) {
    const entry = { sha256, uploadId: null, videoId: video.id, done: NONE }
    await journal.noteEntry(externalId, entry)
    return { videoId: video.id, isOurs: false }
  }
  const upload = await patiently(() => findOpenUpload(run, externalId))
  if (upload === null) return null
  const isOfFile =
    upload.size_bytes === file.sizeBytes && Date.parse(upload.created_at) > file.modifiedMs
  if (isOfFile) return send(run, one, upload)
  throw new LineFailure(
    'external_id_taken',
    `The unfinished upload ${upload.id}, of another file, has this external id. Cancel it, or give another external_id.`,
  )
}

async function findOpenUpload(
  { reelgate, signal }: ImportRun,
  externalId: string,
): Promise<Upload | null> {
  const oldestMs = Date.now() - 2 * UPLOAD_EXPIRES_MAX_SECONDS * 1_000
  for await (const upload of reelgate.uploads.listAll({}, { signal })) {
    if (upload.upload_url !== null && upload.external_id === externalId) return upload
    if (Date.parse(upload.created_at) < oldestMs) return null
  }
  return null
}

/** Sends a file from where its upload is, and notes its video. */
async function send(run: ImportRun, one: IdentifiedLine, upload: Upload): Promise<HeldVideo> {
  const { journal } = run
  const { externalId, sha256, file } = one
  if (journal.entry(externalId)?.uploadId !== upload.id)
    await journal.noteEntry(externalId, { sha256, uploadId: upload.id, videoId: null, done: NONE })
  const content = await openAsBlob(file.path)
  await assertUnchanged(file)
  const videoId = await sendContent(run, one, upload, content)
  return noteVideo(run, one, upload, videoId)
}

async function sendContent(
  { reelgate, onSent, patiently, signal }: ImportRun,
  { number }: IdentifiedLine,
  { id, upload_url: uploadUrl }: Upload,
  content: Blob,
): Promise<string> {
  const onProgress = ({ sentBytes }: { sentBytes: number }): void => onSent(number, sentBytes)
  const options = { uploadUrl: uploadUrl ?? '', signal, onProgress }
  try {
    return (await patiently(() => sendFile(content, options, fetchTransport()))).videoId
  } catch (error) {
    // Another run has sent it to its end meanwhile.
    const isGone = error instanceof ReelgateError && error.code === 'upload_not_found'
    const now = isGone ? await patiently(() => reelgate.uploads.get(id, { signal })) : null
    if (now === null || now.video_id === null) throw error
    return now.video_id
  }
}

/** The checksum is that of the file as it was a moment ago. Reads of the blob fail after a later change. */
async function assertUnchanged({ path, sizeBytes, modifiedMs }: LocalFile): Promise<void> {
  const { size, mtimeMs } = await stat(path)
  if (size !== sizeBytes || mtimeMs !== modifiedMs)
    throw new LineFailure('file_changed', 'The file was changed while it was imported.')
}

async function noteVideo(
  { journal }: ImportRun,
  { externalId, sha256 }: IdentifiedLine,
  { id: uploadId }: Upload,
  videoId: string,
): Promise<HeldVideo> {
  await journal.noteEntry(externalId, { sha256, uploadId, videoId, done: NONE })
  return { videoId, isOurs: true }
}
