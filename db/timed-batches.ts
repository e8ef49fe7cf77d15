import { createKeyCounts } from '../domain/key-counts.ts'
import { databaseFaultOf } from './errors.ts'

type Waiting<Input, Output> = PromiseWithResolvers<Output> & { input: Input; key: string }

interface BatchOptions<Input, Output> {
  /** Resolves to an output for each input, in their order. */
  run: (inputs: Input[]) => Promise<Output[]>
  /** Inputs with the same key go one after the other, in their order. */
  keyOf: (input: Input) => string
  /** How long the first call of a batch waits for others. */
  waitMs: number
  sizeMax: number
  /** How many batches run at the same time. */
  atOnce: number
  /** How many calls may wait; a further one is rejected. */
  waitingMax: number
  /** How many of them may have the same key, so that one who calls often leaves room for others. */
  waitingOfKeyMax: number
}

/** Calls that share statements. */
export interface TimedBatches<Input, Output> {
  /** Resolves after the batch of the call has committed. */
  add(input: Input): Promise<Output>
  /** Sends what waits, and resolves when no batch runs any more. Later calls are sent at once. */
  close(): Promise<void>
}

/** Too many calls wait for the database. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError'
  /** As of PostgreSQL without room (`too_many_connections`). */
  readonly code = '53300'
  constructor() {
    super('too many writes wait for the database')
  }
}

/**
 * Collects calls for up to `waitMs`, and sends each batch as one statement. If PostgreSQL refuses a batch because of what
 * is in it, its halves are sent instead, so only the call that is at fault fails. If PostgreSQL is away, each call gets its
 * error.
 */
export function timedBatches<Input, Output>({
  run,
  keyOf,
  waitMs,
  sizeMax,
  atOnce,
  waitingMax,
  waitingOfKeyMax,
}: BatchOptions<Input, Output>): TimedBatches<Input, Output> {
  let waiting: Waiting<Input, Output>[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  const running = new Set<Promise<void>>()
  const runningKeys = new Set<string>()
  const waitingOf = createKeyCounts()
  const take = (): Waiting<Input, Output>[] => {
    const batch = new Map<string, Waiting<Input, Output>>()
    waiting = waiting.filter((call) => {
      if (batch.size >= sizeMax || batch.has(call.key) || runningKeys.has(call.key)) return true
      batch.set(call.key, call)
      waitingOf.add(call.key, -1)
      return false
    })
    return [...batch.values()]
  }
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    while (running.size < atOnce) {
      const batch = take()
      if (batch.length === 0) return
      for (const { key } of batch) runningKeys.add(key)
      const sent = send(run, batch).finally(() => {
        running.delete(sent)
        for (const { key } of batch) runningKeys.delete(key)
        if (timer === undefined) flush()
      })
      running.add(sent)
    }
  }
  return {
    add(input) {
      const key = keyOf(input)
      if (waiting.length >= waitingMax || waitingOf.of(key) >= waitingOfKeyMax)
        return Promise.reject(new DatabaseBusyError())
      const own = { input, key, ...Promise.withResolvers<Output>() }
      waiting.push(own)
      waitingOf.add(key, 1)
      if (isClosed || waiting.length >= sizeMax) flush()
      else if (running.size < atOnce) timer ??= setTimeout(flush, waitMs)
      return own.promise
    },
    async close() {
      isClosed = true
      flush()
      while (running.size > 0) await Promise.all(running)
    },
  }
}

async function send<Input, Output>(
  run: (inputs: Input[]) => Promise<Output[]>,
  batch: Waiting<Input, Output>[],
): Promise<void> {
  try {
    const outputs = await run(batch.map(({ input }) => input))
    outputs.forEach((output, index) => batch[index]?.resolve(output))
  } catch (error) {
    if (batch.length === 1 || !isOfRows(error)) return batch.forEach(({ reject }) => reject(error))
    const half = Math.ceil(batch.length / 2)
    await send(run, batch.slice(0, half))
    await send(run, batch.slice(half))
  }
}

/** True if the same batch without some of its rows may succeed. */
function isOfRows(error: unknown): boolean {
  const fault = databaseFaultOf(error)
  return fault !== 'unavailable' && fault !== 'refused'
}
