import { execFileSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** How PostgreSQL's programs are started here: directly, or as a user who is not root. */
export interface PostgresUser {
  /** Gives a file or folder to the user. */
  own(path: string): void
  /** The program and arguments that start `program` as the user. */
  command(program: string, args: string[]): { program: string; args: string[] }
  ids: { uid?: number; gid?: number }
}

const directly = (program: string, args: string[]) => ({ program, args })

/**
 * PostgreSQL refuses to run as root, so root starts it as `postgres`, or as `nobody` where there
 * is no such user. `paths` are the folders that user must reach: where one lies under a folder
 * closed to others (a clone in /root), the user gets the capability to pass through, no more.
 * Throws an error that says what to do where that is not possible.
 */
export function postgresUser(paths: string[]): PostgresUser {
  if (process.getuid?.() !== 0) return { own: () => {}, command: directly, ids: {} }
  const ids = idsOf('postgres') ?? idsOf('nobody')
  if (!ids) throw new Error('PostgreSQL cannot run as root, and there is no user nobody here')
  const own = (path: string) => chownSync(path, ids.uid, ids.gid)
  const closed = paths.find((path) => !isReachable(path))
  if (!closed) return { own, ids, command: directly }
  const prefix = [
    'setpriv',
    // Without it access(2), which initdb asks whether it may run postgres, ignores capabilities.
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
      'or give DATABASE_URL.',
  )
}

function idsOf(user: string): { uid: number; gid: number } | null {
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
