import { join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { buildGoProgram } from './go-program.mjs'
import { installOnce } from './install-once.mjs'
import { say } from './report.mjs'

// The server is newer than that of the release: docker-compose.yml runs the same one.
const VERSION = '1.9.1'
const SERVER_VERSION = '1.32.1'

/**
 * Returns the path of the `temporal` program (command line and development server): from the PATH if
 * it is recent enough, else from the cache, else built from source.
 */
export async function ensureTemporalServer() {
  const installed = findProgram('temporal')
  if (installed && (await isRecentEnough(installed))) return installed
  const name = `temporal-${VERSION}-server-${SERVER_VERSION}`
  const folder = await installOnce(name, TITLE, (into) =>
    buildGoProgram({
      moduleDir: 'temporal/dev-server',
      packagePath: 'github.com/temporalio/cli/cmd/temporal',
      output: join(into, 'temporal'),
      linkerFlags: `-X github.com/temporalio/cli/internal/temporalcli.Version=${VERSION}`,
    }),
  )
  return join(folder, 'temporal')
}

const TITLE = 'Temporal server (built from source, once: about three minutes on two cores)'

// Of the version that the tests run, apart from its patch.
async function isRecentEnough(path) {
  try {
    const output = await runCommand(path, ['--version'], { timeoutMs: 10_000 })
    const [, major = '0', minor = '0'] = /Server (\d+)\.(\d+)/.exec(output) ?? []
    const recent = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 32)
    if (!recent) say(`  ${path} is older than server 1.32: using another one`)
    return recent
  } catch {
    return false
  }
}
