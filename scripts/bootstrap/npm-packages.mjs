import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './commands.mjs'
import { npmCacheVariables, projectDir } from './environment.mjs'
import { withLock } from './lock.mjs'
import { say, withProgress } from './report.mjs'

/**
 * Installs what is missing of the npm packages, including the pinned Node, in `folder`. Without `withDevelopment` the
 * packages that only tests and tools use are not needed; those that are there stay. Packages that match the lock file
 * stay in place, because a service may run with them. Concurrent bootstraps do not run npm at the same time.
 */
export async function ensureNpmPackages({ withDevelopment, folder = projectDir }) {
  if (isComplete(folder, withDevelopment)) return
  const title = withDevelopment ? 'npm packages' : 'npm packages (without those of tests)'
  // Not in node_modules, which npm ci deletes.
  mkdirSync(join(folder, '.cache'), { recursive: true })
  await withLock(
    join(folder, '.cache', 'npm.lock'),
    title,
    () => isComplete(folder, withDevelopment),
    () => withProgress(title, () => install(folder, withDevelopment)),
  )
}

async function install(folder, withDevelopment) {
  const hasDevelopment = Object.values(installedIn(folder)).some(({ dev }) => dev)
  // npm removes the packages that it is told to omit.
  const kinds = withDevelopment || hasDevelopment ? '--include=dev' : '--omit=dev'
  // The packages require the Node that they install; npm only warns about an older one.
  const flags = [kinds, '--no-audit', '--no-fund', '--loglevel=error']
  const npm = (...args) =>
    runCommand('npm', [...args, ...flags], { cwd: folder, env: npmCacheVariables() })
  // npm ci deletes node_modules first.
  if (hasInstallation(folder)) return npm('install', '--no-save')
  try {
    await npm('ci')
  } catch (error) {
    if (!error.message.includes('EUSAGE')) throw error
    // npm ci refuses a lock file without the packages of other platforms; npm install adds them.
    say('  package-lock.json is not complete for this npm: installing with npm install')
    await npm('install', '--no-save')
  }
}

// Compares contents, because a checkout or merge changes the file's time.
function isComplete(folder, withDevelopment) {
  if (!hasInstallation(folder)) return false
  const installed = installedIn(folder)
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([place, { version, optional, dev, devOptional }]) => {
      if (place === '') return true
      const found = installed[place]
      // npm install --package-lock-only records packages that it does not install.
      if (found) return found.version === version && existsSync(join(folder, place))
      return Boolean(optional || devOptional || (dev && !withDevelopment))
    },
  )
}

// npm writes this file last, so it exists only after a complete installation.
const installedLock = (folder) => join(folder, 'node_modules', '.package-lock.json')

const hasInstallation = (folder) =>
  existsSync(join(folder, 'node_modules', 'node', 'bin', 'node')) &&
  existsSync(installedLock(folder))

const installedIn = (folder) =>
  existsSync(installedLock(folder)) ? packagesOf(installedLock(folder)) : {}

const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages
