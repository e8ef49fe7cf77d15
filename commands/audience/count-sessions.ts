import { isOnlyCounter } from '../../db/audience/audience-lock.ts'
import { readKnownValues } from '../../db/audience/audience-sums.ts'
import {
  lockSessionsToCount,
  type CountOptions,
  type LockedSession,
  type SessionPlace,
} from '../../db/audience/sessions-to-count.ts'
import {
  addToDays,
  addToHours,
  addToRetention,
  addToValues,
} from '../../db/audience/write-audience-sums.ts'
import { markCounted } from '../../db/audience/write-counted-sessions.ts'
import { notePeaks } from '../../db/audience/write-peaks.ts'
import type { EntityManager } from '../../db/database.ts'
import { boundValues, kindsToBound } from '../../domain/audience/bound-values.ts'
import { daysOf } from '../../domain/audience/days-of.ts'
import { experienceOf, noExperience, type Experience } from '../../domain/audience/experience.ts'
import { creditedMeasures, foldSessions } from '../../domain/audience/fold-sessions.ts'
import { appendStatements } from '../xapi/append-statements.ts'
import { addToSketches, addUnknownViewers } from './add-to-sketches.ts'
import { reopenMonths } from './close-months.ts'
import { countViewers, playsOfUnknown } from './count-viewers.ts'

/** Keeps how many sessions play now, if it is more than ever on this day: of each video and account. */
export const notePlayingNow = (em: EntityManager): Promise<void> => notePeaks(em)

/** What a batch has counted. */
export interface CountedBatch {
  sessions: number
  /** The place of the last one; null when none is left. */
  last: SessionPlace | null
  /** What its sessions add to the metrics. */
  experience: Experience
}

/**
 * Adds sessions that have ended, or go on for long, to the sums of the audience (ADR 0065), in one transaction: what
 * each one has become since it was counted last. Safe to run twice, and to kill. Counts nothing while another
 * transaction counts.
 */
export const countSessions = (em: EntityManager, options: CountOptions): Promise<CountedBatch> =>
  em.transactional(async (tx) => {
    const nothing = { sessions: 0, last: null, experience: noExperience() }
    if (!(await isOnlyCounter(tx))) return nothing
    const locked = await lockSessionsToCount(tx, options)
    if (locked.length === 0) return nothing
    const last = locked.length === options.limit ? (locked.at(-1) ?? null) : null
    const counted = locked.filter(({ isPreview }) => !isPreview)
    await count(tx, counted)
    await markCounted(tx, locked, locked.map(creditedMeasures))
    return { sessions: locked.length, last, experience: experienceOf(counted) }
  })

async function count(tx: EntityManager, sessions: readonly LockedSession[]): Promise<void> {
  const { hours, values, retention } = foldSessions(sessions)
  const { firstPlays, completions } = await countViewers(tx, sessions)
  const unknown = await addUnknownViewers(tx, playsOfUnknown(sessions))
  await addToSketches(tx, firstPlays)
  await addToHours(tx, hours)
  await addToDays(
    tx,
    daysOf(hours, [...firstPlays.map((play) => ({ ...play, viewers: 1 })), ...unknown]),
  )
  await addToValues(tx, boundValues(values, await readKnownValues(tx, kindsToBound(values))))
  await addToRetention(tx, retention)
  await reopenMonths(tx, hours)
  await appendStatements(tx, sessions, completions)
}
