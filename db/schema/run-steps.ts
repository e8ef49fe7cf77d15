import type { PoolClient } from 'pg'
import type { Database } from '../database.ts'
import { LOCK_TIMEOUT, repeatForLocks } from './repeat-for-locks.ts'
import type { Step } from './step-migration.ts'
import { inTransaction, runOn, type Run } from './transactions.ts'

/** Runs the steps of a migration that are not done, and records each, at last the migration. */
export async function runSteps(db: Database, migration: string, steps: Step[]): Promise<void> {
  const pool = await db.driver.getConnection().getNativeClient()
  const client = await pool.connect()
  try {
    // The server notices within seconds that this process was killed, so the next one does not meet its statement.
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_connection_check_interval = '2s'`,
    )
    for (const step of steps)
      if (!(await isDone(client, migration, step)))
        await repeatForLocks(() => runStep(client, migration, step))
    await inTransaction(client, LOCK_TIMEOUT, async (run) => {
      await run('insert into mikro_orm_migrations (name) values ($1)', [migration])
      await run('delete from migration_step where migration = $1', [migration])
    })
  } finally {
    // Its settings are not for others.
    client.release(true)
  }
}

async function isDone(client: PoolClient, migration: string, { name }: Step): Promise<boolean> {
  const sql = 'select from migration_step where migration = $1 and step = $2'
  return (await client.query(sql, [migration, name])).rowCount === 1
}

async function runStep(client: PoolClient, migration: string, step: Step): Promise<void> {
  const record = (run: Run) =>
    run('insert into migration_step (migration, step) values ($1, $2)', [migration, step.name])
  if (step.isTransaction)
    return inTransaction(client, LOCK_TIMEOUT, async (run) => {
      await step.work(run)
      await record(run)
    })
  // Waits as long as it must: its lock conflicts with no read and no write of rows.
  await client.query('set lock_timeout = 0')
  await step.work(runOn(client))
  await record(runOn(client))
}
