import { createHash } from 'node:crypto'
import { readDaySketches } from '../../db/audience/sketches.ts'
import { writeDaySketches } from '../../db/audience/write-sketches.ts'
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

/** Adds viewers to the sketches of their days. Only one transaction may do so at a time. */
export async function addToSketches(tx: EntityManager, plays: readonly FirstPlay[]): Promise<void> {
  if (plays.length > 0) await growSketches(tx, plays, await openSketches(tx, plays))
}

/** The same for viewers of whom nothing else is kept. Returns how many viewers each day has more by the estimate of its sketch. */
export async function addUnknownViewers(
  tx: EntityManager,
  plays: readonly FirstPlay[],
): Promise<MoreViewers[]> {
  if (plays.length === 0) return []
  const days = await openSketches(tx, plays)
  const before = new Map([...days].map(([key, { sketch }]) => [key, estimateViewers(sketch)]))
  await growSketches(tx, plays, days)
  const grown = [...days].map(([key, day]) => ({
    ...placeOf(day),
    viewers: estimateViewers(day.sketch) - (before.get(key) ?? 0),
  }))
  return grown.filter(({ viewers }) => viewers > 0)
}

type Place = Omit<FirstPlay, 'viewerId'>

/** Days by their keys, with their sketches. */
type OpenSketches = ReadonlyMap<string, Place & { sketch: Sketch }>

async function openSketches(tx: EntityManager, plays: readonly FirstPlay[]): Promise<OpenSketches> {
  const wanted = new Map(plays.map((play) => [keyOf(play), placeOf(play)]))
  const rows = await readDaySketches(tx, [...wanted.values()])
  const stored = new Map(rows.map(({ bytes, ...day }) => [keyOf(day), unpackSketch(bytes)]))
  return new Map(
    [...wanted].map(([key, of]) => [key, { ...of, sketch: stored.get(key) ?? emptySketch() }]),
  )
}

async function growSketches(
  tx: EntityManager,
  plays: readonly FirstPlay[],
  days: OpenSketches,
): Promise<void> {
  const changed = new Set<string>()
  for (const play of plays) {
    const key = keyOf(play)
    const day = days.get(key)
    const hash = createHash('sha256').update(play.viewerId).digest()
    if (day && addToSketch(day.sketch, hash.readUInt32BE(0), hash.readUInt32BE(4))) changed.add(key)
  }
  const grown = [...days]
    .filter(([key]) => changed.has(key))
    .map(([, day]) => ({ ...placeOf(day), bytes: packSketch(day.sketch) }))
  if (grown.length === 0) return
  await writeDaySketches(tx, grown)
}

const placeOf = ({ accountId, videoId, day }: Place): Place => ({ accountId, videoId, day })

const keyOf = ({ accountId, videoId, day }: Place): string => `${accountId} ${videoId} ${day}`
