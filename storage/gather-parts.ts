import { PART_BYTES, returnPart, takePart } from './part-buffers.ts'

/** Between two chunks, no more than this is in memory without the buffer of a part. */
const HELD_BYTES = 1 << 20

/**
 * Gathers chunks to parts of `PART_BYTES`. A gatherer whose source pauses behind a whole part holds no buffer of a part,
 * as long as what is left is short. Call `end` when it is no longer used.
 */
export interface PartGatherer {
  /** Adds a chunk, and calls `put` with each part that is whole. The chunk may be changed afterwards. */
  add(chunk: Buffer): Promise<void>
  /** The bytes behind the last whole part, until the next call. */
  rest(): Buffer
  end(): void
}

/** `put` gets a whole part and the bytes of its last chunk that are left. It may use both until it resolves. */
export function gatherParts(put: (part: Buffer, left: Buffer) => Promise<void>): PartGatherer {
  let part: Buffer | null = null
  let bytes = 0
  let held: Buffer[] = []
  const take = async (): Promise<Buffer> => {
    const taken = await takePart()
    Buffer.concat(held, bytes).copy(taken)
    held = []
    return taken
  }
  const end = (): void => {
    if (part) returnPart(part)
    part = null
    held = []
    bytes = 0
  }
  return {
    async add(chunk) {
      let left = chunk
      while (left.length > 0) {
        if (part === null && bytes + left.length <= HELD_BYTES) {
          held.push(Buffer.from(left))
          bytes += left.length
          return
        }
        part ??= await take()
        const copied: number = left.copy(part, bytes)
        bytes += copied
        left = left.subarray(copied)
        if (bytes < PART_BYTES) continue
        await put(part, left)
        end()
      }
    },
    rest: () => part?.subarray(0, bytes) ?? Buffer.concat(held, bytes),
    end,
  }
}
