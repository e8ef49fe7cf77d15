import type { SealedKind } from './sealed-value.ts'

/** Where a rotation continues: after this key of this kind; null for the first key of the kind. */
export interface ResealPosition {
  kind: SealedKind
  after: string[] | null
}

/** One batch: `position` is null for the first one of a pass. */
export interface ResealInput {
  /** The version under which every value is to be sealed. */
  version: number
  position: ResealPosition | null
}

/** A value that no known key opens. */
export interface UnreadableValue {
  kind: SealedKind
  /** The key of its row, its parts joined with a slash. */
  row: string
  /** Why it does not open; never any part of it. */
  reason: string
}

export interface ResealBatch {
  /** Null after the last value of the last kind. */
  next: ResealPosition | null
  resealedCount: number
  unreadable: UnreadableValue[]
}

/** What a rotation has done so far; a run hands it to the next one. */
export interface RotationProgress {
  /** Values under other versions at the start of this pass. */
  olderCount: number
  /** From 1. A pass goes through all kinds once. */
  pass: number
  position: ResealPosition | null
  resealedCount: number
  /** The first unreadable values of this pass, and how many it has. */
  unreadable: UnreadableValue[]
  unreadableCount: number
}

export interface RotateMasterKeyInput {
  version: number
  /** Absent in the first run. */
  progress?: RotationProgress
}

export interface RotateMasterKeyResult {
  version: number
  resealedCount: number
}

/** How many unreadable values an error names. */
const NAMED_MAX = 20

/** The progress at the start of a pass. */
export const startPass = (
  olderCount: number,
  { pass, resealedCount }: Pick<RotationProgress, 'pass' | 'resealedCount'>,
): RotationProgress => ({
  olderCount,
  pass,
  position: null,
  resealedCount,
  unreadable: [],
  unreadableCount: 0,
})

/** The progress after a batch. */
export const afterBatch = (before: RotationProgress, batch: ResealBatch): RotationProgress => ({
  ...before,
  position: batch.next,
  resealedCount: before.resealedCount + batch.resealedCount,
  unreadable: [...before.unreadable, ...batch.unreadable].slice(0, NAMED_MAX),
  unreadableCount: before.unreadableCount + batch.unreadable.length,
})

/** Describes the values that a rotation could not open: "2 values do not open: content-key abc/SD (reason); …". */
export function unreadableText({ unreadable, unreadableCount }: RotationProgress): string {
  const named = unreadable.map(({ kind, row, reason }) => `${kind} ${row} (${reason})`)
  const more = unreadableCount - unreadable.length
  const count = unreadableCount === 1 ? '1 value does' : `${unreadableCount} values do`
  return `${count} not open: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}
