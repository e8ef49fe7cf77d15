import { IMPORT_AT_ONCE_MAX } from '../../../domain/limits.ts'
import { metadataOf, type ManifestLine } from '../../../domain/moving/manifest.ts'
import { SOURCE_FAILURES } from '../../../domain/videos/video-failures.ts'
import { ReelgateError, type ImportLine } from '../../../sdk/src/index.ts'
import type { NamedLine } from './hold-video.ts'
import type { ImportRun } from './run.ts'
import { sumOf } from './source-kinds.ts'

export interface NumberedLine {
  number: number
  line: ManifestLine
}

/** A line whose source the service fetches. */
export type FetchedLine = NumberedLine & NamedLine

/** A line as an import of the service has it, with that import. */
type MadeLine = ImportLine & { importId: number }

/**
 * The lines that no earlier import has, or whose videos it has not made and will not make. A run that was killed may have noted its import for some of the
 * lines only; the others are noted now. An import of objects is cancelled first, so that this run opens the bucket for the lines that wait: what the earlier
 * run had may have ended. The videos that have started are made.
 */
export async function linesToBegin(
  run: ImportRun,
  batch: readonly FetchedLine[],
): Promise<FetchedLine[]> {
  const importIdOf = ({ externalId }: FetchedLine) => run.journal.entry(externalId)?.importId
  const importIds = new Set(batch.map(importIdOf).filter((id) => id !== undefined))
  const made = new Map<string, MadeLine>()
  // The newest one is the last that says something of a line.
  for (const importId of [...importIds].toSorted((one, other) => one - other))
    for (const [externalId, line] of await readEarlier(run, importId, batch))
      made.set(externalId, { ...line, importId })
  const fresh: FetchedLine[] = []
  for (const one of batch) {
    const earlier = made.get(one.externalId)
    if (earlier === undefined || (await mayBeginAgain(run, earlier))) fresh.push(one)
    else if (importIdOf(one) !== earlier.importId) await noteImport(run, one, earlier.importId)
  }
  return fresh
}

/** The lines of an import; none if the service has no such import any more. Cancels one of objects. */
async function readEarlier(
  run: ImportRun,
  importId: number,
  batch: readonly FetchedLine[],
): Promise<Map<string, ImportLine>> {
  const { reelgate, patiently, signal } = run
  const objects = batch.filter(({ line }) => line.source.kind === 'key')
  try {
    const lines = await readLines(run, importId)
    // In a journal of another service, or of one that was restored, the number is that of another import.
    if (!objects.some(({ externalId }) => lines.has(externalId))) return lines
    await patiently(() => reelgate.imports.cancel(importId, { signal }))
    return await readLines(run, importId)
  } catch (error) {
    if (error instanceof ReelgateError && error.code === 'import_not_found') return new Map()
    throw error
  }
}

/**
 * Whether a line of an earlier import is begun again: if it was cancelled, if its video was deleted since, or if its source could not be fetched, because it
 * may be there now. Such a video gives up its external id. One that could not be encoded would fail again.
 */
async function mayBeginAgain(
  run: ImportRun,
  { state, video_id: videoId, error }: MadeLine,
): Promise<boolean> {
  if (state === 'waiting' || state === 'started') return false
  if (state === 'cancelled' || videoId === null || !(await hasVideo(run, videoId))) return true
  if (state !== 'failed' || !Object.hasOwn(SOURCE_FAILURES, error?.code ?? '')) return false
  const { reelgate, patiently, signal } = run
  await patiently(() => reelgate.videos.update(videoId, { external_id: null }, { signal }))
  return true
}

/** Whether there is a video. One that a line has found may be older than those that were read, and one that it made newer. */
async function hasVideo(
  { reelgate, server, patiently, signal }: ImportRun,
  videoId: string,
): Promise<boolean> {
  if (server.statusOf(videoId) !== null) return true
  try {
    await patiently(() => reelgate.videos.getStatus(videoId, { signal }))
    return true
  } catch (error) {
    if (error instanceof ReelgateError && error.code === 'video_not_found') return false
    throw error
  }
}

const noteImport = ({ journal }: ImportRun, { externalId }: NamedLine, importId: number) =>
  journal.noteEntry(externalId, {
    sha256: '',
    uploadId: null,
    videoId: null,
    importId,
    done: new Set(),
  })

/** The lines of an import by external id. */
export async function readLines(
  { reelgate, patiently, signal }: ImportRun,
  importId: number,
): Promise<Map<string, ImportLine>> {
  const read = async () => {
    const lines = new Map<string, ImportLine>()
    for await (const line of reelgate.imports.listAllLines(importId, {}, { signal }))
      lines.set(line.external_id ?? '', line)
    return lines
  }
  return patiently(read)
}

/** Has the service import lines, and notes its import for each of them. */
export async function beginImport(
  run: ImportRun,
  lines: readonly FetchedLine[],
  atOnce: number,
): Promise<void> {
  const { reelgate, patiently, journal, signal } = run
  const bodies = []
  for (const one of lines) bodies.push(await bodyOf(run, one))
  const hasObjects = lines.some(({ line }) => line.source.kind === 'key')
  const body = {
    lines: bodies,
    at_once: Math.min(atOnce, IMPORT_AT_ONCE_MAX),
    ...(hasObjects && bucketOf(run)),
  }
  // A lost response makes no second import; lines of an import that has ended do, and another access to the bucket.
  const before = lines.map(({ externalId }) => journal.entry(externalId)?.importId ?? 0)
  const idempotencyKey = sumOf(JSON.stringify([body, before]))
  const { id: importId } = await patiently(() =>
    reelgate.imports.create(body, { signal, idempotencyKey }),
  )
  for (const one of lines) await noteImport(run, one, importId)
}

async function bodyOf({ folders, keepOriginal }: ImportRun, { line, externalId }: FetchedLine) {
  const { source, title, description, folder, tags, sha256 } = line
  return {
    ...(source.kind === 'link' && { source_url: source.url }),
    ...(source.kind === 'key' && { key: source.key }),
    external_id: externalId,
    ...(title !== null && { title }),
    description: description ?? '',
    folder_id: folder === null ? null : await folders.idOf(folder),
    tags,
    metadata: metadataOf(line),
    ...(sha256 !== null && { sha256 }),
    ...(keepOriginal !== undefined && { keep_original: keepOriginal }),
  }
}

function bucketOf({ bucket }: ImportRun) {
  if (bucket === null) throw new TypeError('an object without its bucket')
  const { place, access } = bucket
  return {
    bucket: {
      ...place,
      access_key_id: access.accessKeyId,
      secret_access_key: access.secretAccessKey,
      ...(access.sessionToken !== null && { session_token: access.sessionToken }),
    },
  }
}
