import { setTimeout as sleep } from 'node:timers/promises'
import { recordChunk } from '../../commands/ingest/record-chunk.ts'
import type { Database } from '../../db/database.ts'
import { RUNG } from '../../test/fixtures/published-video.ts'
import { addRunningVideo } from './fill.ts'

/** Videos of two hours in five resolutions, each of which is encoded in 18 minutes. */
const CHUNK_MS = 1_000
const VIDEO_CHUNKS = 1_100
const CHUNK_BYTES = 5_000_000
/** What a video has reserved when it begins to be encoded. Its chunks reserve more when they are larger together. */
const SOURCE_BYTES = 4_000_000_000
/** More than a run records, so no rendition is published. */
const CHUNKS = 100_000

/**
 * Records chunks of `count` videos of an account, one each second of each, as its workers do; the videos are as far as those that
 * began one after another. Returns a function that ends it, with the sorted times of the records.
 */
export async function runIngests(
  db: Database,
  accountId: number,
  count: number,
): Promise<() => Promise<number[]>> {
  const stopping = new AbortController()
  const times: number[] = []
  const ids = await Promise.all(
    Array.from({ length: count }, () => addRunningVideo(db, accountId, SOURCE_BYTES)),
  )
  const running = ids.map(async (id, place) => {
    const doneBytes = Math.floor((place / count) * VIDEO_CHUNKS) * CHUNK_BYTES
    await record(db, { id, accountId, keepOriginal: false }, 0, doneBytes)
    await sleep((place * CHUNK_MS) / count)
    for (let index = 1; !stopping.signal.aborted; index += 1) {
      const startedAt = performance.now()
      await record(db, { id, accountId, keepOriginal: false }, index, CHUNK_BYTES)
      times.push(performance.now() - startedAt)
      await sleep(Math.max(0, CHUNK_MS - (performance.now() - startedAt)))
    }
  })
  return async () => {
    stopping.abort()
    await Promise.all(running)
    return times.toSorted((a, b) => a - b)
  }
}

function record(
  db: Database,
  video: { id: string; accountId: number; keepOriginal: boolean },
  index: number,
  sizeBytes: number,
): Promise<boolean> {
  const chunk = {
    video,
    name: RUNG.name,
    sourceId: null,
    sourceBytes: SOURCE_BYTES,
    damageOf: () => 0,
    plan: { count: CHUNKS },
    chunk: { index },
    audioNames: [],
  }
  const facts = {
    token: '0a0a0a0a',
    firstSegment: 1 + 2 * index,
    startTicks: 92_160 * index,
    initHash: 'a',
    encoded: null,
    rendition: { ...RUNG, sizeBytes },
  }
  return db.em.fork().transactional((tx) => recordChunk(tx, chunk, facts))
}
