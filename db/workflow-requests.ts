import { requestOf } from './database.ts'
import type { EntityManager } from './database.ts'
import type { OutboxCommand } from './entities/event.ts'

export interface Command {
  command: OutboxCommand
  subjectId: string
  accountId: number
  /** The request that caused it; that of the EntityManager by default. */
  requestId?: string | null
}

/** The channel on which a commit wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox'

/**
 * Writes commands for the relay in the caller's transaction: they exist exactly where the work
 * that they announce was committed, and PostgreSQL wakes the relay at that commit.
 */
export async function appendCommands(em: EntityManager, commands: Command[]): Promise<void> {
  if (commands.length === 0) return
  const values = commands.map(() => '(?, ?, ?, ?)').join(', ')
  const parameters = commands.flatMap((c) => [
    ...[c.command, c.subjectId, c.accountId],
    c.requestId ?? requestOf(em),
  ])
  await em.execute(
    `insert into outbox (command, subject_id, account_id, request_id) values ${values}`,
    parameters,
  )
  await notifyRelay(em)
}

/** Wakes the relay when the caller's transaction commits; for commands that were written by other means. */
export const notifyRelay = (em: EntityManager): Promise<unknown> =>
  em.execute(`select pg_notify('${OUTBOX_CHANNEL}', '')`)
