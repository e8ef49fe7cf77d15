import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { readSystemError } from '../../processes/system-error.ts'

/** A file in the folder of a manifest. */
export interface LocalFile {
  /** Absolute, without links. */
  path: string
  sizeBytes: number
  modifiedMs: number
}

/**
 * Finds the file of a relative path in `base`. Returns what is wrong instead: there is none, it is no file, or a link leads out of the
 * folder.
 */
export async function findInside(base: string, relative: string): Promise<LocalFile | string> {
  try {
    const path = await realpath(join(base, relative))
    if (!isInside(path, await realpath(base))) return 'is a link that leaves the folder'
    const facts = await stat(path)
    if (!facts.isFile()) return 'is no file'
    return { path, sizeBytes: facts.size, modifiedMs: facts.mtimeMs }
  } catch (error) {
    const { code } = readSystemError(error)
    return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code || String(error)})`
  }
}

/** Whether an absolute path without links is in a folder, or is the folder. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
