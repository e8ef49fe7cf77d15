import { z } from 'zod'
import type { MasterKeyHolder } from '../../db/secrets/master-key-holders.ts'
import type { SealedCount } from '../../db/secrets/sealed-values.ts'

/** How far a change of the master key has come, as the command line shows it. */
const masterKeyStatusSchema = z.object({
  object: z.literal('master_key_status'),
  version: z.int().meta({ description: 'The version under which new values are to be sealed.' }),
  values: z
    .array(
      z.object({
        kind: z.string(),
        version: z.int().nullable().meta({ description: 'Null for text that names no version.' }),
        count: z.int(),
      }),
    )
    .meta({ description: 'The stored values by kind and version.' }),
  total_count: z.int(),
  other_count: z.int().meta({ description: 'How many values other versions have sealed.' }),
  percent: z
    .int()
    .meta({ description: 'The share of values under the version, rounded down: 100 means all.' }),
  processes: z
    .array(z.object({ process: z.string(), versions: z.array(z.int()) }))
    .meta({ description: 'The running processes; each seals under the first of its versions.' }),
  droppable_versions: z.array(z.int()).meta({
    description: 'Earlier versions that no value needs and under which no process seals.',
  }),
  next_version: z
    .int()
    .nullable()
    .meta({ description: 'A later version that is known and not current yet.' }),
})

export type MasterKeyStatus = z.output<typeof masterKeyStatusSchema>

export interface MasterKeyFacts {
  /** The current version first. */
  versions: readonly [number, ...number[]]
  counts: SealedCount[]
  holders: MasterKeyHolder[]
}

/** The status of the master key. */
export function masterKeyStatusView({
  versions: [version, ...others],
  counts,
  holders,
}: MasterKeyFacts): MasterKeyStatus {
  const sum = (some: SealedCount[]) => some.reduce((all, { count }) => all + count, 0)
  const [total, other] = [sum(counts), sum(counts.filter((one) => one.version !== version))]
  const isNeeded = (old: number) =>
    counts.some((one) => one.version === old) ||
    holders.some(({ versions: [first] }) => first === old)
  return {
    object: 'master_key_status',
    version,
    values: counts,
    total_count: total,
    other_count: other,
    percent: total === 0 ? 100 : Math.floor(((total - other) / total) * 100),
    processes: holders.map(({ process, versions }) => ({ process, versions })),
    droppable_versions: others.filter((other) => other < version && !isNeeded(other)),
    next_version: nextVersionOf([version, ...others]),
  }
}

/** The latest of the versions; null if it is current. */
export function nextVersionOf(versions: readonly [number, ...number[]]): number | null {
  const latest = Math.max(...versions)
  return latest === versions[0] ? null : latest
}
