import { stat } from 'node:fs/promises'
import { MediaError } from '../media/media-error.ts'
import type { MediaWork } from '../media/run-tool.ts'
import type { StoredSource } from '../security/stored-source.ts'
import { createPieceReader } from './source-pieces.ts'
import { serveSource } from './source-server.ts'
import type { SourceServer } from './source-server.ts'
import type { WorkFolder } from './work-folder.ts'

/** A file that is stored in pieces: a source, or the copy of its picture. */
export interface StoredFile {
  /** Names what is stored; null for a source that is not encrypted. */
  id: string | null
  /** Throws unless that is what is stored. */
  open: () => Promise<StoredSource>
}

/** A file that tools can read. */
export interface OpenFile {
  /** For `inputArguments`: a path, or an address on the loopback. */
  path: string
  sizeBytes: number
}

type Use<T> = (file: OpenFile, work: MediaWork) => Promise<T>

/**
 * Calls `use` with a stored file. A machine that has it reads it there; every other machine reads from object storage the
 * pieces that its tools ask for, each once. `use` gets the work with a signal that also aborts when a piece cannot
 * be read. That is an internal error, also if the tool took it for the end of the file.
 */
export async function withStored<T>(
  folder: WorkFolder,
  stored: StoredFile,
  work: MediaWork,
  use: Use<T>,
): Promise<T> {
  const local = await findLocal(folder, stored.id)
  if (!local) return withShared(folder, stored, work, use)
  try {
    return await use(local, work)
  } catch (error) {
    // The step is retried, and then reads from object storage.
    if (error instanceof MediaError && (await findLocal(folder, stored.id)) === null)
      throw new Error('the file of the source was removed from this machine', { cause: error })
    throw error
  }
}

/** The file of what is recorded as stored. A file of another download is not the source. */
async function findLocal(folder: WorkFolder, id: string | null): Promise<OpenFile | null> {
  if (id === null) return null
  const path = folder.sourcePath(id)
  const facts = await stat(path).catch(() => null)
  return facts && { path, sizeBytes: facts.size }
}

/** A stored file that several activities of this process read at the same time. */
interface SharedFile {
  users: number
  opened: Promise<SourceServer & { sizeBytes: number }>
  /** Aborts, with the error as its reason, when a piece cannot be read. */
  fault: AbortController
}

/** By the path of the pieces. One address for all activities also lets them share an encoder. */
const shared = new Map<string, SharedFile>()

async function withShared<T>(
  folder: WorkFolder,
  stored: StoredFile,
  work: MediaWork,
  use: Use<T>,
): Promise<T> {
  const piecesPath = folder.piecesPath(stored.id)
  const file = shared.get(piecesPath) ?? share(folder, piecesPath, stored)
  const { signal: fault } = file.fault
  file.users += 1
  try {
    const { address, sizeBytes } = await file.opened
    const signal = AbortSignal.any([work.signal, fault])
    const result = await use({ path: address, sizeBytes }, { ...work, signal })
    fault.throwIfAborted()
    return result
  } catch (error) {
    throw fault.aborted && !work.signal.aborted ? fault.reason : error
  } finally {
    file.users -= 1
    if (file.users === 0) {
      forget(piecesPath, file)
      await file.opened.then((served) => served.close()).catch(() => {})
    }
  }
}

function share(folder: WorkFolder, piecesPath: string, stored: StoredFile): SharedFile {
  const fault = new AbortController()
  const onFault = (error: unknown): void => {
    // The next attempt opens the file again.
    forget(piecesPath, file)
    fault.abort(error)
  }
  const file: SharedFile = { users: 0, opened: serve(folder, stored, onFault), fault }
  file.opened.catch(onFault)
  shared.set(piecesPath, file)
  return file
}

function forget(piecesPath: string, file: SharedFile): void {
  if (shared.get(piecesPath) === file) shared.delete(piecesPath)
}

async function serve(
  folder: WorkFolder,
  { open }: StoredFile,
  onFault: (error: unknown) => void,
): Promise<SourceServer & { sizeBytes: number }> {
  const stored = await open()
  const { sizeBytes } = stored.layout
  const readPiece = createPieceReader(stored, folder)
  return { ...(await serveSource({ sizeBytes, readPiece, onFault })), sizeBytes }
}
