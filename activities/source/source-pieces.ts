import { setTimeout as sleep } from 'node:timers/promises'
import { SourceCipherError } from '../../security/sealing/encrypted-source.ts'
import type { SealedPieces, StoredSource } from '../../security/sealing/stored-source.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { readKept, writeKept, type KeptPieces } from './kept-pieces.ts'

/** Reads pieces of a source by number. */
export type ReadPiece = (index: number) => Promise<Buffer>

const RETRY_WAITS_MS = [250, 1_000]
/** Shorter than a tool may wait for its input, so that storage that hangs does not count as a fault of the file. */
const DEADLINE_MS = 60_000

/** The pieces of a stored source, for one machine. */
interface PieceReader {
  readPiece: ReadPiece
  /** The pieces that this machine has; null for a source that is not encrypted, of which none is kept. */
  kept: KeptPieces | null
}

/**
 * Reads pieces of a stored source and keeps them as files, so that this machine fetches each once: all activities of this process
 * share what is on its way, and other processes find the files. Two processes that need the same piece in the same instant both
 * fetch it.
 */
export function createPieceReader(source: StoredSource, folder: WorkFolder): PieceReader {
  const onTheWay = new Map<number, Promise<Buffer>>()
  const { id, sealed, layout } = source
  const kept =
    id === null || sealed === null
      ? null
      : { path: folder.piecesPath(id), sizeBytes: layout.sizeBytes, of: sealed.of }
  const read =
    kept === null || sealed === null
      ? (index: number) => fetchPiece((one) => source.readPiece(one), index)
      : (index: number) => keptPiece(folder, kept, sealed, index)
  const readPiece = (index: number): Promise<Buffer> => {
    const running = onTheWay.get(index)
    if (running) return running
    const piece = read(index).finally(() => onTheWay.delete(index))
    onTheWay.set(index, piece)
    return piece
  }
  return { readPiece, kept }
}

async function keptPiece(
  folder: WorkFolder,
  kept: KeptPieces,
  sealed: SealedPieces,
  index: number,
): Promise<Buffer> {
  const known = await readKept(kept, index)
  if (known) return known
  const body = await fetchPiece((one) => sealed.read(one), index)
  const piece = sealed.open(index, body)
  await writeKept(folder, kept, index, body)
  return piece
}

/** The deadline ends with the piece: a timer of `AbortSignal.timeout` would run on, and keep the bytes in memory for as long. */
async function fetchPiece(read: ReadPiece, index: number): Promise<Buffer> {
  const deadline = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    deadline.abort()
    late.reject(new Error('object storage does not respond'))
  }, DEADLINE_MS)
  try {
    return await Promise.race([withRetries(read, index, deadline.signal), late.promise])
  } finally {
    clearTimeout(timer)
  }
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
