import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { withProgress } from './report.mjs'

const POLL_MS = 200
const LONGEST_WORK_MS = 40 * 60_000

/**
 * Runs `work` while this process owns the file `lock`, unless `isDone()`: concurrent bootstraps work one after the
 * other, and those that find the work done do nothing. The lock of a killed process does not hold.
 */
export async function withLock(lock, title, isDone, work) {
  if (isDone()) return
  if (!(await takeLock(lock, title, isDone))) return
  try {
    if (!isDone()) await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Returns false if the work was done by the time that the lock was free. */
async function takeLock(lock, title, isDone) {
  const claim = `${lock}-${process.pid}`
  writeFileSync(claim, String(process.pid))
  try {
    if (tryLink(claim, lock)) return true
    return await withProgress(`${title}: another process does it, waiting`, async () => {
      while (!isDone()) {
        if (tryLink(claim, lock)) return true
        if (isAbandoned(lock)) rmSync(lock, { force: true })
        await sleep(POLL_MS)
      }
      return false
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
    return ageMs > LONGEST_WORK_MS || !isAlive(Number(readFileSync(lock, 'utf8')))
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
