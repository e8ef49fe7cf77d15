import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '../../../db/database.ts'
import type { Video } from '../../../db/entities/video.ts'
import { findCaption, listCaptions, listChapters } from '../../../db/videos/annotations.ts'
import { FILE_START_BYTES, fileNameOf, videoExtension } from '../../../domain/moving/file-names.ts'
import {
  CREATED_AT_KEY,
  isIdOfFile,
  type ManifestCaption,
  type ManifestLine,
} from '../../../domain/moving/manifest.ts'
import { instantFault } from '../../../domain/moving/parse-line.ts'
import { isoUtc } from '../../../domain/timestamps.ts'
import { AUTOMATIC_POSTER, posterKey } from '../../../domain/videos/media-paths.ts'
import { piecesOf } from '../../../security/sealing/stored-source.ts'
import { digestFile } from '../../backup/hash.ts'
import { openOriginal } from '../../kept-original.ts'
import { stemOf, type WrittenVideo } from './export-journal.ts'
import { remuxVideo } from './remux-video.ts'
import type { ExportRun } from './run.ts'
import { keep, writePrivate } from './whole-file.ts'

/** A video that was written, with its line of the manifest. */
export interface ExportedVideo {
  line: ManifestLine
  written: WrittenVideo
}

/**
 * Writes a video that is ready, its captions and its poster. The video itself is written once, however often the export is continued. Throws
 * what the storage, the packager and the disk throw.
 */
export async function exportVideo(run: ExportRun, video: Video): Promise<ExportedVideo> {
  const written = await writeVideo(run, video)
  const em = await run.entityManager()
  const stem = stemOf(written.name)
  const captions = await writeCaptions(run, em, video, stem)
  const poster = await writePoster(run, video, stem)
  const chapters = (await listChapters(em, video.id)).map(
    ({ title, startSeconds: start, endSeconds: end }) => ({ title, start, end }),
  )
  const line: ManifestLine = {
    source: { kind: 'path', path: pathOf(written.name) },
    externalId: externalIdOf(run, video, written),
    title: video.title,
    description: video.description === '' ? null : video.description,
    folder: video.folderId === null ? null : (run.folderNames.get(video.folderId) ?? null),
    tags: video.tags,
    ...timesOf(video),
    captions,
    chapters,
    poster,
    sha256: written.sha256,
    oldUrl: run.addressOf(video.id),
  }
  return { line, written }
}

const pathOf = (name: string): string => `videos/${name}`

async function writeVideo(run: ExportRun, video: Video): Promise<WrittenVideo> {
  const { journal, folder } = run
  const em = await run.entityManager()
  const original = await openOriginal({ ...run, em }, video)
  const known = await journal.find(video.id)
  if (known?.isOriginal === (original !== null)) return known
  const temporary = join(folder.work, `${video.id}.part`)
  if (original === null) await remuxVideo(run, video.id, temporary)
  else await writePrivate(temporary, piecesOf(original), run.work.signal)
  const { sha256, bytes: sizeBytes } = await digestFile(temporary)
  const extension = original === null ? 'mp4' : videoExtension(await startOf(temporary))
  const name = journal.freeName(video.id, fileNameOf(video.title, sha256), extension)
  await keep(temporary, join(folder.files, name))
  const written = { name, sizeBytes, sha256, isOriginal: original !== null }
  await journal.note(video.id, written)
  return written
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(FILE_START_BYTES) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * An id that an import made of a file is made again. Of two videos with the same content and without an id the second gets one, because an
 * import would take them for the same.
 */
function externalIdOf(
  { withoutId }: ExportRun,
  { id, externalId }: Video,
  { sha256 }: WrittenVideo,
): string | null {
  if (externalId !== null && !isIdOfFile(externalId)) return externalId
  if (withoutId.has(sha256)) return `video:${id}`
  withoutId.add(sha256)
  return null
}

/** A time that an import has kept in the metadata is that of the video; otherwise the time at which it was made here. */
function timesOf({ metadata, createdAt }: Video): Pick<ManifestLine, 'metadata' | 'createdAt'> {
  const { [CREATED_AT_KEY]: kept, ...others } = metadata
  if (kept === undefined || instantFault(kept) !== null)
    return { metadata, createdAt: isoUtc(createdAt) }
  return { metadata: others, createdAt: kept }
}

async function writeCaptions(
  run: ExportRun,
  em: EntityManager,
  { id }: Video,
  stem: string,
): Promise<ManifestCaption[]> {
  const captions: ManifestCaption[] = []
  for (const { languageCode: language, label } of await listCaptions(em, id)) {
    const caption = await findCaption(em, id, language)
    // It was deleted meanwhile.
    if (!caption) continue
    const name = `${stem}.${language}.vtt`
    await writeBeside(run, name, [Buffer.from(caption.content)])
    captions.push({ path: pathOf(name), language, label, isDefault: false })
  }
  return captions
}

/** Writes a poster that a member has chosen or uploaded. The import makes the automatic one again. */
async function writePoster(
  run: ExportRun,
  { id, hasPoster, posterName }: Video,
  stem: string,
): Promise<string | null> {
  if (!hasPoster || posterName === AUTOMATIC_POSTER) return null
  const { stream } = await run.storage.get(posterKey(id, posterName))
  const name = `${stem}.jpg`
  await writeBeside(run, name, stream)
  return pathOf(name)
}

/** Writes a small file beside its video, whole or not at all. */
async function writeBeside(
  { folder }: ExportRun,
  name: string,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const temporary = join(folder.work, name)
  await writePrivate(temporary, content)
  await keep(temporary, join(folder.files, name))
}
