import { execFile } from 'node:child_process'
import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packagerPath } from '../../media/packager.ts'
import { readSystemError } from '../../processes/system-error.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { formatBytes } from '../output.ts'
import { storageConfig } from '../storage-config.ts'
import { ANSWER_TIMEOUT_MS } from './check.ts'

const run = promisify(execFile)

/** Checks the major version of Node. */
export async function checkNode(): Promise<string> {
  const [major] = process.versions.node.split('.')
  if (Number(major) >= 24) return `v${process.versions.node}`
  throw new CliError(`v${process.versions.node} is too old: run it as npm run reelgate`)
}

const NEEDED_CODECS = ['libx264', 'aac']

/** Checks that ffmpeg and ffprobe are on the PATH, with the encoders that the ladder needs. */
export async function checkFfmpeg(): Promise<string> {
  const version = await firstLine('ffmpeg', ['-hide_banner', '-version'])
  await firstLine('ffprobe', ['-hide_banner', '-version'])
  const { stdout } = await run('ffmpeg', ['-hide_banner', '-encoders'], {
    timeout: ANSWER_TIMEOUT_MS,
    maxBuffer: 4 * 1024 * 1024,
  })
  const missing = NEEDED_CODECS.filter(
    (codec) => !new RegExp(`^ \\S+ ${codec}\\s`, 'm').test(stdout),
  )
  if (missing.length > 0) throw new CliError(`${version} lacks the encoder ${missing.join(', ')}`)
  return version
}

/** Checks Shaka Packager from its npm package. */
export async function checkPackager(): Promise<string> {
  return firstLine(packagerPath(), ['--version'])
}

async function firstLine(program: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await run(program, args, { timeout: ANSWER_TIMEOUT_MS })
    return stdout.trim().split('\n')[0] ?? ''
  } catch (error) {
    const { code, message } = readSystemError(error)
    throw new CliError(code === 'ENOENT' ? `${program} is not installed` : message)
  }
}

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
