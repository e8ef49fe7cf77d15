import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { FILENAME_MAX_LENGTH } from '../../domain/limits.ts'
import { isNamedVideo, isOfSystem } from '../../domain/uploads/video-names.ts'
import { readSystemError } from '../../processes/system-error.ts'
import { compareNames } from '../compare-names.ts'
import { CliError } from '../errors.ts'

/** A file to upload. */
export interface LocalFile {
  path: string
  /** Its name at the service, from which its title is made: that of the folders above it is in front. */
  filename: string
  sizeBytes: number
  modifiedAt: Date
}

/**
 * Returns the files of these paths, and the videos of those that are folders, at all depths. Throws a CliError if one does not exist, or
 * contains no video.
 */
export async function collectFiles(paths: readonly string[]): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  for (const given of paths) {
    const path = resolve(given)
    const found = (await statOf(path, given)).isDirectory() ? await videosIn(path) : [path]
    if (found.length === 0) throw new CliError(`There is no video in ${given}.`)
    for (const one of found) {
      const { size, mtime } = await statOf(one, one)
      const name = one === path ? basename(path) : relative(path, one).replaceAll(sep, ' - ')
      const filename = name.slice(-FILENAME_MAX_LENGTH)
      files.push({ path: one, filename, sizeBytes: size, modifiedAt: mtime })
    }
  }
  return files
}

async function statOf(path: string, given: string) {
  try {
    return await stat(path)
  } catch (error) {
    throw new CliError(`${given} cannot be read: ${readSystemError(error).code ?? String(error)}`)
  }
}

/**
 * The videos of a folder, in the order of a person: 2 before 10. A file that is named itself is taken whatever its name is: its content
 * decides.
 */
async function videosIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !isOfSystem(entry.name) && isNamedVideo(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted(compareNames)
}
