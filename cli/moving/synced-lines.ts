import { open, type FileHandle } from 'node:fs/promises'
import { readSystemError } from '../../processes/system-error.ts'

/** A file to which whole lines are added, each of which is on the disk when its promise resolves. */
export interface SyncedLines {
  add: (line: string) => Promise<void>
  close: () => Promise<void>
}

/** Opens a file for lines; the first one makes it. A line that a killed process or a full disk has cut stays, and gets an end. */
export function appendTo(path: string): SyncedLines {
  let file: FileHandle | undefined
  let last: Promise<void> = Promise.resolve()
  let mayBeCut = true
  const write = async (line: string): Promise<void> => {
    const start = mayBeCut ? '\n' : ''
    mayBeCut = true
    file ??= await open(path, 'a', 0o600)
    await file.appendFile(`${start}${line}\n`)
    mayBeCut = false
    await file.datasync()
  }
  return {
    add(line) {
      const written = last.then(() => write(line))
      // One that fails is thrown to its own caller only.
      last = written.catch(() => {})
      return written
    },
    async close() {
      await last
      await file?.close()
    },
  }
}

/** Reads the lines of a file; none if it does not exist. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (readSystemError(error).code === 'ENOENT') return null
    throw error
  })
  if (file !== null) yield* file.readLines()
}
