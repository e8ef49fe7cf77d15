import { setTimeout as sleep } from 'node:timers/promises'
import { writeEventRows } from '../../../commands/security-events/write-event-rows.ts'
import type { Database, EntityManager } from '../../../db/database.ts'
import { isDatabaseUnavailable } from '../../../db/errors.ts'
import { createKeyCounts } from '../../../domain/key-counts.ts'
import {
  SECURITY_EVENTS_WAITING_MAX,
  SECURITY_EVENTS_WAITING_OF_ORIGIN_MAX,
} from '../../../domain/limits.ts'
import { securityEvents } from '../../../metrics/playback.ts'
import { createTally, type ObservedEvent } from './tally.ts'

/** Writes the security events that this process observes, in batches on one connection. */
export interface EventRecorder {
  /**
   * Records an event. Resolves when it is committed, so a response that follows has its record, also if the process is
   * killed.
   */
  record: (event: ObservedEvent, options?: Partial<RecordOptions>) => Promise<void>
  /** True if so many events wait that a request without a valid viewer token must not add one. */
  isFull: () => boolean
  /** True if so many of them are of the viewer or the network of an event that it must not be added. */
  isFullOf: (event: Origin) => boolean
}

type Origin = Pick<ObservedEvent, 'accountId' | 'repeatsOf'>

interface RecordOptions {
  /** Runs first in the same transaction; resolves to false if there is nothing to record. */
  prepare: (tx: EntityManager) => Promise<boolean>
  /** True if the transaction may have no other event, because `prepare` locks rows in an order of its own. */
  isAlone: boolean
}

interface Waiting extends RecordOptions {
  event: ObservedEvent
  settle: PromiseWithResolvers<void>
}

/** After a batch of several events, so that those of a flood share few transactions. */
const PAUSE_MS = 200
/** Their deliveries to 20 endpoints stay within the parameters of a statement. */
const BATCH_MAX = 200

/** Opens a recorder on one connection of the pool, so the others are left to viewers who play. */
export function createEventRecorder(db: Database): EventRecorder {
  const waiting: Waiting[] = []
  const waitingOf = createKeyCounts()
  const nextBatch = (): Waiting[] => {
    const alone = waiting.findIndex(({ isAlone }) => isAlone)
    return waiting.splice(0, alone === -1 ? BATCH_MAX : Math.min(Math.max(alone, 1), BATCH_MAX))
  }
  const write = batchWriter(db)
  let isWriting = false
  const writeAll = async (): Promise<void> => {
    isWriting = true
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      await write(batch)
      if (batch.length > 1) await sleep(PAUSE_MS)
    }
    isWriting = false
  }
  return {
    isFull: () => waiting.length >= SECURITY_EVENTS_WAITING_MAX,
    isFullOf: (event) =>
      event.repeatsOf !== null &&
      waitingOf.of(originOf(event)) >= SECURITY_EVENTS_WAITING_OF_ORIGIN_MAX,
    record(event, { prepare = () => Promise.resolve(true), isAlone = false } = {}) {
      const settle = Promise.withResolvers<void>()
      waiting.push({ event, prepare, isAlone, settle })
      const origin = originOf(event)
      waitingOf.add(origin, 1)
      const end = (): void => waitingOf.add(origin, -1)
      settle.promise.then(end, end)
      if (!isWriting) void writeAll()
      return settle.promise
    },
  }
}

const originOf = ({ accountId, repeatsOf }: Origin): string => `${accountId} ${repeatsOf}`

function batchWriter(db: Database) {
  const tally = createTally()
  const writeTogether = async (batch: Waiting[]): Promise<void> => {
    let rows: ReturnType<typeof tally.rowsOf> = []
    try {
      const inserted = await db.em.fork().transactional(async (tx) => {
        const observed: ObservedEvent[] = []
        for (const { event, prepare } of batch) if (await prepare(tx)) observed.push(event)
        rows = tally.rowsOf(observed)
        return writeEventRows(tx, rows)
      })
      const counted = tally.settle(rows) - inserted
      securityEvents.inc({ how: 'recorded' }, inserted)
      securityEvents.inc({ how: 'counted' }, counted)
    } catch (error) {
      tally.forget(rows)
      throw error
    }
  }
  return async (batch: Waiting[]): Promise<void> => {
    try {
      await writeTogether(batch)
      for (const { settle } of batch) settle.resolve()
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error))
        return batch.forEach(({ settle }) => settle.reject(error))
      // Such as an account that was deleted meanwhile: it must not take the others with it.
      for (const one of batch)
        await writeTogether([one]).then(one.settle.resolve, one.settle.reject)
    }
  }
}
