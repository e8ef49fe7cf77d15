import { readdirSync, readFileSync } from 'node:fs'

interface RunningProcess {
  pid: number
  parent: number
  /** Program and arguments, with spaces between. */
  commandLine: string
}

/** Returns the command lines of the running processes that name `folder`. */
export const processesOf = (folder: string): string[] =>
  runningProcesses()
    .map(({ commandLine }) => commandLine)
    .filter((line) => line.includes(folder))

/** Returns the pid of a child of `root`, or of their children, whose command line matches; or null. */
export function findDescendant(root: number, pattern: RegExp): number | null {
  return below(root).find(({ commandLine }) => pattern.test(commandLine))?.pid ?? null
}

/** Returns the pids of the children of `root`, and of their children. */
export const descendantsOf = (root: number): number[] => below(root).map(({ pid }) => pid)

/** Whether the process has not ended. One that its parent has not waited for has ended. */
export const isRunning = (pid: number): boolean =>
  runningProcesses().some((one) => one.pid === pid && one.commandLine !== '')

function below(root: number): RunningProcess[] {
  const processes = runningProcesses()
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]))
  const isBelow = (pid: number): boolean => {
    for (let above = parents.get(pid); above !== undefined && above > 1; above = parents.get(above))
      if (above === root) return true
    return false
  }
  return processes.filter(({ pid }) => isBelow(pid))
}

/** Stops a process, its children and theirs (SIGSTOP); returns a function that continues them. */
export function freeze(pid: number): () => void {
  const frozen: number[] = []
  const stop = (one: number) => {
    process.kill(one, 'SIGSTOP')
    frozen.push(one)
  }
  // The parent first, so that it starts no further child.
  stop(pid)
  for (const child of descendantsOf(pid)) unlessEnded(() => stop(child))
  return () => {
    // One that was killed meanwhile may have given its number to another process.
    for (const one of frozen) if (isStopped(one)) process.kill(one, 'SIGCONT')
  }
}

/** A tool may end between the list of processes and its signal. */
function unlessEnded(signal: () => void): void {
  try {
    signal()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
  } catch {
    return false
  }
}

function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid)) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [{ pid, parent, commandLine }]
    } catch {
      // It has ended in the meantime.
      return []
    }
  })
}
