import { mkdir, statfs } from 'node:fs/promises'

/** What downloads leave to encoders, which write there too: a tenth of the file system, at most 1 GiB. */
const LEFT_SHARE = 1 / 10
const LEFT_MAX_BYTES = 2 ** 30

/** The space that one file may still take. */
export interface ScratchLease {
  /**
   * Reserves the space up to the size `bytes` of the file. Returns false, and reserves nothing more, if the file system lacks it.
   */
  cover(bytes: number): Promise<boolean>
  /** Returns whether the space up to this size is reserved. */
  covers(bytes: number): boolean
  /** Counts what the file has, which the file system no longer counts as free. */
  written(bytes: number): void
  release(): void
}

/** The space of a scratch folder, shared by the large files of this process. */
export interface ScratchSpace {
  /** Whether any space is left. Throws if the file system cannot be read. */
  hasRoom(): Promise<boolean>
  /** Begins a lease for a file that has `bytes` already. */
  lease(bytes: number): ScratchLease
}

const spaces = new Map<string, ScratchSpace>()

/** Returns the space of a folder that all activities of this process share. */
export function scratchSpaceOf(folder: string): ScratchSpace {
  const space = spaces.get(folder) ?? createScratchSpace(folder)
  spaces.set(folder, space)
  return space
}

/**
 * Reserves space before a byte is written, so that downloads never fill the disk together and then all wait for each other.
 * Other processes on the same file system are seen by what they have written.
 */
export function createScratchSpace(folder: string): ScratchSpace {
  /** Reserved by leases and not yet written. */
  let promised = 0
  const readFree = async (): Promise<number> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { bavail, blocks, bsize } = await statfs(folder)
    return bavail * bsize - Math.min(blocks * bsize * LEFT_SHARE, LEFT_MAX_BYTES)
  }
  return {
    hasRoom: async () => (await readFree()) > promised,
    lease(bytes) {
      let reserved = bytes
      let onDisk = bytes
      return {
        async cover(size) {
          if (size <= reserved) return true
          const free = await readFree()
          // Without an await from here on: two leases must not see the same space.
          if (free - promised < size - reserved) return false
          promised += size - reserved
          reserved = size
          return true
        },
        covers: (size) => size <= reserved,
        written(size) {
          const grown = Math.min(size, reserved) - onDisk
          promised -= grown
          onDisk += grown
        },
        release() {
          promised -= reserved - onDisk
          reserved = onDisk
        },
      }
    },
  }
}
