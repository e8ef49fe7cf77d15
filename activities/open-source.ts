import { stat } from 'node:fs/promises'
import { MediaError } from '../media/media-error.ts'
import type { MediaWork } from '../media/run-tool.ts'
import type { ActivityDeps } from './deps.ts'
import { readSourceKey } from './source-keys.ts'
import type { SourceOf } from './source-keys.ts'
import { createPieceReader } from './source-pieces.ts'
import { serveSource } from './source-server.ts'
import type { SourceServer } from './source-server.ts'
import { openSourceObject, recordStored } from './store-source.ts'
import type { WorkFolder } from './work-folder.ts'

/** A source that tools can read. */
export interface OpenSource {
  /** For `inputArguments`: a path, or an address on the loopback. */
  path: string
  sizeBytes: number
  /** Names what is stored; null for a source that is not encrypted. */
  sourceId: string | null
}

type Deps = Pick<ActivityDeps, 'db' | 'masterKeys' | 'storage'>

/**
 * Calls `use` with the source of a video. The machine that downloaded it reads its file; every other machine reads
 * from object storage the pieces that its tools ask for, each once. `use` gets the work with a signal that also
 * aborts when a piece cannot be read. That is an internal error, also if the tool took it for the end of the file.
 */
export async function withSource<T>(
  deps: Deps,
  folder: WorkFolder,
  videoId: string,
  work: MediaWork,
  use: (source: OpenSource, work: MediaWork) => Promise<T>,
): Promise<T> {
  const key = await readSourceKey(deps, videoId)
  const local = await findLocal(folder, key)
  if (!local) return withShared(deps, folder, await knownSource(deps, videoId, key), work, use)
  try {
    return await use(local, work)
  } catch (error) {
    // The step is retried, and then reads from object storage.
    if (error instanceof MediaError && (await findLocal(folder, key)) === null)
      throw new Error('the file of the source was removed from this machine', { cause: error })
    throw error
  }
}

/** The file of what is recorded as stored. A file of another download is not the source. */
async function findLocal(folder: WorkFolder, key: SourceOf | null): Promise<OpenSource | null> {
  if (!key || key.sourceId === null) return null
  const { sourceId } = key
  const path = folder.sourcePath(sourceId)
  const facts = await stat(path).catch(() => null)
  return facts && { path, sizeBytes: facts.size, sourceId }
}

interface KnownSource {
  videoId: string
  /** Null for a source that is not encrypted. */
  key: SourceOf | null
}

/** An older worker stores a source and does not record which. */
async function knownSource(
  deps: Deps,
  videoId: string,
  key: SourceOf | null,
): Promise<KnownSource> {
  if (!key || key.sourceId !== null) return { videoId, key }
  const stored = await openSourceObject(deps.storage, videoId, key)
  await recordStored(deps, key, stored)
  return { videoId, key: { ...key, sourceId: stored.id } }
}

/** A source that several activities of this process read at the same time. */
interface SharedSource {
  users: number
  opened: Promise<SourceServer & { sizeBytes: number }>
  /** Aborts, with the error as its reason, when a piece cannot be read. */
  fault: AbortController
}

/** By the path of the pieces. One address for all activities also lets them share an encoder. */
const shared = new Map<string, SharedSource>()

async function withShared<T>(
  deps: Deps,
  folder: WorkFolder,
  known: KnownSource,
  work: MediaWork,
  use: (source: OpenSource, work: MediaWork) => Promise<T>,
): Promise<T> {
  const sourceId = known.key?.sourceId ?? null
  const piecesPath = folder.piecesPath(sourceId)
  const source = shared.get(piecesPath) ?? share(deps, folder, piecesPath, known)
  const { signal: fault } = source.fault
  source.users += 1
  try {
    const { address, sizeBytes } = await source.opened
    const signal = AbortSignal.any([work.signal, fault])
    const result = await use({ path: address, sizeBytes, sourceId }, { ...work, signal })
    fault.throwIfAborted()
    return result
  } catch (error) {
    throw fault.aborted && !work.signal.aborted ? fault.reason : error
  } finally {
    source.users -= 1
    if (source.users === 0) {
      forget(piecesPath, source)
      await source.opened.then((served) => served.close()).catch(() => {})
    }
  }
}

function share(
  deps: Deps,
  folder: WorkFolder,
  piecesPath: string,
  known: KnownSource,
): SharedSource {
  const fault = new AbortController()
  const onFault = (error: unknown): void => {
    // The next attempt opens the source again.
    forget(piecesPath, source)
    fault.abort(error)
  }
  const source: SharedSource = { users: 0, opened: open(deps, folder, known, onFault), fault }
  source.opened.catch(onFault)
  shared.set(piecesPath, source)
  return source
}

function forget(piecesPath: string, source: SharedSource): void {
  if (shared.get(piecesPath) === source) shared.delete(piecesPath)
}

async function open(
  deps: Deps,
  folder: WorkFolder,
  { videoId, key }: KnownSource,
  onFault: (error: unknown) => void,
): Promise<SourceServer & { sizeBytes: number }> {
  const stored = await openSourceObject(deps.storage, videoId, key)
  if (key && stored.id !== key.sourceId) {
    // A late attempt to download has stored it again. The next attempt reads what is recorded now.
    await recordStored(deps, key, stored)
    throw new Error('the source was stored again')
  }
  const { sizeBytes } = stored.layout
  const readPiece = createPieceReader(stored, folder)
  return { ...(await serveSource({ sizeBytes, readPiece, onFault })), sizeBytes }
}
