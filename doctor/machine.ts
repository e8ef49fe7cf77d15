import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bareExeca } from '../child-process.ts'
import { formatBytes } from '../domain/format-bytes.ts'
import { packagerPath } from '../media/package/packager.ts'
import { readSystemError } from '../processes/system-error.ts'
import { Advice } from './advice.ts'
import { RESPONSE_TIMEOUT_MS } from './check.ts'
import type { Installation } from './installation.ts'

/** Checks the major version of Node. */
export async function checkNode(): Promise<string> {
  const [major] = process.versions.node.split('.')
  if (Number(major) >= 24) return `v${process.versions.node}`
  throw new Advice(`v${process.versions.node} is too old: run it as npm run reelgate`)
}

const NEEDED_CODECS = ['libx264', 'aac']

/** Checks that ffmpeg and ffprobe are on the PATH, with the encoders that the ladder needs. */
export async function checkFfmpeg(): Promise<string> {
  const version = await firstLine('ffmpeg', ['-hide_banner', '-version'])
  await firstLine('ffprobe', ['-hide_banner', '-version'])
  const { stdout } = await bareExeca()('ffmpeg', ['-hide_banner', '-encoders'], {
    timeout: RESPONSE_TIMEOUT_MS,
  })
  const missing = NEEDED_CODECS.filter(
    (codec) => !new RegExp(`^ \\S+ ${codec}\\s`, 'm').test(stdout),
  )
  if (missing.length > 0) throw new Advice(`${version} lacks the encoder ${missing.join(', ')}`)
  return version
}

/** Checks Shaka Packager from its npm package. */
export async function checkPackager(): Promise<string> {
  return firstLine(packagerPath(), ['--version'])
}

async function firstLine(program: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await bareExeca()(program, args, { timeout: RESPONSE_TIMEOUT_MS })
    return stdout.trim().split('\n')[0] ?? ''
  } catch (error) {
    const { code, message } = readSystemError(error)
    throw new Advice(code === 'ENOENT' ? `${program} is not installed` : message)
  }
}

/** The space that a source and its renditions need. */
const FREE_MIN_BYTES = 2 * 1024 ** 3

/** Checks the free space for state, objects and scratch files. */
export async function checkDisk(installation: Installation): Promise<string> {
  const places = await measureDisks(installation)
  const full = places.filter(({ freeBytes }) => freeBytes < FREE_MIN_BYTES)
  if (full.length > 0)
    throw new Advice(`${full.map(describe).join(', ')}: free some space, at least 2 GiB`)
  return places.map(describe).join(', ')
}

/** The space of a disk of this machine, by one of the folders on it. */
export interface DiskSpace {
  folder: string
  freeBytes: number
  sizeBytes: number
  /** Less than a source and its renditions need. */
  isLow: boolean
}

/** Reads the space for state, objects and scratch files. Folders on one disk share its space, and are one. */
export async function measureDisks({
  config,
  dataDir,
  storage,
}: Installation): Promise<DiskSpace[]> {
  const isOwnWorkDir = config.WORK_DIR !== join(config.REELGATE_DATA_DIR, 'work')
  const folders = new Set([
    dataDir,
    isOwnWorkDir ? config.WORK_DIR : join(dataDir, 'work'),
    ...(storage?.driver === 'folder' ? [storage.dir] : []),
  ])
  const places = await Promise.all([...folders].map(measure))
  return [...new Map(places.map(({ disk, ...place }) => [disk, place])).values()]
}

const describe = ({ folder, freeBytes }: DiskSpace): string =>
  `${formatBytes(freeBytes)} free in ${folder}`

async function measure(folder: string): Promise<DiskSpace & { disk: number }> {
  const present = await nearestExisting(folder)
  const [{ bavail, blocks, bsize }, { dev }] = await Promise.all([statfs(present), stat(present)])
  const freeBytes = bavail * bsize
  const isLow = freeBytes < FREE_MIN_BYTES
  return { folder, freeBytes, sizeBytes: blocks * bsize, isLow, disk: dev }
}

/** Returns the folder, or its nearest existing parent. */
async function nearestExisting(folder: string): Promise<string> {
  const isPresent = await stat(folder).then(
    () => true,
    () => false,
  )
  return isPresent || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}
