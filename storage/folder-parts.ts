import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './contract.ts'
import type { PartialObjects } from './contract.ts'

interface Folder {
  /** Of files that are not objects yet. */
  temporary: string
  /** The path of an object. */
  pathOf: (key: string) => string
  /** Flushes the file at the first path, and renames it to the second one. */
  publish: (from: string, to: string) => Promise<void>
}

/** Objects in parts of a folder: each is a file that grows. */
export function folderPartialObjects({ temporary, pathOf, publish }: Folder): PartialObjects {
  const fileOf = (id: string): string => join(temporary, id)
  return {
    async begin() {
      const id = randomUUID()
      await mkdir(temporary, { recursive: true })
      await (await open(fileOf(id), 'wx', 0o600)).close()
      return id
    },
    async resume(_key, id, { sizeBytes, mayWrite }) {
      if (!mayWrite) {
        await truncate(fileOf(id), sizeBytes)
        return id
      }
      const taken = randomUUID()
      await copyFile(fileOf(id), fileOf(taken), constants.COPYFILE_FICLONE)
      await truncate(fileOf(taken), sizeBytes)
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
        if (codeOf(error) !== 'ENOENT') throw error
        // An earlier call has renamed it, and its process has ended before it knew.
        const { size } = await stat(pathOf(key))
        if (size !== sizeBytes) throw error
      }
    },
    abort: (_key, id) => rm(fileOf(id), { force: true }),
  }
}
