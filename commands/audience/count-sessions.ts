import { createHash } from 'node:crypto'
import { isOnlyCounter } from '../../db/audience/audience-lock.ts'
import { readKnownValues, readSketches } from '../../db/audience/audience-sums.ts'
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
  writeSketches,
} from '../../db/audience/write-audience-sums.ts'
import { markCounted } from '../../db/audience/write-counted-sessions.ts'
import { notePeaks } from '../../db/audience/write-peaks.ts'
import type { EntityManager } from '../../db/database.ts'
import { boundValues, kindsToBound } from '../../domain/audience/bound-values.ts'
import { daysOf, type FirstPlay } from '../../domain/audience/days-of.ts'
import { creditedMeasures, foldSessions } from '../../domain/audience/fold-sessions.ts'
import {
  addToSketch,
  emptySketch,
  packSketch,
  unpackSketch,
} from '../../domain/audience/viewer-sketch.ts'
import { appendStatements } from '../xapi/append-statements.ts'
import { countViewers } from './count-viewers.ts'

/** Keeps how many sessions play now, if it is more than ever on this day: of each video and account. */
export const notePlayingNow = (em: EntityManager): Promise<void> => notePeaks(em)

/** What a batch has counted. */
export interface CountedBatch {
  sessions: number
  /** The place of the last one; null when none is left. */
  last: SessionPlace | null
}

/**
 * Adds sessions that have ended, or go on for long, to the sums of the audience (ADR 0065), in one transaction: what
 * each one has become since it was counted last. Safe to run twice, and to kill. Counts nothing while another
 * transaction counts.
 */
export const countSessions = (em: EntityManager, options: CountOptions): Promise<CountedBatch> =>
  em.transactional(async (tx) => {
    if (!(await isOnlyCounter(tx))) return { sessions: 0, last: null }
    const locked = await lockSessionsToCount(tx, options)
    const last = locked.length === options.limit ? (locked.at(-1) ?? null) : null
    if (locked.length === 0) return { sessions: 0, last }
    await count(
      tx,
      locked.filter(({ isPreview }) => !isPreview),
    )
    await markCounted(tx, locked, locked.map(creditedMeasures))
    return { sessions: locked.length, last }
  })

async function count(tx: EntityManager, sessions: readonly LockedSession[]): Promise<void> {
  const { hours, values, retention } = foldSessions(sessions)
  const { firstPlays, completions } = await countViewers(tx, sessions)
  await addToHours(tx, hours)
  await addToDays(tx, daysOf(hours, firstPlays))
  await addToValues(tx, boundValues(values, await readKnownValues(tx, kindsToBound(values))))
  await addToRetention(tx, retention)
  await addToSketches(tx, firstPlays)
  await appendStatements(tx, sessions, completions)
}

async function addToSketches(tx: EntityManager, firstPlays: readonly FirstPlay[]): Promise<void> {
  const dayOf = ({ accountId, videoId, day }: FirstPlay) => ({ accountId, videoId, day })
  const keyOf = ({ accountId, videoId, day }: Omit<FirstPlay, 'viewerId'>): string =>
    `${accountId} ${videoId} ${day}`
  const days = new Map(firstPlays.map((first) => [keyOf(first), dayOf(first)]))
  const stored = await readSketches(tx, [...days.values()])
  const sketches = new Map(stored.map(({ bytes, ...day }) => [keyOf(day), unpackSketch(bytes)]))
  const changed = new Set<string>()
  for (const { viewerId, ...day } of firstPlays) {
    const key = keyOf(day)
    const sketch = sketches.get(key) ?? emptySketch()
    sketches.set(key, sketch)
    const hash = createHash('sha256').update(viewerId).digest()
    if (addToSketch(sketch, hash.readUInt32BE(0), hash.readUInt32BE(4))) changed.add(key)
  }
  const written = [...days].filter(([key]) => changed.has(key))
  await writeSketches(
    tx,
    written.map(([key, day]) => ({
      ...day,
      bytes: packSketch(sketches.get(key) ?? emptySketch()),
    })),
  )
}
