import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './commands.mjs'
import { pinnedNode, projectDir } from './environment.mjs'
import { say, withProgress } from './report.mjs'

const lockFile = join(projectDir, 'package-lock.json')
const marker = join(projectDir, 'node_modules', '.reelgate-lock-sha256')
const installedLock = join(projectDir, 'node_modules', '.package-lock.json')

/** Installs the npm packages, the pinned Node among them, unless node_modules fits the lock file. */
export async function ensureNpmPackages() {
  if (existsSync(pinnedNode) && isUpToDate()) return
  await withProgress('npm packages (npm ci, once)', install)
  writeFileSync(marker, lockHash())
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

function isUpToDate() {
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lockHash()) return true
  return existsSync(installedLock) && statSync(installedLock).mtimeMs >= statSync(lockFile).mtimeMs
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex')
}
