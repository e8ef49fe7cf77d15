import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** The file system of the worker's scratch folder. */
export interface Scratch {
  /** Takes the rest of its space; null where it is not a file system of its own. */
  fill: (() => Promise<void>) | null
  free: () => Promise<void>
  close: () => Promise<void>
}

const SIZE = '256m'
const BLOCK_BYTES = 1024 * 1024
const OUT_OF_SPACE = 'ENOSPC'

/** Puts a small file system in memory at `folder`. Needs root; otherwise the folder stays as it is. */
export async function openScratch(folder: string): Promise<Scratch> {
  const filler = join(folder, '.filler')
  const free = (): Promise<void> => rm(filler, { force: true })
  const { exitCode } = await execa(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder],
    {
      reject: false,
    },
  )
  if (exitCode !== 0) return { fill: null, free, close: async () => {} }
  return {
    fill: () => fillDisk(folder, filler),
    free,
    async close() {
      // Lazily: a process that ends may still have a file open.
      await execa('umount', ['--lazy', folder])
    },
  }
}

async function fillDisk(folder: string, filler: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const file = await open(filler, 'w')
  try {
    const block = Buffer.alloc(BLOCK_BYTES)
    // One block more than is free.
    for (let left = bavail * bsize + BLOCK_BYTES; left > 0; left -= BLOCK_BYTES)
      await file.write(block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== OUT_OF_SPACE) throw error
  } finally {
    await file.close()
  }
}
