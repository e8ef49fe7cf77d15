import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './commands.mjs'
import { npmCacheVariables, pinnedNode, projectDir } from './environment.mjs'
import { say, withProgress } from './report.mjs'

const lockFile = join(projectDir, 'package-lock.json')
// npm writes this file last, so it exists only after a complete installation.
const installedLock = join(projectDir, 'node_modules', '.package-lock.json')

/** Installs the npm packages, including the pinned Node, unless node_modules matches the lock file. */
export async function ensureNpmPackages() {
  if (existsSync(pinnedNode) && existsSync(installedLock) && isUpToDate()) return
  await withProgress('npm packages (npm ci, once)', install)
}

async function install() {
  // The packages require the Node that they install; npm only warns about an older one.
  const options = { cwd: projectDir, env: npmCacheVariables() }
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    await runCommand('npm', ['ci', ...flags], options)
  } catch (error) {
    if (!error.message.includes('EUSAGE')) throw error
    // npm ci refuses a lock file without the packages of other platforms; npm install adds them.
    say('  package-lock.json is not complete for this npm: installing with npm install')
    await runCommand('npm', ['install', '--no-save', ...flags], options)
  }
}

// Compares contents, because a checkout or merge changes the file's time.
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
