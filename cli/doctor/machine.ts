import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { formatBytes } from '../output.ts'
import { storageConfig } from './services.ts'

/** The space that a source and its renditions need. */
const FREE_MIN_BYTES = 2 * 1024 ** 3

/** Checks the free space for state, objects and scratch files. */
export async function checkDisk(context: Context): Promise<string> {
  const { config, dataDir } = context
  const storage = storageConfig(context)
  const isOwnWorkDir = config.WORK_DIR !== join(config.REELGATE_DATA_DIR, 'work')
  const folders = new Set([
    dataDir,
    isOwnWorkDir ? config.WORK_DIR : join(dataDir, 'work'),
    ...(storage.driver === 'folder' ? [storage.dir] : []),
  ])
  const places = await Promise.all([...folders].map(measure))
  const full = places.filter(({ freeBytes }) => freeBytes < FREE_MIN_BYTES)
  if (full.length > 0)
    throw new CliError(`${full.map(describe).join(', ')}: free some space, at least 2 GiB`)
  // Folders on one disk share its space.
  const disks = new Map(places.map((place) => [place.disk, place]))
  return [...disks.values()].map(describe).join(', ')
}

const describe = ({ folder, freeBytes }: { folder: string; freeBytes: number }): string =>
  `${formatBytes(freeBytes)} free in ${folder}`

async function measure(folder: string) {
  const present = await nearestExisting(folder)
  const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(present), stat(present)])
  return { folder, freeBytes: bavail * bsize, disk: dev }
}

/** Returns the folder, or its nearest existing parent. */
async function nearestExisting(folder: string): Promise<string> {
  const isPresent = await stat(folder).then(
    () => true,
    () => false,
  )
  return isPresent || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}
