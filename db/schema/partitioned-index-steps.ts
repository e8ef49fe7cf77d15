import { step, type Step } from './step-migration.ts'
import type { Run } from './transactions.ts'

/**
 * The steps that give a partitioned table an index beside reads and writes: PostgreSQL builds one concurrently only on each
 * partition. `definition` is what follows the name of the table.
 */
export const partitionedIndexSteps = (table: string, index: string, definition: string): Step[] => [
  {
    name: `index ${index} of each partition`,
    isTransaction: false,
    work: async (run) => {
      for (const partition of await partitionsOf(run, table)) {
        const name = nameOf(partition, table, index)
        // A kill leaves an invalid index, which costs writes and serves no read.
        const [left] = await run<{ valid: boolean }>(
          `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
          [name],
        )
        if (left?.valid === false) await run(`drop index concurrently ${name}`)
        await run(`create index concurrently if not exists ${name} on ${partition} ${definition}`)
      }
    },
  },
  // Takes the indexes of the partitions that have one already. One that was made meanwhile is empty.
  step(`index ${index}`, `create index ${index} on ${table} ${definition}`),
]

const nameOf = (partition: string, table: string, index: string): string =>
  `${partition}${index.slice(table.length)}`

async function partitionsOf(run: Run, table: string): Promise<string[]> {
  const rows = await run<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = to_regclass($1) order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}
