import { freeMemory } from '../storage/free-memory.ts'

/** The bytes of a request, in turns: other uploads of the process get its memory between two of them. */
export interface UploadBody {
  /** Yields what arrives, until the body or the turn ends. A chunk is gone when the next one is asked for. */
  turn(): AsyncGenerator<Buffer>
  /** Whether nothing more arrives. */
  isOver(): boolean
  /** How many bytes have been yielded. */
  receivedBytes(): number
  /** Why the body has ended before its end; undefined if it has not. */
  fault(): unknown
}

interface BodyOptions {
  /** More bytes than these are a fault. */
  maxBytes: number
  /** A body that sends nothing for so long has ended. */
  idleMs: number
  /** A turn that has lasted so long ends if `shouldYield` says so. */
  turnMs: number
  shouldYield: () => boolean
}

/** The client sends nothing any more, but has not closed the connection. */
export class IdleBodyError extends Error {
  override name = 'IdleBodyError'
}

/** The client sends more than the file has. */
export class LongBodyError extends Error {
  override name = 'LongBodyError'
}

type Next = Promise<IteratorResult<Buffer>>

/** Reads a body. What has arrived before a fault counts, so a fault ends it as its end does. */
export function readUploadBody(body: AsyncIterable<Buffer>, options: BodyOptions): UploadBody {
  const chunks = body[Symbol.asyncIterator]()
  let next: Next | null = null
  let received = 0
  let isOver = false
  let fault: unknown
  const end = (reason?: unknown): void => {
    isOver = true
    fault = reason
  }
  const take = async (late: Promise<'late'>): Promise<IteratorResult<Buffer> | 'late'> => {
    next ??= chunks.next()
    const taken = await Promise.race([next, late])
    if (taken !== 'late') next = null
    return taken
  }
  return {
    isOver: () => isOver,
    receivedBytes: () => received,
    fault: () => fault,
    async *turn() {
      const clock = startClock(options.turnMs)
      let heardAt = performance.now()
      try {
        while (!isOver) {
          const taken = await take(clock.tick()).catch((error: unknown) => {
            end(error)
            return null
          })
          if (taken === null) return
          if (taken !== 'late') {
            if (taken.done === true) return end()
            heardAt = performance.now()
            received += taken.value.length
            if (received > options.maxBytes) return end(new LongBodyError('the body is too long'))
            yield taken.value
            freeMemory(taken.value)
          } else if (performance.now() - heardAt > options.idleMs)
            return end(new IdleBodyError('the client sends nothing'))
          if (clock.hasTicked() && options.shouldYield()) return
        }
      } finally {
        clock.stop()
      }
    },
  }
}

/** One timer for all chunks of a turn. */
function startClock(everyMs: number) {
  let next = Promise.withResolvers<'late'>()
  let hasTicked = false
  const timer = setInterval(() => {
    hasTicked = true
    next.resolve('late')
    next = Promise.withResolvers<'late'>()
  }, everyMs)
  return {
    tick: () => next.promise,
    hasTicked: () => hasTicked,
    stop: () => clearInterval(timer),
  }
}
