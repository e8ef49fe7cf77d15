import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** One core for the measured server, and the others for the load and the database. */
export interface Cores {
  /** Prefix of a command line that runs it on the server's core; empty if cores cannot be chosen. */
  launcher: string[]
  /** Moves this process, and what it starts later, back to all cores. */
  release(): void
}

/**
 * Reserves the first core for the server and moves this process and its later children to the other
 * cores. Without taskset, or with one core, all share the cores and a line reports it.
 */
export function reserveServerCore(): Cores {
  const allowed = allowedCores()
  const [first, ...others] = allowed
  if (first === undefined || others.length === 0 || spawnSync('taskset', ['-V']).status !== 0) {
    console.error('  … no reserved core for the server (needs taskset and two cores)')
    return { launcher: [], release: () => {} }
  }
  move(others)
  return { launcher: ['taskset', '-c', String(first)], release: () => move(allowed) }
}

const move = (cores: number[]): void =>
  void spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)])

/** Parses the kernel's list, such as `0-1,4`; empty if the system has none. */
export function allowedCores(): number[] {
  let status: string
  try {
    status = readFileSync('/proc/self/status', 'utf8')
  } catch {
    return []
  }
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? []
  return list.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number)
    return from === undefined || to === undefined
      ? []
      : Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}

const TICKS_PER_SECOND = 100

/** Returns the processor time that a process has used, in seconds; 0 if unknown. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
