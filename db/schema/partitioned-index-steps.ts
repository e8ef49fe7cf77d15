import { indexStep, step, type Step } from './step-migration.ts'
import type { Run } from './transactions.ts'

/**
 * The steps that give a partitioned table an index beside reads and writes: PostgreSQL builds one concurrently only on each
 * partition. `definition` comes after the name of the table: the columns, and a condition if it has one.
 */
export const partitionedIndexSteps = (table: string, index: string, definition: string): Step[] => [
  {
    name: `index ${index} of each partition`,
    isTransaction: false,
    work: async (run) => {
      for (const partition of await partitionsOf(run, table))
        await indexStep(nameOf(partition, table, index), `${partition} ${definition}`).work(run)
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
