import { execFileSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The user that runs PostgreSQL's programs: the current one, or another if the current one is root. */
export interface PostgresUser {
  /** Makes the user the owner of a file or folder. */
  own(path: string): void
  /** Returns the program and arguments that start `program` as the user. */
  command(program: string, args: string[]): { program: string; args: string[] }
  ids: { uid?: number; gid?: number }
}

const directly = (program: string, args: string[]) => ({ program, args })

/**
 * Returns the user to run PostgreSQL as. PostgreSQL refuses to run as root, so root starts it as
 * `postgres`, or as `nobody` if that user does not exist. If a parent of one of `paths` is closed to
 * other users (a clone in /root), the user also gets the capability to pass through it. Throws an
 * error with advice if that is not possible.
 */
export function postgresUser(paths: string[]): PostgresUser {
  if (process.getuid?.() !== 0) return { own: () => {}, command: directly, ids: {} }
  const ids = userIds('postgres') ?? userIds('nobody')
  if (!ids) throw new Error('PostgreSQL cannot run as root, and this system has no user `nobody`')
  const own = (path: string) => chownSync(path, ids.uid, ids.gid)
  const closed = paths.find((path) => !isReachable(path))
  if (!closed) return { own, ids, command: directly }
  const prefix = [
    'setpriv',
    // Without it, access(2) ignores capabilities, and initdb reports that it cannot run postgres.
    '--securebits=+no_setuid_fixup',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
  ]
  for (const capability of ['dac_read_search', 'dac_override']) {
    const words = [...prefix, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
    if (!works([...words, 'test', '-x', closed])) continue
    const command = (program: string, args: string[]) => ({
      program: 'setpriv',
      args: [...words.slice(1), program, ...args],
    })
    return { own, ids: {}, command }
  }
  throw new Error(
    `PostgreSQL cannot run as root, and no other user can reach ${closed}. ` +
      'Run as an ordinary user, move the project and its data to a folder open to others, ' +
      'or set DATABASE_URL.',
  )
}

function userIds(user: string): { uid: number; gid: number } | null {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, user], { stdio: 'pipe' }))
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return null
  }
}

function isReachable(path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

function works([program = '', ...args]: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
