import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const STOP_TIMEOUT_MS = 10_000

/**
 * Ends processes when this one ends, even by kill -9. That runs no handler, but it closes pipes, and
 * a shell that reads from one then signals the watched processes. Each of them leads a separate
 * process group, whose remaining processes are killed last.
 */
export interface Guard {
  /** When this process ends, sends `signal` to `pid`, and SIGKILL ten seconds later. */
  watch(pid: number, signal: NodeJS.Signals): void
  /** Forgets `pid`, which has ended: the system may reuse the number. */
  release(pid: number): void
  /** Sends each process that is watched now or later its signal, and SIGKILL after ten seconds. Resolves when all have ended. */
  endAll(): Promise<void>
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
  // In a separate group, because Ctrl-C must not end the guard before its work is done.
  const shell = spawn('sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  shell.unref()
  shell.stdin.on('error', () => {})
  const watched = new Map<number, NodeJS.Signals>()
  let isEnding = false
  return {
    watch(pid, signal) {
      watched.set(pid, signal)
      if (isEnding) send(pid, signal)
      shell.stdin.write(`+ ${pid} ${signal.slice(3)}\n`)
    },
    release(pid) {
      watched.delete(pid)
      shell.stdin.write(`- ${pid}\n`)
    },
    async endAll() {
      isEnding = true
      for (const [pid, signal] of watched) send(pid, signal)
      const deadline = Date.now() + STOP_TIMEOUT_MS
      while (watched.size > 0 && Date.now() < deadline) await sleep(50)
      for (const pid of watched.keys()) send(pid, 'SIGKILL')
    },
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}
