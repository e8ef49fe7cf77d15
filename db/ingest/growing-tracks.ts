import { sql } from 'kysely'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import {
  completeTrack,
  trackOf,
  type GrowingTrack,
  type GrowingTracks,
  type VideoOutline,
} from '../../domain/playback/growing-video.ts'
import type { Rendition as RenditionFacts } from '../../domain/videos/rendition.ts'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'

/**
 * A row as it was read. Its version is the transaction that wrote it: another one has written a chunk that replaces a
 * forgotten one, and a rendition that is published again.
 */
interface Known<Facts> {
  version: string
  facts: Facts
}

/** What a process has read of a video that grows. A long video has megabytes of facts, and one process reads them each second. */
export interface GrowingMemory {
  /** By name, count and index. */
  chunks: ReadonlyMap<string, Known<ChunkFacts>>
  /** By name. */
  published: ReadonlyMap<string, Known<RenditionFacts>>
  /** What `tracks` were computed from. */
  basis: string
  tracks: GrowingTracks | null
}

/** A memory for one video. */
export const newGrowingMemory = (): GrowingMemory => ({
  chunks: new Map(),
  published: new Map(),
  basis: '',
  tracks: null,
})

/** Names and versions of the rows that count now; the rows of a list are in the order of the video. */
type Versions = Map<string, { key: string; version: string }[]>

/** Returns what plays of a video. Reads the rows that are new, and forgets those that are gone, in `memory`. */
export async function readTracks(
  em: EntityManager,
  videoId: string,
  { outline, memory }: { outline: VideoOutline; memory: GrowingMemory },
): Promise<GrowingTracks | null> {
  // In this order: a rendition that is published between both reads is then in one of them.
  const chunks = await findChunkVersions(em, videoId, outline)
  memory.chunks = await keepKnown(memory.chunks, chunks, (keys) => findFacts(em, videoId, keys))
  const published = await findPublishedVersions(em, videoId, outline)
  memory.published = await keepKnown(memory.published, published, (keys) =>
    findPublished(em, videoId, keys),
  )
  const basis = JSON.stringify([outline, versionsOf(memory.chunks), versionsOf(memory.published)])
  if (basis !== memory.basis) {
    memory.tracks = tracksOf(outline, chunks, memory)
    memory.basis = basis
  }
  return memory.tracks
}

const versionsOf = (known: ReadonlyMap<string, Known<unknown>>): string[] =>
  [...known].map(([key, { version }]) => `${key} ${version}`)

/** Keeps what is known of the rows in `versions`, and reads the others. A row that is gone meanwhile is left out. */
async function keepKnown<Facts>(
  known: ReadonlyMap<string, Known<Facts>>,
  versions: Versions,
  read: (keys: string[]) => Promise<Map<string, Known<Facts>>>,
): Promise<ReadonlyMap<string, Known<Facts>>> {
  const rows = [...versions.values()].flat()
  const missing = rows.filter(({ key, version }) => known.get(key)?.version !== version)
  const found = missing.length > 0 ? await read(missing.map(({ key }) => key)) : new Map()
  const isMissing = new Set(missing.map(({ key }) => key))
  return new Map(
    rows.flatMap(({ key }) => {
      const one = isMissing.has(key) ? found.get(key) : known.get(key)
      return one ? [[key, one]] : []
    }),
  )
}

function tracksOf(
  outline: VideoOutline,
  chunks: Versions,
  memory: GrowingMemory,
): GrowingTracks | null {
  const find = (name: string): GrowingTrack | null => {
    const rendition = memory.published.get(name)
    if (rendition) return completeTrack(rendition.facts)
    const own = chunks.get(name) ?? []
    return trackOf(own.flatMap(({ key }) => memory.chunks.get(key)?.facts ?? []))
  }
  const picture = find(outline.rung)
  const audio = outline.audio.flatMap((name) => find(name) ?? [])
  if (!picture || audio.length < outline.audio.length) return null
  return { outline, picture, audio }
}

const keyOf = (name: string, count: number | string, index: number | string): string =>
  `${name} ${count} ${index}`

/** Leaves out the chunks of a plan of the picture that was given up. One row for each rendition. */
async function findChunkVersions(
  em: EntityManager,
  videoId: string,
  { rung, audio, chunks }: VideoOutline,
): Promise<Versions> {
  const rows = await queries(em)
    .selectFrom('rendition_chunk')
    .select([
      'name',
      sql<string>`string_agg(count || ' ' || index || ' ' || xmin::text, ',' order by index, count)`.as(
        'parts',
      ),
    ])
    .where('videoId', '=', videoId)
    .where((eb) =>
      eb.or([
        eb.and([eb('name', '=', rung), eb('count', '=', chunks.count)]),
        ...(audio.length > 0 ? [eb('name', 'in', audio)] : []),
      ]),
    )
    .groupBy('name')
    .execute()
  return new Map(
    rows.map(({ name, parts }) => [
      name,
      parts.split(',').map((part) => {
        const [count = '', index = '', version = ''] = part.split(' ')
        return { key: keyOf(name, count, index), version }
      }),
    ]),
  )
}

async function findFacts(
  em: EntityManager,
  videoId: string,
  keys: string[],
): Promise<Map<string, Known<ChunkFacts>>> {
  const rows = await queries(em)
    .selectFrom('rendition_chunk')
    .select(['name', 'count', 'index', 'facts', sql<string>`xmin::text`.as('version')])
    .where('videoId', '=', videoId)
    .where(sql<boolean>`name || ' ' || count || ' ' || index = any(${keys}::text[])`)
    .execute()
  return new Map(
    rows.map(({ name, count, index, version, facts }) => [
      keyOf(name, count, index),
      { version, facts: played(facts) },
    ]),
  )
}

/** Leaves out what encoders reported. */
const played = ({
  token,
  firstSegment,
  startTicks,
  initHash,
  rendition,
}: ChunkFacts): ChunkFacts => ({
  token,
  firstSegment,
  startTicks,
  initHash,
  encoded: null,
  rendition,
})

async function findPublishedVersions(
  em: EntityManager,
  videoId: string,
  { rung, audio }: VideoOutline,
): Promise<Versions> {
  const rows = await queries(em)
    .selectFrom('rendition')
    .select(['name', sql<string>`xmin::text`.as('version')])
    .where('videoId', '=', videoId)
    .where('name', 'in', [rung, ...audio])
    .execute()
  return new Map(rows.map(({ name, version }) => [name, [{ key: name, version }]]))
}

async function findPublished(
  em: EntityManager,
  videoId: string,
  names: string[],
): Promise<Map<string, Known<RenditionFacts>>> {
  const rows = await queries(em)
    .selectFrom('rendition')
    .select(['name', 'facts', sql<string>`xmin::text`.as('version')])
    .where('videoId', '=', videoId)
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map(({ name, facts, version }) => [name, { version, facts }]))
}
