import { basename, join } from 'node:path'
import type { MediaWork } from '../../media/run-tool.ts'
import type { StoredSource } from '../../security/sealing/stored-source.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { findLocal } from './local-source.ts'
import { serveInThread } from './serve-in-thread.ts'
import { createPieceReader } from './source-pieces.ts'
import type { SourceServer } from './source-server.ts'

/** A file that is stored in pieces: a source, or the copy of its picture. */
export interface StoredFile {
  /** Names what is stored; null for a source that is not encrypted. */
  id: string | null
  /** That of the source; null if it is not encrypted. */
  key: Buffer | null
  /** Throws unless that is what is stored. */
  open: () => Promise<StoredSource>
}

/** A file that tools can read. */
export interface OpenFile {
  /** For `inputArguments`: an address on the loopback. */
  path: string
  sizeBytes: number
}

/** A stored file that several activities of this process read at the same time. */
interface SharedFile {
  users: number
  opened: Promise<SourceServer & { sizeBytes: number }>
  /** Aborts, with the error as its reason, when a piece cannot be read. */
  fault: AbortController
}

/** By the folder of the video and the id of the file. One address for all activities also lets them share an encoder. */
const shared = new Map<string, SharedFile>()

/**
 * Calls `use` with a stored file, decrypted. A machine that has it reads its file; every other machine reads from object storage the
 * pieces that its tools ask for, each once. `use` gets the work with a signal that also aborts when a piece cannot
 * be read. That is an internal error, also if the tool took it for the end of the file.
 */
export async function withStored<T>(
  folder: WorkFolder,
  stored: StoredFile,
  work: MediaWork,
  use: (file: OpenFile, work: MediaWork) => Promise<T>,
): Promise<T> {
  const name = join(folder.shared, stored.id ?? 'plain')
  const file = shared.get(name) ?? share(folder, name, stored)
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
      forget(name, file)
      await file.opened.then((served) => served.close()).catch(() => {})
    }
  }
}

function share(folder: WorkFolder, name: string, stored: StoredFile): SharedFile {
  const fault = new AbortController()
  const onFault = (error: unknown): void => {
    // The next attempt opens the file again.
    forget(name, file)
    fault.abort(error)
  }
  const file: SharedFile = { users: 0, opened: serve(folder, stored, onFault), fault }
  file.opened.catch(onFault)
  shared.set(name, file)
  return file
}

function forget(name: string, file: SharedFile): void {
  if (shared.get(name) === file) shared.delete(name)
}

async function serve(
  folder: WorkFolder,
  { id, key, open }: StoredFile,
  onFault: (error: unknown) => void,
): Promise<SourceServer & { sizeBytes: number }> {
  const local = id !== null && key ? await findLocal(folder, id, key) : null
  let opening: ReturnType<typeof openRemote> | undefined
  const remote = () => (opening ??= openRemote(folder, open))
  const { sizeBytes, kept = null } = local ? { sizeBytes: local.sizeBytes } : await remote()
  const readPiece = async (index: number): Promise<Buffer> => (await remote()).readPiece(index)
  const order = { name: basename(folder.shared), sizeBytes, local, kept }
  return { ...(await serveInThread(order, { readPiece, onFault })), sizeBytes }
}

async function openRemote(folder: WorkFolder, open: StoredFile['open']) {
  const stored = await open()
  return { sizeBytes: stored.layout.sizeBytes, ...createPieceReader(stored, folder) }
}
