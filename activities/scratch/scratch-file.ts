import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkFolder } from './work-folder.ts'

/** A file that one activity makes and removes. */
export interface ScratchFile {
  /** For this process and its tools. Tools overwrite the file, which exists. */
  path: string
  /** The file is gone when all who have opened it have closed it. */
  remove(): Promise<void>
}

/** Whether another process can open what this one has opened (Linux). */
const HAS_OPEN_FILES = existsSync('/proc/self/fd')

/**
 * Makes an empty file, for plain media. On Linux it has no name: it is opened through this process, and no process leaves it behind, however
 * it ends (ADR 0055).
 */
export async function newFile(folder: WorkFolder, name: string): Promise<ScratchFile> {
  const path = join(folder.path, `${name}.${randomUUID()}.mp4`)
  const file = await open(path, 'wx+', 0o600)
  if (HAS_OPEN_FILES) await rm(path)
  return {
    path: HAS_OPEN_FILES ? `/proc/${process.pid}/fd/${file.fd}` : path,
    async remove() {
      await file.close()
      if (!HAS_OPEN_FILES) await rm(path, { force: true })
    },
  }
}
