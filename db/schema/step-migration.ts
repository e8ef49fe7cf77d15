import { Migration } from '@mikro-orm/migrations'
import type { Run } from './transactions.ts'

/** A part of a migration that is committed by itself. */
export interface Step {
  /** Unique in its migration; it never changes, because a migration that was killed continues by it. */
  name: string
  /**
   * True for a step that is one transaction with the record that it is done: it takes effect once. False for one whose
   * statements PostgreSQL refuses inside a transaction: it may run twice, and be killed at any statement.
   */
  isTransaction: boolean
  work(run: Run): Promise<unknown>
}

/**
 * A migration for tables that are large, or busy: its steps run one after another, and a migration that was killed
 * continues with the step that is not done. Processes of the release before work between and during all steps.
 */
export abstract class StepMigration extends Migration {
  abstract steps(): Step[]

  /** Throws: only `applyMigrations` runs steps. */
  override up(): never {
    throw new Error('a migration in steps is applied by applyMigrations')
  }
}

/** A step in one transaction: statements, or functions for what depends on rows. */
export const step = (name: string, ...parts: (string | ((run: Run) => Promise<void>))[]): Step => ({
  name,
  isTransaction: true,
  work: async (run) => {
    for (const part of parts) await (typeof part === 'string' ? run(part) : part(run))
  },
})

/** A step that builds an index beside reads and writes: `on` is `table (columns)`, with a condition if it has one. */
export const indexStep = (index: string, on: string, kind: '' | 'unique' = ''): Step => ({
  name: `index ${index}`,
  isTransaction: false,
  work: async (run) => {
    // A kill leaves an invalid index, which costs writes and serves no read.
    const [left] = await run<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
      [index],
    )
    if (left?.valid === false) await run(`drop index concurrently ${index}`)
    await run(`create ${kind} index concurrently if not exists ${index} on ${on}`)
  },
})
