import { createHash } from 'node:crypto'
import { readSketches } from '../../db/audience/audience-sums.ts'
import { writeSketches } from '../../db/audience/write-audience-sums.ts'
import type { EntityManager } from '../../db/database.ts'
import type { FirstPlay, MoreViewers } from '../../domain/audience/days-of.ts'
import {
  addToSketch,
  emptySketch,
  estimateViewers,
  packSketch,
  unpackSketch,
  type Sketch,
} from '../../domain/audience/viewer-sketch.ts'

/** The sketch of a day that viewers are added to. */
interface GrowingSketch extends Omit<MoreViewers, 'viewers'> {
  sketch: Sketch
  viewersBefore: number
  hasChanged: boolean
}

/**
 * Adds viewers to the sketches of their days. Returns how many viewers each day has more by the estimate of its sketch. Only one
 * transaction may do so at a time.
 */
export async function addToSketches(
  tx: EntityManager,
  plays: readonly FirstPlay[],
): Promise<MoreViewers[]> {
  const days = await openSketches(tx, plays)
  for (const play of plays) {
    const day = days.get(keyOf(play))
    const hash = createHash('sha256').update(play.viewerId).digest()
    if (day && addToSketch(day.sketch, hash.readUInt32BE(0), hash.readUInt32BE(4)))
      day.hasChanged = true
  }
  const changed = [...days.values()].filter(({ hasChanged }) => hasChanged)
  await writeSketches(
    tx,
    changed.map((day) => ({ ...placeOf(day), bytes: packSketch(day.sketch) })),
  )
  return changed.map((day) => ({
    ...placeOf(day),
    viewers: estimateViewers(day.sketch) - day.viewersBefore,
  }))
}

async function openSketches(
  tx: EntityManager,
  plays: readonly FirstPlay[],
): Promise<Map<string, GrowingSketch>> {
  const wanted = new Map(plays.map((play) => [keyOf(play), placeOf(play)]))
  const rows = await readSketches(tx, [...wanted.values()])
  const stored = new Map(rows.map(({ bytes, ...day }) => [keyOf(day), unpackSketch(bytes)]))
  return new Map(
    [...wanted].map(([key, of]) => {
      const sketch = stored.get(key) ?? emptySketch()
      return [key, { ...of, sketch, viewersBefore: estimateViewers(sketch), hasChanged: false }]
    }),
  )
}

type Place = Omit<FirstPlay, 'viewerId'>

const placeOf = ({ accountId, videoId, day }: Place): Place => ({ accountId, videoId, day })

const keyOf = ({ accountId, videoId, day }: Place): string => `${accountId} ${videoId} ${day}`
