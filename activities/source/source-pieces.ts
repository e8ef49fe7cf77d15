import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SourceCipherError } from '../../security/sealing/encrypted-source.ts'
import type { SealedPieces, StoredSource } from '../../security/sealing/stored-source.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'

/** Reads pieces of a source by number. */
export type ReadPiece = (index: number) => Promise<Buffer>

const RETRY_WAITS_MS = [250, 1_000]
/** Shorter than a tool may wait for its input, so that storage that hangs does not count as a fault of the file. */
const DEADLINE_MS = 60_000

/**
 * Reads pieces of a stored source and keeps them as files, encrypted as they are stored, so that this machine fetches each
 * once: all activities of this process share what is on its way, and other processes find the files. Two processes
 * that need the same piece in the same instant both fetch it. A source that is not encrypted is not kept.
 */
export function createPieceReader(source: StoredSource, folder: WorkFolder): ReadPiece {
  const onTheWay = new Map<number, Promise<Buffer>>()
  const { id, sealed } = source
  const read =
    id === null || sealed === null
      ? (index: number) => fetchPiece((one) => source.readPiece(one), index)
      : (index: number) => keptPiece(folder, folder.piecesPath(id), sealed, index)
  return (index) => {
    const running = onTheWay.get(index)
    if (running) return running
    const piece = read(index).finally(() => onTheWay.delete(index))
    onTheWay.set(index, piece)
    return piece
  }
}

async function keptPiece(
  folder: WorkFolder,
  piecesPath: string,
  sealed: SealedPieces,
  index: number,
): Promise<Buffer> {
  const path = join(piecesPath, String(index))
  const kept = await readKept(path, sealed, index)
  if (kept) return kept
  const body = await fetchPiece((one) => sealed.read(one), index)
  const piece = sealed.open(index, body)
  await mkdir(piecesPath, { recursive: true, mode: 0o700 })
  await keep(folder, path, body)
  return piece
}

/** A file that lost bytes when the machine lost its power does not open, and does not count. */
async function readKept(path: string, sealed: SealedPieces, index: number): Promise<Buffer | null> {
  const body = await readFile(path).catch(() => null)
  try {
    return body && sealed.open(index, body)
  } catch (error) {
    if (error instanceof SourceCipherError) return null
    throw error
  }
}

async function keep(folder: WorkFolder, path: string, piece: Buffer): Promise<void> {
  const temporary = join(folder.path, `piece.${crypto.randomUUID()}`)
  try {
    await writeFile(temporary, piece, { mode: 0o600 })
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function fetchPiece(read: ReadPiece, index: number): Promise<Buffer> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  const late = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error('object storage does not respond')))
  })
  return Promise.race([withRetries(read, index, deadline), late])
}

/** Tries again after a cut connection, because a tool that loses its input starts from the beginning. */
async function withRetries(read: ReadPiece, index: number, deadline: AbortSignal): Promise<Buffer> {
  for (const waitMs of RETRY_WAITS_MS) {
    try {
      return await read(index)
    } catch (error) {
      if (error instanceof SourceCipherError || deadline.aborted) throw error
      await sleep(waitMs)
    }
  }
  return read(index)
}
