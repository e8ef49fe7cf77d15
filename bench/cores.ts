import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** One core for the server that is measured; the others for the load and the database. */
export interface Cores {
  /** Words that start a program on the server's core; none where cores cannot be chosen. */
  launcher: string[]
  /** Gives this process, and what it starts from now on, its old cores back. */
  release(): void
}

/**
 * Leaves the first core to the server and moves this process to the others; what it starts follows
 * it there. Where there is no taskset, or one core, all share what there is, and a line says so.
 */
export function keepCoreForServer(): Cores {
  const allowed = allowedCores()
  const [first, ...others] = allowed
  if (first === undefined || others.length === 0 || spawnSync('taskset', ['-V']).status !== 0) {
    console.error('  … no core of its own for the server (taskset and two cores are needed)')
    return { launcher: [], release: () => {} }
  }
  move(others)
  return { launcher: ['taskset', '-c', String(first)], release: () => move(allowed) }
}

const move = (cores: number[]): void =>
  void spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)])

/** From the kernel's list, such as `0-1,4`; empty where there is none. */
function allowedCores(): number[] {
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
      : Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
}

const TICKS_PER_SECOND = 100

/** Seconds of processor time that a process has used; 0 where the system does not tell. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
