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
import { startChild } from './child.ts'
import type { Guard } from './guard.ts'
import { isAlive } from './is-alive.ts'
import type { PostgresUser } from './postgres-user.ts'

const OTHER_COPY_PATIENCE_MS = 15_000
// The highest number that Linux could ever give, which it has not.
const NO_SUCH_PID = 4_194_303

/**
 * Makes the database cluster in `folder` unless it is there. It is made beside it and renamed, so
 * `folder` is either a whole cluster or missing; what a killed attempt left is made anew.
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
 * Waits until no other server uses the cluster: one whose supervisor was killed is about to end.
 * A postmaster.pid left by a kill -9 is PostgreSQL's own business, except where its number belongs
 * to some other process now, which PostgreSQL cannot tell. Throws when another copy stays.
 */
export async function awaitClusterFree(folder: string): Promise<void> {
  const pidFile = join(folder, 'postmaster.pid')
  const deadline = Date.now() + OTHER_COPY_PATIENCE_MS
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

// The rest of the file stays: by it a new server finds backends of the old one that still write.
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
    // A server works inside its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}
