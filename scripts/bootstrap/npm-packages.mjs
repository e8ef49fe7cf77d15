import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './commands.mjs'
import { pinnedNode, projectDir } from './environment.mjs'
import { say, withProgress } from './report.mjs'

const lockFile = join(projectDir, 'package-lock.json')
// npm writes this one last, so it is there only after a whole installation.
const installedLock = join(projectDir, 'node_modules', '.package-lock.json')

/** Installs the npm packages, the pinned Node among them, unless node_modules fits the lock file. */
export async function ensureNpmPackages() {
  if (existsSync(pinnedNode) && existsSync(installedLock) && isUpToDate()) return
  await withProgress('npm packages (npm ci, once)', install)
}

async function install() {
  // The packages ask for the Node that they bring themselves; npm only warns about the older one.
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    await runCommand('npm', ['ci', ...flags], { cwd: projectDir })
  } catch (error) {
    if (!error.message.includes('EUSAGE')) throw error
    // npm ci refuses a lock file that lacks packages of other platforms; npm install fills the gap.
    say('  package-lock.json is not complete for this npm: installing with npm install')
    await runCommand('npm', ['install', '--no-save', ...flags], { cwd: projectDir })
  }
}

// By content: a checkout or a merge touches the file's time without changing what it asks for.
function isUpToDate() {
  const installed = packagesOf(installedLock)
  return Object.entries(packagesOf(lockFile)).every(
    ([place, { version, optional, devOptional }]) => {
      if (place === '') return true
      const found = installed[place]
      return found ? found.version === version : Boolean(optional || devOptional)
    },
  )
}

const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages
