import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { OpenedSource } from '../egress/open-video-source.ts'
import { SourceError } from '../egress/source-error.ts'
import type { ArrivingFile } from './source-writer.ts'
import type { DownloadFiles, WorkFolder } from './work-folder.ts'

/**
 * The file of a download. Bytes keep their places: the file of a download that another machine has begun has a hole before
 * `firstByte`, which takes no space. The bytes of the hole are stored (ADR 0032).
 */
export interface PartialDownload extends ArrivingFile {
  files: DownloadFiles
}

/** What an earlier attempt has left on this machine. */
interface LocalDownload extends PartialDownload {
  endByte: number
  isReceived: boolean
}

/** What is stored of a source. */
interface StoredPart {
  offsetBytes: number
  validator: string | null
}

/** How a download continues: `download` from `startByte`, if the link still has the file with its validator. */
export interface ResumePoint {
  download: PartialDownload
  startByte: number
}

/** Without a validator, the link may return another file by now. Older workers did not write where the file begins. */
const factsSchema = z.object({
  validator: z.string().nullable(),
  firstByte: z.number().int().min(0).default(0),
})

/** Returns what this machine has received of a source, unless bytes are missing that are no longer `stored`. */
export async function findDownload(
  folder: WorkFolder,
  stored: StoredPart | null,
): Promise<LocalDownload | null> {
  const whole = await readDownload(folder.whole)
  if (whole) return whole
  const rest = await readDownload(folder.rest)
  if (!rest || rest.firstByte === 0) return null
  const isSame = rest.validator !== null && rest.validator === stored?.validator
  return isSame && stored.offsetBytes >= rest.firstByte ? rest : null
}

async function readDownload(files: DownloadFiles): Promise<LocalDownload | null> {
  const received = await sizeOf(files.receivedPath)
  const size = received ?? (await sizeOf(files.partialPath))
  if (size === null) return null
  const facts = await readFacts(files)
  return {
    files,
    ...facts,
    endByte: Math.max(size, facts.firstByte),
    isReceived: received !== null,
  }
}

async function readFacts({ factsPath }: DownloadFiles): Promise<ArrivingFile> {
  try {
    return factsSchema.parse(JSON.parse(await readFile(factsPath, 'utf8')))
  } catch {
    return { validator: null, firstByte: 0 }
  }
}

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

/** Where to resume: behind the bytes of this machine, or behind those that are stored if they are more. */
export function resumePoint(
  { whole, rest }: WorkFolder,
  local: LocalDownload | null,
  stored: StoredPart | null,
): ResumePoint {
  const endByte = local && local.validator !== null ? local.endByte : 0
  if (stored && stored.validator !== null && stored.offsetBytes > endByte) {
    const { offsetBytes, validator } = stored
    return { download: { files: rest, firstByte: offsetBytes, validator }, startByte: offsetBytes }
  }
  if (local && endByte > 0) return { download: local, startByte: endByte }
  return { download: { files: whole, firstByte: 0, validator: null }, startByte: 0 }
}

/** Prepares the file for the body of `source`, and records its validator for the next attempt. */
export async function beginPart(
  folder: WorkFolder,
  { download }: ResumePoint,
  { startByte, validator }: OpenedSource,
): Promise<PartialDownload> {
  const { files, firstByte } = startByte > 0 ? download : { files: folder.whole, firstByte: 0 }
  // What is there belongs to another version of the source, or is less than what is stored.
  if (startByte === firstByte) await removeDownload(folder)
  await writeFile(files.factsPath, JSON.stringify({ validator, firstByte }), { mode: 0o600 })
  return { files, firstByte, validator }
}

/** Throws a SourceError if the body is incomplete. The next attempt resumes a body that is too short. */
export async function checkComplete(
  { files: { partialPath }, firstByte }: PartialDownload,
  totalBytes: number | null,
): Promise<void> {
  const { size } = await stat(partialPath)
  const endByte = Math.max(size, firstByte)
  if (endByte === 0) throw new SourceError('source_unreachable', 'The source is empty.')
  if (totalBytes !== null && endByte !== totalBytes) {
    if (endByte > totalBytes) await rm(partialPath, { force: true })
    throw new SourceError('source_unreachable', 'The source ended before all of it was sent.')
  }
}

/** The download is complete. Resolves to its size. */
export async function endPart({ files }: PartialDownload): Promise<number> {
  await rename(files.partialPath, files.receivedPath)
  return (await stat(files.receivedPath)).size
}

/** Removes what this machine has of downloads that are not complete. */
export async function removeParts({ whole, rest }: WorkFolder): Promise<void> {
  for (const { partialPath } of [whole, rest]) await rm(partialPath, { force: true })
}

/** Removes what this machine has of all downloads. */
export async function removeDownload(folder: WorkFolder): Promise<void> {
  await removeParts(folder)
  for (const { receivedPath } of [folder.whole, folder.rest])
    await rm(receivedPath, { force: true })
}
