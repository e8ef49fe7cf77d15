import { spawn } from 'node:child_process'

/**
 * Ends processes when this one is gone, however it went: a kill -9 runs no handler, but it closes
 * pipes, and a shell that reads from one then signals what it was told to watch. Each process
 * watched leads a process group of its own; whatever is left of the group goes last.
 */
export interface Guard {
  /** Sends `signal` to `pid` when this process is gone, and SIGKILL ten seconds later. */
  watch(pid: number, signal: NodeJS.Signals): void
  /** Forgets `pid`, which has ended: its number may soon belong to somebody else. */
  release(pid: number): void
}

const SCRIPT = `
trap '' INT TERM HUP
watched=
while read -r sign pid signal; do
  if [ "$sign" = + ]; then
    watched="$watched $pid:$signal"
  else
    kept=
    for entry in $watched; do [ "\${entry%%:*}" = "$pid" ] || kept="$kept $entry"; done
    watched=$kept
  fi
done
for entry in $watched; do kill -"\${entry##*:}" "\${entry%%:*}" 2>/dev/null; done
tries=0
while [ $tries -lt 100 ]; do
  alive=
  for entry in $watched; do kill -0 "\${entry%%:*}" 2>/dev/null && alive=yes; done
  [ -n "$alive" ] || break
  sleep 0.1
  tries=$((tries + 1))
done
for entry in $watched; do kill -KILL "-\${entry%%:*}" 2>/dev/null; done
`

/** Starts the guard of this process. It ends by itself when this process does. */
export function startGuard(): Guard {
  // A group of its own: Ctrl-C in the terminal must not reach it before it has done its work.
  const shell = spawn('sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  shell.unref()
  shell.stdin.on('error', () => {})
  return {
    watch: (pid, signal) => void shell.stdin.write(`+ ${pid} ${signal.slice(3)}\n`),
    release: (pid) => void shell.stdin.write(`- ${pid}\n`),
  }
}
