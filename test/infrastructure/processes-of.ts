import { readFileSync, readdirSync } from 'node:fs'

/** Returns the command lines of the running processes that name `folder`. */
export function processesOf(folder: string): string[] {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        // It has ended meanwhile.
        return ''
      }
    })
  return lines.filter((line) => line.includes(folder))
}
