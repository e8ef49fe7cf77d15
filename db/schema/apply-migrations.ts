import { pathToFileURL } from 'node:url'
import type { Database } from '../database.ts'
import { LOCK_TIMEOUT, repeatForLocks } from './repeat-for-locks.ts'
import { runSteps } from './run-steps.ts'
import { StepMigration } from './step-migration.ts'

export interface Selection {
  /** Only these. */
  names?: string[]
  /** Only those up to this one. */
  to?: string
  /** Rejects when the process may no longer migrate; called before each part. */
  assertHeld?: () => Promise<void>
}

/**
 * Applies the missing migrations in order, and returns their names. Those in a row without steps share one transaction;
 * each step of the others is committed by itself. What does not get its locks in time is repeated for about two minutes.
 */
export async function applyMigrations(
  db: Database,
  { names, to, assertHeld }: Selection = {},
): Promise<string[]> {
  const pending = (await db.migrator.getPending()).filter(
    ({ name }) => (names?.includes(name) ?? true) && (to === undefined || name <= to),
  )
  for (const part of await partsOf(db, pending)) {
    await assertHeld?.()
    const { steps } = part
    if (steps) await runSteps(db, part.names[0] ?? '', steps.steps())
    else await repeatForLocks(() => applyInOneTransaction(db, part.names))
  }
  return pending.map(({ name }) => name)
}

interface Part {
  names: string[]
  steps: StepMigration | null
}

async function partsOf(db: Database, pending: { name: string; path?: string }[]): Promise<Part[]> {
  const parts: Part[] = []
  for (const { name, path } of pending) {
    const steps = path === undefined ? null : await loadSteps(db, path)
    const last = parts.at(-1)
    if (last && !last.steps && !steps) last.names.push(name)
    else parts.push({ names: [name], steps })
  }
  return parts
}

async function loadSteps(db: Database, path: string): Promise<StepMigration | null> {
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  const found = Object.values(module).find(isStepMigration)
  return found ? new found(db.driver, db.config) : null
}

type StepClass = new (...args: ConstructorParameters<typeof StepMigration>) => StepMigration

const isStepMigration = (value: unknown): value is StepClass =>
  typeof value === 'function' && value.prototype instanceof StepMigration

const applyInOneTransaction = (db: Database, migrations: string[]): Promise<unknown> =>
  db.driver.getConnection().transactional(async (transaction) => {
    const set = `set local lock_timeout = '${LOCK_TIMEOUT}'; set local statement_timeout = 0`
    await db.driver.execute(set, [], 'run', transaction)
    await db.migrator.up({ migrations, transaction })
  })
