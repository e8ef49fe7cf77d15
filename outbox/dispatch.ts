import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import { deleteRequests, postponeRequest } from '../db/workflow-requests.ts'
import type { ClaimedRequest } from '../db/workflow-requests.ts'
import { executeCommand } from './execute-request.ts'
import { isUnreachable } from './is-unreachable.ts'

const COMMAND_DEADLINE_MS = 5_000
const UNREACHABLE_RETRY_MS = 1_000
const REFUSED_RETRY_MAX_MS = 60_000

export interface DispatchOptions {
  db: Database
  client: Client
  logger: Logger
  /** How many commands may be on their way to Temporal at once. */
  concurrency: number
  /** Called when a command has left, so that there is room for another. */
  onRoom: () => void
}

/** Tells Temporal the claimed commands, a bounded number at once, and settles their rows. */
export interface Dispatch {
  add(commands: ClaimedRequest[]): void
  /** How many commands were added and are not told yet. */
  size(): number
  /** False from the first command that found Temporal away to the first that reached it. */
  isReachable(): boolean
  /** Tells nothing more, and resolves when what is on its way has arrived and its rows are gone. */
  stop(): Promise<void>
}

export function createDispatch(options: DispatchOptions): Dispatch {
  const { client, logger, concurrency, onRoom } = options
  const waiting: ClaimedRequest[] = []
  const running = new Set<Promise<void>>()
  const rows = createRowKeeper(options)
  let reachable = true

  const setReachable = (now: boolean): void => {
    if (now === reachable) return
    reachable = now
    if (now) logger.info('Temporal is back')
    else logger.warn('Temporal cannot be reached: the outbox waits')
  }
  const run = async (command: ClaimedRequest): Promise<void> => {
    try {
      await client.withDeadline(Date.now() + COMMAND_DEADLINE_MS, () =>
        executeCommand(client, command),
      )
      setReachable(true)
      rows.done(command.id)
      // A Request-Id finds this line: its work goes on in the workflow of that subject.
      if (command.requestId !== null && command.isWanted)
        logger.info(nameOf(command), 'Temporal has the command of a request')
    } catch (error) {
      const isAway = isUnreachable(error)
      if (isAway) setReachable(false)
      else logger.error({ err: error, ...nameOf(command) }, 'Temporal refused a command')
      await rows.postpone(command.id, isAway ? UNREACHABLE_RETRY_MS : refusedRetryMs(command))
    }
  }
  const pump = (): void => {
    while (running.size < concurrency) {
      const command = waiting.shift()
      if (!command) return
      const task = run(command).finally(() => {
        running.delete(task)
        pump()
        onRoom()
      })
      running.add(task)
    }
  }
  return {
    add(commands) {
      waiting.push(...commands)
      pump()
    },
    size: () => waiting.length + running.size,
    isReachable: () => reachable,
    async stop() {
      // Their leases give them to the next relay.
      waiting.length = 0
      await Promise.all(running)
      await rows.settle()
    },
  }
}

const nameOf = ({ id, command, subjectId, attempts, requestId }: ClaimedRequest) => ({
  outboxId: id,
  command,
  subjectId,
  attempts,
  ...(requestId !== null && { requestId }),
})

const refusedRetryMs = ({ attempts }: ClaimedRequest): number =>
  Math.min(1_000 * 2 ** Math.min(attempts - 1, 10), REFUSED_RETRY_MAX_MS)

/** Deletes rows in batches: whatever is done while one delete runs goes with the next. */
function createRowKeeper({ db, logger }: DispatchOptions) {
  const doneIds: number[] = []
  let deleting: Promise<void> | null = null
  const deleteAll = async (): Promise<void> => {
    while (doneIds.length > 0) await deleteRequests(db.em.fork(), doneIds.splice(0))
  }
  // Where the database is away the lease gives the row back, and Temporal has the work already.
  const forgive = (error: unknown) => logger.warn({ err: error }, 'an outbox row was not settled')
  return {
    done(id: number): void {
      doneIds.push(id)
      deleting ??= deleteAll()
        .catch(forgive)
        .finally(() => (deleting = null))
    },
    postpone: (id: number, delayMs: number) =>
      postponeRequest(db.em.fork(), id, delayMs).catch(forgive),
    settle: async () => {
      await deleting
    },
  }
}
