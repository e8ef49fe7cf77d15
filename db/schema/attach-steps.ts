import {
  boundOf,
  defaultOf,
  HOUR_MS,
  periodStart,
  type Partitioned,
  type PartitionedById,
  type PartitionedByTime,
} from '../partitions/partitioned.ts'
import { openPartitions } from '../partitions/write-partitions.ts'
import { step, type Step } from './step-migration.ts'
import type { Run } from './transactions.ts'

export interface Attachment {
  partitioned: Partitioned
  /** The table that becomes the first partition. */
  old: string
  /** The name of the first partition: `old`, if processes of the release before go on with it. */
  first: string
  /** Indexes of the old table that the others do not have. */
  ownIndexes?: string[]
}

/**
 * The steps that make a table the first partition of a partitioned one, without a copy of its rows and beside reads and
 * writes. Each takes strong locks for moments only: the rows are checked against the limit of the first partition before it is attached.
 * Foreign keys are not taken over, nor are triggers.
 */
export const attachSteps = (attachment: Attachment): Step[] => {
  const { partitioned, old } = attachment
  const limit = `${old}_limit`
  return [
    step(`${old}: limit of the first partition`, async (run) => {
      const to =
        partitioned.by === 'id'
          ? await firstFreeId(run, partitioned)
          : await firstFreeTime(run, partitioned)
      await run(
        `alter table ${old} add constraint ${limit}
         check (${columnOf(partitioned)} < ${boundOf(partitioned, to)}) not valid`,
      )
    }),
    step(`${old}: check of the rows`, `alter table ${old} validate constraint ${limit}`),
    step(`${old}: attach`, (run) => attach(run, attachment, limit)),
    step(`${old}: partitions ahead`, async (run) => void (await openPartitions(run, partitioned))),
    step(`${old}: without the check`, `alter table ${attachment.first} drop constraint ${limit}`),
  ]
}

const columnOf = (table: Partitioned): string =>
  table.by === 'id' ? table.column : table.timeColumn

/** Far enough ahead that the old table takes rows until it is attached, however long the check takes. */
async function firstFreeId(run: Run, { sequence, idsMin }: PartitionedById): Promise<number> {
  const [row] = await run<{ last: number }>(`select last_value as last from ${sequence}`)
  const last = row?.last ?? 0
  return Math.ceil((last + Math.max(idsMin, last / 4)) / 1_000) * 1_000
}

const FIRST_FREE_AFTER_MS = 14 * 24 * HOUR_MS

/** At least two weeks ahead: until then processes of the release before may write to the old table. */
async function firstFreeTime(run: Run, { period }: PartitionedByTime): Promise<number> {
  const [row] = await run<{ now: Date }>('select now()')
  return periodStart((row?.now.getTime() ?? 0) + FIRST_FREE_AFTER_MS, period, 1)
}

async function attach(run: Run, attachment: Attachment, limit: string): Promise<void> {
  const { partitioned, old, first, ownIndexes = [] } = attachment
  const { table } = partitioned
  const [bound] = await run<{ limit: string }>(
    `select (regexp_match(pg_get_constraintdef(oid), '< (.*?)\\)+$'))[1] as limit
     from pg_constraint where conrelid = $1::regclass and conname = $2`,
    [old, limit],
  )
  const indexes = (await readIndexes(run, old)).filter(({ name }) => !ownIndexes.includes(name))
  if (first !== old) {
    await run(`alter table ${old} rename to ${first}`)
    for (const { name } of indexes)
      await run(`alter index ${name} rename to ${renamed(name, old, first)}`)
  }
  await run(
    `create table ${table} (like ${first} including all excluding indexes) partition by range (${columnOf(partitioned)})`,
  )
  await run(`alter table ${table} drop constraint ${limit}`)
  for (const { name, definition, key } of indexes) {
    const ownName = first === old ? renamed(name, old, table) : name
    await run(
      key === null
        ? definition.replace(/ index \S+ on \S+ /i, ` index ${ownName} on ${table} `)
        : `alter table ${table} add constraint ${ownName} ${key}`,
    )
  }
  const storage = partitioned.storage === undefined ? '' : ` with (${partitioned.storage})`
  await run(`create table ${defaultOf(table)} partition of ${table} default${storage}`)
  await run(
    `alter table ${table} attach partition ${first} for values from (minvalue) to (${bound?.limit})`,
  )
  if (partitioned.by === 'time') return
  await run(
    'insert into id_partition (name, table_name, opened_at) values ($1, $2, clock_timestamp())',
    [first, table],
  )
  // It would be dropped with the first partition.
  await run(`alter sequence ${partitioned.sequence} owned by ${table}.${partitioned.column}`)
}

const renamed = (index: string, from: string, to: string): string =>
  index.startsWith(from) ? to + index.slice(from.length) : `${to}_${index}`

/** The indexes of a table: each with the statement that makes it, and the definition of its constraint if it has one. */
const readIndexes = (run: Run, table: string) =>
  run<{ name: string; definition: string; key: string | null }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
       pg_get_constraintdef(c.oid) as key
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid
       and c.contype in ('p', 'u')
     where i.indrelid = $1::regclass order by 1`,
    [table],
  )
