import { readFileSync, readdirSync } from 'node:fs'

/** Stops a process and its children in the middle of whatever they do; returns what lets them go on. */
export function freeze(pid: number): () => void {
  const frozen: number[] = []
  const stop = (one: number) => {
    process.kill(one, 'SIGSTOP')
    frozen.push(one)
  }
  // The parent first: it starts no further child then.
  stop(pid)
  for (const child of childrenOf(pid)) stop(child)
  return () => {
    for (const one of frozen) process.kill(one, 'SIGCONT')
  }
}

function childrenOf(parent: number): number[] {
  const isChild = (pid: number): boolean => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
    } catch {
      // It has ended meanwhile.
      return false
    }
  }
  return readdirSync('/proc').map(Number).filter(Number.isInteger).filter(isChild)
}
