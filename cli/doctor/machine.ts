import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { formatBytes } from '../output.ts'
import { storageConfig } from './services.ts'

/** Less is not enough for the source and the renditions of a film. */
const FREE_MIN_BYTES = 2 * 1024 ** 3

/** There is room where this installation keeps its state, its objects and its scratch files. */
export async function checkDisk(context: Context): Promise<string> {
  const { config, dataDir } = context
  const storage = storageConfig(context)
  const isOwnWorkDir = config.WORK_DIR !== join(config.REELGATE_DATA_DIR, 'work')
  const folders = new Set([
    ...[dataDir, isOwnWorkDir ? config.WORK_DIR : join(dataDir, 'work')],
    ...(storage.driver === 'folder' ? [storage.dir] : []),
  ])
  const places = await Promise.all([...folders].map(measure))
  const full = places.filter(({ freeBytes }) => freeBytes < FREE_MIN_BYTES)
  if (full.length > 0)
    throw new CliError(`${full.map(inWords).join(', ')}: make room, 2 GiB at least`)
  // Folders on one disk have the same room.
  const disks = new Map(places.map((place) => [place.disk, place]))
  return [...disks.values()].map(inWords).join(', ')
}

const inWords = ({ folder, freeBytes }: { folder: string; freeBytes: number }): string =>
  `${formatBytes(freeBytes)} free in ${folder}`

async function measure(folder: string) {
  const present = await nearestPresent(folder)
  const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(present), stat(present)])
  return { folder, freeBytes: bavail * bsize, disk: dev }
}

/** The folder itself, or the one that it will be made in. */
async function nearestPresent(folder: string): Promise<string> {
  const isPresent = await stat(folder).then(
    () => true,
    () => false,
  )
  return isPresent || dirname(folder) === folder ? folder : nearestPresent(dirname(folder))
}
