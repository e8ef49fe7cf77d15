import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findDescendant } from '../../test/infrastructure/processes.ts'

/** The fields of `/proc/<pid>/stat` (proc_pid_stat(5)) behind the name, which may contain spaces. */
const CUTIME = 13
const CSTIME = 14

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Returns the processor seconds, user and system, of all tools of a process that have ended, and of its other children. */
export function childrenCpuSeconds(pid: number): number {
  const launcher = findDescendant(pid, /launcher-process/)
  return endedChildrenOf(pid) + (launcher === null ? 0 : endedChildrenOf(launcher))
}

function endedChildrenOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[CUTIME]) + Number(fields[CSTIME])) / ticksPerSecond
}
