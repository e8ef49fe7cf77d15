/** The kinds of work whose lost workflows the sweep starts again, each on its own. */
export const SWEEP_KINDS = [
  'deliveries',
  'videos',
  'deletions',
  'replays',
  'posters',
  'accounts',
  'endpoints',
  'imports',
] as const

export type SweepKind = (typeof SWEEP_KINDS)[number]

/** What a call of the sweep has done. */
export interface SweptPart {
  /** The number of rows without a workflow, for which it requested another one. */
  requested: number
  /** The number of rows about which Temporal did not respond. */
  skipped: number
  /** True if the last row was looked at; the next call continues otherwise. */
  isComplete: boolean
}

export type SweepResult = Partial<Record<SweepKind, SweptPart>>
