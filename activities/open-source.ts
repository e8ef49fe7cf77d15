import { stat } from 'node:fs/promises'
import { MediaError } from '../media/media-error.ts'
import type { MediaWork } from '../media/run-tool.ts'
import type { ActivityDeps } from './deps.ts'
import { readSourceKey } from './source-keys.ts'
import { createPieceReader } from './source-pieces.ts'
import { serveSource } from './source-server.ts'
import type { SourceServer } from './source-server.ts'
import { openSourceObject } from './store-source.ts'
import type { WorkFolder } from './work-folder.ts'

/** A source that tools can read. */
export interface OpenSource {
  /** For `inputArguments`: a path, or an address on the loopback. */
  path: string
  sizeBytes: number
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
  const sizeBytes = await localBytes(folder)
  if (sizeBytes === null) return withShared(deps, folder, videoId, work, use)
  const path = folder.sourcePath
  try {
    return await use({ path, sizeBytes }, work)
  } catch (error) {
    // The step is retried, and then reads from object storage.
    if (error instanceof MediaError && (await localBytes(folder)) === null)
      throw new Error('the file of the source was removed from this machine', { cause: error })
    throw error
  }
}

const localBytes = ({ sourcePath }: WorkFolder): Promise<number | null> =>
  stat(sourcePath).then(
    ({ size }) => size,
    () => null,
  )

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
  videoId: string,
  work: MediaWork,
  use: (source: OpenSource, work: MediaWork) => Promise<T>,
): Promise<T> {
  const source = shared.get(folder.piecesPath) ?? share(deps, folder, videoId)
  const { signal: fault } = source.fault
  source.users += 1
  try {
    const { address, sizeBytes } = await source.opened
    const signal = AbortSignal.any([work.signal, fault])
    const result = await use({ path: address, sizeBytes }, { ...work, signal })
    fault.throwIfAborted()
    return result
  } catch (error) {
    throw fault.aborted && !work.signal.aborted ? fault.reason : error
  } finally {
    source.users -= 1
    if (source.users === 0) {
      forget(folder, source)
      await source.opened.then((served) => served.close()).catch(() => {})
    }
  }
}

function share(deps: Deps, folder: WorkFolder, videoId: string): SharedSource {
  const fault = new AbortController()
  const onFault = (error: unknown): void => {
    // The next attempt opens the source again.
    forget(folder, source)
    fault.abort(error)
  }
  const source: SharedSource = { users: 0, opened: open(deps, folder, videoId, onFault), fault }
  source.opened.catch(onFault)
  shared.set(folder.piecesPath, source)
  return source
}

function forget({ piecesPath }: WorkFolder, source: SharedSource): void {
  if (shared.get(piecesPath) === source) shared.delete(piecesPath)
}

async function open(
  deps: Deps,
  folder: WorkFolder,
  videoId: string,
  onFault: (error: unknown) => void,
): Promise<SourceServer & { sizeBytes: number }> {
  const key = await readSourceKey(deps, videoId)
  const stored = await openSourceObject(deps.storage, videoId, key)
  const { sizeBytes } = stored.layout
  const readPiece = createPieceReader(stored, folder)
  return { ...(await serveSource({ sizeBytes, readPiece, onFault })), sizeBytes }
}
