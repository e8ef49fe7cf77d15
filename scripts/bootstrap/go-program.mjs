import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from './environment.mjs'
import { findProgram, runCommand } from './commands.mjs'
import { SetupError } from './report.mjs'

/**
 * Builds `packagePath` out of the project's module in `moduleDir` into the file `output`. The
 * module's go.sum pins every source file, so the result is what the repository says it is.
 */
export async function buildGoProgram({ moduleDir, packagePath, output, linkerFlags = '' }) {
  const go = findProgram('go') ?? officialInstallation()
  if (!go) {
    throw new SetupError(
      `Go is needed to build ${packagePath}: install it (https://go.dev/dl), then run this again`,
    )
  }
  const flags = ['-trimpath', '-buildvcs=false', '-mod=readonly', `-ldflags=-s -w ${linkerFlags}`]
  await runCommand(go, ['build', ...flags, '-o', output, packagePath], {
    cwd: join(projectDir, moduleDir),
    env: { CGO_ENABLED: '0', GOWORK: 'off' },
  })
}

// Where go.dev's own installer puts it, which few put on the PATH of every shell.
function officialInstallation() {
  const path = '/usr/local/go/bin/go'
  return existsSync(path) ? path : null
}
