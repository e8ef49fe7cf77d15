import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  layoutOf,
  openPiece,
  SourceCipherError,
  type PieceOpener,
} from '../../security/sealing/encrypted-source.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'

/** The pieces of a source that this machine has fetched: a folder with a file for each, encrypted as it is stored. */
export interface KeptPieces {
  path: string
  /** Of the source. */
  sizeBytes: number
  of: PieceOpener
}

const pathOf = ({ path }: KeptPieces, index: number): string => join(path, String(index))

/**
 * Returns piece `index` (from 0), decrypted; null if this machine does not have it. A file that lost bytes when the machine lost
 * its power does not open, and does not count.
 */
export async function readKept(kept: KeptPieces, index: number): Promise<Buffer | null> {
  const sealed = await readFile(pathOf(kept, index)).catch(() => null)
  try {
    return sealed && openPiece(kept.of, layoutOf(kept.sizeBytes), index, sealed)
  } catch (error) {
    if (error instanceof SourceCipherError) return null
    throw error
  }
}

/** Keeps piece `index` as it is stored. */
export async function writeKept(
  folder: WorkFolder,
  kept: KeptPieces,
  index: number,
  sealed: Buffer,
): Promise<void> {
  await mkdir(kept.path, { recursive: true, mode: 0o700 })
  const temporary = join(folder.path, `piece.${crypto.randomUUID()}`)
  try {
    await writeFile(temporary, sealed, { mode: 0o600 })
    await rename(temporary, pathOf(kept, index))
  } finally {
    await rm(temporary, { force: true })
  }
}
