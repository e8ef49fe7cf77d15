import { PART_BYTES, returnPart, takePart } from './part-buffers.ts'

/** Between two chunks, no more than this is in memory without the buffer of a part. */
const HELD_BYTES = 1 << 20

/**
 * Gathers chunks to parts of `PART_BYTES`. The next part is gathered while one is stored. A gatherer whose source pauses
 * behind a whole part holds no buffer of a part, as long as what is left is short. Call `end` when it is no longer used: a
 * call that waits for memory then throws once it has some.
 */
export interface PartGatherer {
  /** Waits for the memory of so many bytes, so that a caller waits before it produces them. */
  room(sizeBytes: number): Promise<void>
  /** Adds chunks, and stores each part that is whole. The chunks may be changed afterwards. Throws errors of `put`. */
  add(chunks: readonly Buffer[]): Promise<void>
  /** Resolves to the bytes behind the last whole part, until the next call, when that part is stored. */
  rest(): Promise<Buffer>
  /** Resolves when nothing is stored any more. Never rejects. */
  end(): Promise<void>
}

/**
 * `put` stores a whole part; `left` are the chunks of the same call of `add` behind it, which it may use before it first
 * waits. It is called again when it has resolved.
 */
export function gatherParts(
  put: (part: Buffer, left: readonly Buffer[]) => Promise<void>,
): PartGatherer {
  let part: Buffer | null = null
  let bytes = 0
  let held: Buffer[] = []
  let storing = Promise.resolve()
  let hasEnded = false
  const take = async (): Promise<Buffer> => {
    const taken = await takePart()
    if (hasEnded) {
      returnPart(taken)
      throw new Error('the parts are no longer gathered')
    }
    Buffer.concat(held, bytes).copy(taken)
    held = []
    return taken
  }
  const clear = (): void => {
    part = null
    held = []
    bytes = 0
  }
  const store = async (body: Buffer, left: readonly Buffer[]): Promise<void> => {
    try {
      await storing
    } catch (error) {
      returnPart(body)
      throw error
    }
    storing = put(body, left).finally(() => returnPart(body))
    // The next call throws its error.
    storing.catch(() => {})
  }
  return {
    async room(sizeBytes) {
      if (bytes + sizeBytes > HELD_BYTES) part ??= await take()
    },
    async add(chunks) {
      for (const [index, chunk] of chunks.entries()) {
        let left = chunk
        while (left.length > 0) {
          if (part === null && bytes + left.length <= HELD_BYTES) {
            held.push(Buffer.from(left))
            bytes += left.length
            break
          }
          part ??= await take()
          const copied: number = left.copy(part, bytes)
          bytes += copied
          left = left.subarray(copied)
          if (bytes < PART_BYTES) continue
          const full = part
          clear()
          await store(full, [left, ...chunks.slice(index + 1)])
        }
      }
    },
    async rest() {
      await storing
      return part?.subarray(0, bytes) ?? Buffer.concat(held, bytes)
    },
    async end() {
      hasEnded = true
      if (part) returnPart(part)
      clear()
      await storing.catch(() => {})
    },
  }
}
