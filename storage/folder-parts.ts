import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { cloneOrCopy } from './clone-or-copy.ts'
import { storageErrorCode, type PartialObjects } from './contract.ts'

interface Folder {
  /** Of files that are not objects yet. */
  temporary: string
  /** The path of an object. */
  pathOf: (key: string) => string
  /** Flushes the file at the first path, and renames it to the second one. */
  publish: (from: string, to: string) => Promise<void>
}

/** Keys have no plus. */
const flat = (key: string): string => key.replaceAll('/', '+')

/** Returns whether `id` is that of an object whose key begins with `prefix`. */
export const isPartialUnder = (prefix: string, id: string): boolean => id.startsWith(flat(prefix))

/** Objects in parts of a folder: each is a file that grows, and is named after its key. */
export function folderPartialObjects({ temporary, pathOf, publish }: Folder): PartialObjects {
  const fileOf = (id: string): string => join(temporary, id)
  const newId = (key: string): string => `${flat(key)}+${randomUUID()}`
  return {
    async begin(key) {
      const id = newId(key)
      await mkdir(temporary, { recursive: true })
      await (await open(fileOf(id), 'wx', 0o600)).close()
      return id
    },
    async resume(key, id, { sizeBytes, mayWrite }, onProgress) {
      if (!mayWrite) {
        await truncate(fileOf(id), sizeBytes)
        return id
      }
      const taken = newId(key)
      try {
        await copyStart(fileOf(id), fileOf(taken), sizeBytes, onProgress)
      } catch (error) {
        // A full disk would stay full.
        await rm(fileOf(taken), { force: true })
        throw error
      }
      return taken
    },
    async put(_key, id, { startByte }, body) {
      const file = await open(fileOf(id), 'r+')
      try {
        for (let at = 0; at < body.length;)
          at += (await file.write(body, at, body.length - at, startByte + at)).bytesWritten
        await file.datasync()
      } finally {
        await file.close()
      }
      return ''
    },
    async join(key, id, parts) {
      const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
      try {
        await truncate(fileOf(id), sizeBytes)
        await publish(fileOf(id), pathOf(key))
      } catch (error) {
        if (storageErrorCode(error) !== 'ENOENT') throw error
        // An earlier call has renamed it, and its process has ended before it knew.
        const { size } = await stat(pathOf(key))
        if (size !== sizeBytes) throw error
      }
    },
    abort: (_key, id) => rm(fileOf(id), { force: true }),
  }
}

/** Copies the first `sizeBytes` of a file. */
async function copyStart(
  from: string,
  to: string,
  sizeBytes: number,
  onProgress?: () => void,
): Promise<void> {
  await cloneOrCopy(from, to, onProgress)
  const file = await open(to, 'r+')
  try {
    await file.truncate(sizeBytes)
    // What was recorded of the file before outlives the loss of power in this one too.
    await file.datasync()
  } finally {
    await file.close()
  }
}
