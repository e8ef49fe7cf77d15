import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheDir } from './environment.mjs'
import { SetupError, withProgress } from './report.mjs'

const POLL_MS = 200
const LONGEST_BUILD_MS = 40 * 60_000

/**
 * Returns the folder `name` of the cache; `build(temporaryFolder)` creates it if it is missing. A
 * rename at the end makes it appear complete, even after a killed build. Concurrent bootstraps build
 * it once: the others wait.
 */
export async function installOnce(name, title, build) {
  const target = join(cacheDir(), name)
  if (existsSync(target)) return target
  prepareCache()
  const lock = `${target}.lock`
  await takeLock(lock, target, title)
  try {
    if (!existsSync(target)) await withProgress(title, () => buildInto(target, name, build))
  } finally {
    rmSync(lock, { force: true })
  }
  return target
}

function prepareCache() {
  const probe = join(cacheDir(), `.write-test-${process.pid}`)
  try {
    mkdirSync(cacheDir(), { recursive: true })
    writeFileSync(probe, 'probe')
    rmSync(probe)
  } catch (error) {
    throw new SetupError(
      `The cache ${cacheDir()} cannot be written (${error.message}).\n` +
        'Make it writable, free some space on its disk, or choose another folder with REELGATE_CACHE_DIR.',
    )
  }
}

async function buildInto(target, name, build) {
  for (const entry of readdirSync(cacheDir())) {
    if (entry.startsWith(`${name}.tmp-`)) rmSync(join(cacheDir(), entry), { recursive: true })
  }
  const temporary = `${target}.tmp-${process.pid}`
  mkdirSync(temporary)
  try {
    await build(temporary)
    renameSync(temporary, target)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function takeLock(lock, target, title) {
  const claim = `${lock}-${process.pid}`
  writeFileSync(claim, String(process.pid))
  try {
    if (tryLink(claim, lock)) return
    await withProgress(`${title}: another process builds it, waiting`, async () => {
      while (!existsSync(target)) {
        if (tryLink(claim, lock)) return
        if (isAbandoned(lock)) rmSync(lock, { force: true })
        await sleep(POLL_MS)
      }
    })
  } finally {
    rmSync(claim, { force: true })
  }
}

// A hard link appears together with its content, so a lock always contains the pid of its owner.
function tryLink(claim, lock) {
  try {
    linkSync(claim, lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

// The owner has ended, or the lock is so old that its pid probably belongs to another program.
function isAbandoned(lock) {
  try {
    const ageMs = Date.now() - statSync(lock).mtimeMs
    return ageMs > LONGEST_BUILD_MS || !isAlive(Number(readFileSync(lock, 'utf8')))
  } catch {
    return false
  }
}

function isAlive(pid) {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
