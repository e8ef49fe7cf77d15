import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Writable } from 'node:stream'

const MAX_FILE_BYTES = 20 * 1024 * 1024
const OLD_FILES = 3

/**
 * Opens a log file that never grows over 20 MiB. A full file becomes FILE.1, which becomes FILE.2 and
 * so on; three old files are kept. Only the owner can read them. Lines that cannot be written are
 * dropped.
 */
export function openRotatingLog(path: string, maxFileBytes = MAX_FILE_BYTES): Writable {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  let sizeBytes = existsSync(path) ? statSync(path).size : 0
  let fd = openSync(path, 'a', 0o600)
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        if (sizeBytes + chunk.length > maxFileBytes && sizeBytes > 0) {
          rotate(path)
          const full = fd
          fd = openSync(path, 'a', 0o600)
          closeSync(full)
          sizeBytes = 0
        }
        sizeBytes += writeSync(fd, chunk)
      } catch {
        // On a full disk the lines are lost, but the process that wrote them continues.
      }
      done()
    },
    destroy(error, done) {
      closeSync(fd)
      done(error)
    },
  })
}

function rotate(path: string): void {
  for (let age = OLD_FILES - 1; age >= 1; age--) {
    if (existsSync(`${path}.${age}`)) renameSync(`${path}.${age}`, `${path}.${age + 1}`)
  }
  renameSync(path, `${path}.1`)
}
