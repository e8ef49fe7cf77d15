import { spawnSync } from 'node:child_process'

/** How the tools of this process are ended with it. */
export type OwnerTie = 'parent-death-signal' | 'pipe'

/** The arguments of a process that runs a tool and ends when this process does. */
export interface TiedCommand {
  program: string
  args: string[]
  /** `pipe`: nothing is ever written to it; the system closes it when this process ends. */
  stdin: 'ignore' | 'pipe'
}

/**
 * Linux sends the signal that `setpriv` asks for when the thread that made the process ends. It sends none if that
 * thread ended before `setpriv` asked, so the shell compares its parent afterwards.
 */
const IF_PARENT_LIVES = '[ "$PPID" = "$1" ] || exit 1; shift; exec "$@"'

/**
 * A second shell in the group of the tool reads from a pipe that only this process holds open. At its end, after
 * the tool or this process has ended, it kills the group with itself.
 */
const UNTIL_PIPE_CLOSES = `
exec 3<&0 </dev/null
(trap '' TERM; read -r _; kill -s KILL -- "-$$") <&3 3<&- >/dev/null 2>&1 &
exec 3<&-
exec "$@"`

/**
 * Returns the command that runs a tool so that it ends with this process, even by `kill -9`, which runs no handler.
 * Start it as the leader of a process group. The pid is that of the tool. Exits with 126 or 127 if the tool cannot
 * be started.
 */
export function tieToOwner(
  program: string,
  args: string[],
  tie: OwnerTie = ownerTie(),
): TiedCommand {
  if (tie === 'pipe')
    return { program: 'sh', args: ['-c', UNTIL_PIPE_CLOSES, 'sh', program, ...args], stdin: 'pipe' }
  const shell = ['sh', '-c', IF_PARENT_LIVES, 'sh', String(process.pid), program, ...args]
  return { program: 'setpriv', args: [...DEATH_SIGNAL, ...shell], stdin: 'ignore' }
}

const DEATH_SIGNAL = ['--pdeathsig', 'KILL', '--']

let known: OwnerTie | undefined

/** Returns how this machine ends tools: by a pipe without the `setpriv` of util-linux, as on macOS. */
export function ownerTie(): OwnerTie {
  if (known === undefined) {
    // Without other parts of the project: the launcher of tools is to stay small.
    const env = { PATH: process.env.PATH }
    const { status } = spawnSync('setpriv', [...DEATH_SIGNAL, 'true'], { stdio: 'ignore', env })
    known = status === 0 ? 'parent-death-signal' : 'pipe'
  }
  return known
}
