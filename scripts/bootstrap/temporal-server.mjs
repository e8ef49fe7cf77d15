import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { download } from './download.mjs'
import { buildGoProgram } from './go-program.mjs'
import { installOnce } from './install-once.mjs'
import { say, SetupError } from './report.mjs'

const VERSION = '1.5.1'
const RELEASES = 'https://github.com/temporalio/cli/releases/download'
const SHA256 = {
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
}
const ANSWER_MS = 5_000

/**
 * Returns the path of the `temporal` program (command line and development server): from the PATH if
 * it is recent enough, else from the cache, else the official release, else built from source.
 */
export async function ensureTemporalServer() {
  const installed = findProgram('temporal')
  if (installed && (await isRecentEnough(installed))) return installed
  const folder = await installOnce(`temporal-${VERSION}`, TITLE, async (into) => {
    if (await downloadRelease(into)) return
    await buildGoProgram({
      moduleDir: 'temporal/dev-server',
      packagePath: 'github.com/temporalio/cli/cmd/temporal',
      output: join(into, 'temporal'),
      linkerFlags: `-X github.com/temporalio/cli/temporalcli.Version=${VERSION}`,
    })
  })
  return join(folder, 'temporal')
}

const TITLE = 'Temporal server (built from source, once: about three minutes on two cores)'

// Fair scheduling between accounts needs server 1.29, which is part of command line 1.5.
async function isRecentEnough(path) {
  try {
    const output = await runCommand(path, ['--version'], { timeoutMs: 10_000 })
    const [, major = '0', minor = '0'] = /Server (\d+)\.(\d+)/.exec(output) ?? []
    const recent = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 29)
    if (!recent) say(`  ${path} is older than server 1.29: using another one`)
    return recent
  } catch {
    return false
  }
}

async function downloadRelease(into) {
  const platform = `${process.platform}-${process.arch}`
  const sha256 = SHA256[platform]
  if (!sha256) return false
  const name = `temporal_cli_${VERSION}_${platform.replace('-', '_').replace('x64', 'amd64')}.tar.gz`
  const archive = join(into, name)
  try {
    await download(`${RELEASES}/v${VERSION}/${name}`, archive, { sha256, answerMs: ANSWER_MS })
    await runCommand('tar', ['-xzf', archive, '-C', into, 'temporal'])
    rmSync(archive)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    say('  the official Temporal release is not reachable here: building it from source')
    return false
  }
  return existsSync(join(into, 'temporal'))
}
