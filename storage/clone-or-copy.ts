import { constants, createWriteStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { readWithProgress } from './read-with-progress.ts'

/** Clones a file where the file system can, else copies it. Calls `onProgress` with each chunk of a copy. */
export async function cloneOrCopy(
  from: string,
  to: string,
  onProgress?: () => void,
): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE).catch(async () => {
    const { mode } = await stat(from)
    await pipeline(readWithProgress(from, onProgress), createWriteStream(to, { mode }))
  })
}
