import { open, type FileHandle } from 'node:fs/promises'
import { PART_BYTES } from '../../storage/object-storage.ts'

/** A file that is read while another part of this process writes it. */
export interface FollowedFile {
  /** The first `bytes` of the file are written. */
  grewTo(bytes: number): void
  /** The file is complete. */
  end(): void
  isComplete(): boolean
  /** The file will not be completed: its reader throws `reason`. */
  fail(reason: unknown): void
  /** The bytes of the file from `startByte`, as they arrive, all in one buffer. Ends after `end`. */
  chunks(startByte: number): AsyncGenerator<Buffer>
}

const READ_BYTES = 1 << 20

/**
 * Follows the file at the first of `paths` that exists once it has bytes: it may be renamed before it is read. The file
 * is read in mebibytes. Those of a part come without a pause, after one that an encryption holds back, so that a slow
 * source holds no memory of a part.
 */
export function followFile(paths: readonly [string, string]): FollowedFile {
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
    const parts = Math.floor((size - READ_BYTES) / PART_BYTES)
    return offset < parts * PART_BYTES + READ_BYTES && parts >= 0 ? READ_BYTES : 0
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
    async *chunks(startByte) {
      let file: FileHandle | undefined
      // A buffer for each chunk would make the garbage collector stop the process.
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
      try {
        for (let offset = startByte; !isEnded || failure || offset < size;) {
          const bytes = readable(offset)
          if (bytes === 0) {
            await change.promise
            continue
          }
          file ??= await openFirst(paths)
          const chunk = await readAt(file, offset, buffer.subarray(0, bytes))
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

async function readAt(file: FileHandle, offset: number, buffer: Buffer): Promise<Buffer> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
  if (bytesRead === 0) throw new Error('the downloaded file became shorter')
  return buffer.subarray(0, bytesRead)
}
