import { open, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { layoutOf, pieceSizeOf } from '../../security/sealing/encrypted-source.ts'
import { scratchCipher } from '../../security/sealing/scratch-cipher.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'

/** The file of a source on the machine that downloaded it, encrypted (ADR 0055). */
export interface LocalSource {
  path: string
  sizeBytes: number
  /** That of the source. */
  key: Uint8Array
  salt: string
}

/** The salt of the file stands in its name. Workers of the release before look for a name without one. */
const nameOf = (sourceId: string, salt: string): string => `source-${sourceId}.${salt}`

/** Keeps a received file, which is encrypted with `salt`, as that of the source with this id. */
export const keepLocal = (
  folder: WorkFolder,
  receivedPath: string,
  { sourceId, salt }: { sourceId: string; salt: string },
): Promise<void> => rename(receivedPath, join(folder.shared, nameOf(sourceId, salt)))

/** Finds the file of the source with this id; null if this machine has none. A file of another download is not the source. */
export async function findLocal(
  { shared }: WorkFolder,
  sourceId: string,
  key: Uint8Array,
): Promise<LocalSource | null> {
  const start = nameOf(sourceId, '')
  const name = (await readdir(shared)).find((one) => one.startsWith(start))
  if (name === undefined) return null
  const path = join(shared, name)
  const facts = await stat(path).catch(() => null)
  return facts && { path, sizeBytes: facts.size, key, salt: name.slice(start.length) }
}

/** Returns piece `index` (from 0), decrypted; null if the file was removed, or has lost bytes. */
export async function readLocal(
  { path, sizeBytes, key, salt }: LocalSource,
  index: number,
): Promise<Buffer | null> {
  const offset = index * PIECE_BYTES
  const bytes = await readAt(path, offset, pieceSizeOf(layoutOf(sizeBytes), index))
  return bytes && scratchCipher(key, salt, offset)(bytes)
}

async function readAt(path: string, offset: number, length: number): Promise<Buffer | null> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return null
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, offset)
    return bytesRead === length ? buffer : null
  } finally {
    await file.close()
  }
}
