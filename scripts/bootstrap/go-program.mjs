import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from './environment.mjs'
import { findProgram, runCommand } from './commands.mjs'
import { SetupError } from './report.mjs'

/**
 * Builds `packagePath` with the project's Go module in `moduleDir` into the file `output`. The
 * module's go.sum pins every source file.
 */
export async function buildGoProgram({
  moduleDir,
  packagePath,
  output,
  linkerFlags = '',
  tags = '',
}) {
  const go = findProgram('go') ?? officialInstallation()
  if (!go) {
    throw new SetupError(
      `Go is needed to build ${packagePath}: install it (https://go.dev/dl), then run this again`,
    )
  }
  const flags = [
    '-trimpath',
    '-buildvcs=false',
    '-mod=readonly',
    `-tags=${tags}`,
    `-ldflags=-s -w ${linkerFlags}`,
  ]
  await runCommand(go, ['build', ...flags, '-o', output, packagePath], {
    cwd: join(projectDir, moduleDir),
    env: { CGO_ENABLED: '0', GOWORK: 'off' },
  })
}

// The official installer does not add this folder to the PATH.
function officialInstallation() {
  const path = '/usr/local/go/bin/go'
  return existsSync(path) ? path : null
}
