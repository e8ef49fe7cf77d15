import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { packagerPath } from '../../media/packager.ts'
import { CliError } from '../errors.ts'
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
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(code === 'ENOENT' ? `${program} is not installed` : message)
  }
}
