import type { EntityManager } from '../database.ts'
import { settleRestoredEvents } from '../webhooks/write-events.ts'

/**
 * Settles the events if the database was restored into another server than that of the last call, and records this one.
 * Costs one row otherwise. A role that may not read the identity of the server pays for the whole check.
 */
export async function settleOnAnotherServer(em: EntityManager): Promise<void> {
  const identifier = await readIdentifier(em)
  const [last] = await em.execute<{ identifier: string }[]>(
    'select identifier from database_server',
  )
  if (identifier !== null && last?.identifier === identifier) return
  await settleRestoredEvents(em)
  await em.execute('delete from database_server')
  if (identifier !== null)
    await em.execute('insert into database_server (identifier) values (?)', [identifier])
}

async function readIdentifier(em: EntityManager): Promise<string | null> {
  const [right] = await em.execute<{ is_given: boolean }[]>(
    `select has_function_privilege('pg_control_system()', 'execute') as is_given`,
  )
  if (right?.is_given !== true) return null
  const [row] = await em.execute<{ identifier: string }[]>(
    'select system_identifier::text as identifier from pg_control_system()',
  )
  return row?.identifier ?? null
}
