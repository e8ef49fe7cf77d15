import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../processes/is-alive.ts'
import { startChild } from './child.ts'
import type { Guard } from './guard.ts'
import type { PostgresUser } from './postgres-user.ts'

const OTHER_SERVER_TIMEOUT_MS = 15_000
/** The highest pid that Linux can assign, so practically never in use. */
const NO_SUCH_PID = 4_194_303

/**
 * Creates the database cluster in `folder` unless it exists. A temporary folder is renamed at the
 * end, so `folder` is either a complete cluster or missing. Starts again after a killed attempt.
 */
export async function ensureCluster(options: {
  folder: string
  initdb: string
  password: string
  user: PostgresUser
  log: Writable
  guard: Guard
}): Promise<void> {
  const { folder, initdb, password, user, log, guard } = options
  if (existsSync(join(folder, 'PG_VERSION'))) return
  const making = `${folder}.making`
  const passwordFile = `${folder}.password.making`
  for (const path of [folder, making, passwordFile]) rmSync(path, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  user.own(making)
  user.own(passwordFile)
  const args = [
    `--pgdata=${making}`,
    `--pwfile=${passwordFile}`,
    '--username=reelgate',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]
  const start = user.command(initdb, args)
  const child = startChild({ ...start, ...user.ids, cwd: '/', log, guard })
  const end = await child.ended
  rmSync(passwordFile)
  if (end !== 'status 0')
    throw new Error(`PostgreSQL could not make ${folder} (${end}):\n${child.lastLines()}`)
  renameSync(making, folder)
}

/**
 * Waits until no other server uses the cluster, because the server of a killed supervisor is about
 * to end. PostgreSQL handles a stale postmaster.pid itself, unless the pid now belongs to another
 * program, which it cannot detect. Throws if the other server keeps running.
 */
export async function awaitClusterFree(folder: string): Promise<void> {
  const pidFile = join(folder, 'postmaster.pid')
  const deadline = Date.now() + OTHER_SERVER_TIMEOUT_MS
  for (;;) {
    const pid = pidIn(pidFile)
    if (pid === null || !isAlive(pid)) return
    if (!isServerOf(pid, folder)) return disown(pidFile)
    if (Date.now() > deadline) {
      throw new Error(`${folder} is in use by another copy (process ${pid}): stop it first`)
    }
    await sleep(100)
  }
}

// Keeps the rest of the file: a new server needs it to detect backends of the old one that still write.
function disown(pidFile: string): void {
  const lines = readFileSync(pidFile, 'utf8').split('\n')
  writeFileSync(pidFile, [NO_SUCH_PID, ...lines.slice(1)].join('\n'))
}

function pidIn(pidFile: string): number | null {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || null
  } catch {
    return null
  }
}

function isServerOf(pid: number, folder: string): boolean {
  if (!existsSync('/proc/self')) return true
  try {
    // The working directory of a server is its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}
