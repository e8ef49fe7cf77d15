import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

/** A file that is read while another part of this process writes it. */
export interface FollowedFile {
  /** The first `bytes` of the file are written. */
  grewTo(bytes: number): void
  /** The file is complete. */
  end(): void
  isComplete(): boolean
  /** The file will not be completed: its reader throws `reason`. */
  fail(reason: unknown): void
  /** The bytes of the file, as they arrive. Ends after `end`. */
  chunks(): AsyncGenerator<Buffer>
}

const READ_BYTES = 1 << 20

/**
 * Follows the file at the first of `paths` that exists once it has bytes: it may be renamed before it is read. The file
 * is read in mebibytes, of which those of `batchBytes` come without a pause, after one that an encryption holds back.
 */
export function followFile(
  paths: readonly [string, string],
  batchBytes = READ_BYTES,
): FollowedFile {
  let size = 0
  let isEnded = false
  let failure: { reason: unknown } | null = null
  let change = Promise.withResolvers<void>()
  const changed = (): void => {
    change.resolve()
    change = Promise.withResolvers<void>()
  }
  const readable = (offset: number): number => {
    if (failure) throw failure.reason
    if (isEnded) return Math.min(READ_BYTES, size - offset)
    const batches = Math.floor((size - READ_BYTES) / batchBytes)
    return offset < batches * batchBytes + READ_BYTES && batches >= 0 ? READ_BYTES : 0
  }
  return {
    grewTo(bytes) {
      size = bytes
      changed()
    },
    end() {
      isEnded = true
      changed()
    },
    isComplete: () => isEnded,
    fail(reason) {
      failure = { reason }
      changed()
    },
    async *chunks() {
      let file: FileHandle | undefined
      try {
        for (let offset = 0; !isEnded || failure || offset < size;) {
          const bytes = readable(offset)
          if (bytes === 0) {
            await change.promise
            continue
          }
          file ??= await openFirst(paths)
          const chunk = await readAt(file, offset, bytes)
          offset += chunk.length
          yield chunk
        }
      } finally {
        await file?.close()
      }
    },
  }
}

const openFirst = ([first, second]: readonly [string, string]): Promise<FileHandle> =>
  open(first).catch(() => open(second))

async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, offset)
  if (bytesRead === 0) throw new Error('the downloaded file became shorter')
  return buffer.subarray(0, bytesRead)
}
