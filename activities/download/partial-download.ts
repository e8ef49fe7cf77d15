import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { OpenedSource } from '../../egress/open-video-source.ts'
import { SourceError } from '../../egress/source-error.ts'
import { newScratchSalt } from '../../security/sealing/scratch-cipher.ts'
import type { ArrivingFile } from '../../sources/source-writer.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'

/**
 * The file of a download, encrypted with its salt (ADR 0055). Bytes keep their places: the file of a download that another machine
 * has begun has a hole before `firstByte`, which takes no space. The bytes of the hole are stored (ADR 0032).
 */
export interface PartialDownload extends ArrivingFile {
  salt: string
  files: DownloadFiles
}

interface DownloadFiles {
  /** The source while it arrives. */
  partialPath: string
  /** The source from its last byte until it is stored. */
  receivedPath: string
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

/** How a download continues: from `startByte`, if the link still has the file with this validator. */
export interface ResumePoint extends ArrivingFile {
  /** The file that grows; null for a new one. */
  local: LocalDownload | null
  startByte: number
}

/** Without a validator, the link may return another file by now. */
const factsSchema = z.object({
  validator: z.string().nullable(),
  firstByte: z.number().int().min(0),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
})

const DOWNLOAD = 'download-'
const PART = '.part'

/** The salt is in the name, so a late attempt never reads or renames the file of another one. */
function filesOf({ shared }: WorkFolder, salt: string): DownloadFiles {
  const receivedPath = join(shared, DOWNLOAD + salt)
  return { receivedPath, partialPath: receivedPath + PART }
}

/** Returns what this machine has received of a source, unless bytes are missing that are no longer `stored`. */
export async function findDownload(
  folder: WorkFolder,
  stored: StoredPart | null,
): Promise<LocalDownload | null> {
  const facts = await readFacts(folder)
  if (!facts) return null
  const { validator, firstByte, salt } = facts
  const isSame = validator !== null && validator === stored?.validator
  if (firstByte > 0 && !(isSame && stored.offsetBytes >= firstByte)) return null
  const files = filesOf(folder, salt)
  const received = await fileSize(files.receivedPath)
  const size = received ?? (await fileSize(files.partialPath))
  if (size === null) return null
  return { ...facts, files, endByte: Math.max(size, firstByte), isReceived: received !== null }
}

/** Without them a file cannot be decrypted. */
async function readFacts({ factsPath }: WorkFolder): Promise<z.infer<typeof factsSchema> | null> {
  // A full disk leaves an empty file.
  if (!(await fileSize(factsPath))) return null
  try {
    return factsSchema.parse(JSON.parse(await readFile(factsPath, 'utf8')))
  } catch {
    return null
  }
}

const fileSize = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )

/** Where to resume: behind the bytes of this machine, or behind those that are stored if they are more. */
export function resumePoint(local: LocalDownload | null, stored: StoredPart | null): ResumePoint {
  const endByte = local && local.validator !== null ? local.endByte : 0
  if (stored && stored.validator !== null && stored.offsetBytes > endByte) {
    const { offsetBytes, validator } = stored
    return { local: null, firstByte: offsetBytes, validator, startByte: offsetBytes }
  }
  if (!local || endByte === 0) return { local: null, firstByte: 0, validator: null, startByte: 0 }
  const { firstByte, validator } = local
  return { local, firstByte, validator, startByte: endByte }
}

/** Prepares the file for the body of `source`, and records for the next attempt what it is. */
export async function beginPart(
  folder: WorkFolder,
  { local, firstByte }: ResumePoint,
  { startByte, validator }: OpenedSource,
): Promise<PartialDownload> {
  const isResumed = local !== null && startByte > local.firstByte
  // What is there belongs to another version of the source, or is less than what is stored.
  if (!isResumed) await removeDownload(folder)
  const salt = isResumed ? local.salt : newScratchSalt()
  const facts = { validator, firstByte: startByte > 0 ? firstByte : 0, salt }
  await writeFile(folder.factsPath, JSON.stringify(facts), { mode: 0o600 })
  return { ...facts, files: filesOf(folder, salt) }
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
export const removeParts = (folder: WorkFolder): Promise<void> =>
  removeFiles(folder, (name) => name.endsWith(PART))

/** Removes what this machine has of all downloads. */
export const removeDownload = (folder: WorkFolder): Promise<void> => removeFiles(folder, () => true)

async function removeFiles(
  { shared }: WorkFolder,
  isRemoved: (name: string) => boolean,
): Promise<void> {
  const names = (await readdir(shared)).filter((name) => name.startsWith(DOWNLOAD))
  for (const name of names.filter(isRemoved)) await rm(join(shared, name), { force: true })
}
