import { freeMemory } from '../storage/free-memory.ts'

/** The bytes of a request, in turns: other uploads of the process get its memory between two of them. */
export interface UploadBody {
  /** Waits for bytes. Resolves to false if the body has failed, or its client has sent nothing for `idleMs`. */
  ready(): Promise<boolean>
  /** Yields what arrives, until the body or the turn ends. The memory of a chunk is freed when the next one is requested. */
  turn(): AsyncGenerator<Buffer>
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
  /** The longest turn while `shouldYield` returns true. A client that pauses ends its turn earlier. */
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

/** A client that pauses for this long gives way to the uploads that wait. */
const QUIET_MS = 100

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
  /** Resolves to false if nothing has come after `ms`. */
  const hasNext = async (ms: number): Promise<boolean> => {
    next ??= chunks.next()
    const late = startTimer(ms)
    try {
      return await Promise.race([next.then(() => true), late.isOver])
    } catch (error) {
      end(error)
      return true
    } finally {
      late.stop()
    }
  }
  const take = async (): Promise<Buffer | null> => {
    const taken = await next
    next = null
    if (!taken || taken.done === true) return (end(), null)
    received += taken.value.length
    if (received <= options.maxBytes) return taken.value
    return (end(new LongBodyError('the body is too long')), null)
  }
  return {
    receivedBytes: () => received,
    fault: () => fault,
    async ready() {
      if (isOver) return false
      if (!(await hasNext(options.idleMs))) end(new IdleBodyError('the client sends nothing'))
      return !isOver
    },
    async *turn() {
      const startedAt = performance.now()
      for (let quietMs = 0; !isOver;) {
        const isQuiet = !(await hasNext(QUIET_MS))
        const isLong = performance.now() - startedAt > options.turnMs
        if ((isQuiet || isLong) && options.shouldYield()) return
        quietMs = isQuiet ? quietMs + QUIET_MS : 0
        if (quietMs > options.idleMs) end(new IdleBodyError('the client sends nothing'))
        if (isQuiet || isOver) continue
        const chunk = await take()
        if (chunk === null) return
        yield chunk
        freeMemory(chunk)
      }
    },
  }
}

/** A timer whose end can be waited for. */
function startTimer(ms: number): { isOver: Promise<false>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), ms)
  return { isOver: promise, stop: () => clearTimeout(timer) }
}
