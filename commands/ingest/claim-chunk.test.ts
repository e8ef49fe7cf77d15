import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../db/database.ts'
import { hasClaim } from '../../db/ingest/chunk-claims.ts'
import { forgetGrowingVideo, putOutline } from '../../db/ingest/write-growing-videos.ts'
import { insertChunk } from '../../db/ingest/write-rendition-chunks.ts'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { EncodeNextChunkInput } from '../../domain/ingest/ingest.ts'
import type { VideoOutline } from '../../domain/playback/growing-video.ts'
import { planOfChunks } from '../../test/fixtures/ingest-workflow.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { RUNG } from '../../test/fixtures/published-video.ts'
import { claimChunk, claimLaterChunk } from './claim-chunk.ts'

const COUNT = 8
/** Chunks of 32 s at 30 frames per second. */
const { facts, rungs, chunks } = planOfChunks(COUNT)
let fixture: IngestFixture
/** The databases of two workers. */
let workers: Database[]
let input: { videoId: string; accountId: number }

beforeAll(async () => {
  fixture = await openIngestFixture()
  const open = () => openDatabase({ url: fixture.databaseUrl, poolSize: 4 })
  workers = await Promise.all([open(), open()])
})
afterAll(async () => {
  await Promise.all(workers.map((db) => db.close(true)))
  await fixture.close()
})
beforeEach(async () => {
  input = await fixture.addVideo({ status: 'processing' })
  await put()
})

const em = () => fixture.deps.db.em.fork()

function put(change: Partial<VideoOutline> = {}): Promise<void> {
  if (!chunks) throw new Error('the plan has chunks')
  const outline = { durationMs: 256_000, frameRate: '30/1', rung: '360p', audio: [], chunks }
  return em().transactional((tx) => putOutline(tx, input.videoId, { ...outline, ...change }))
}

function inputOf(ticket: number): EncodeNextChunkInput {
  const { audio: _, ...picture } = facts
  if (!chunks) throw new Error('the plan has chunks')
  const group = { picture, rungs: rungs.slice(0, 1), isFirst: true, audioNames: [], plan: chunks }
  return { ...input, ...group, followsPlayheads: true, ticket }
}
const claim = (ticket: number, worker = 0): Promise<number | null> =>
  claimChunk((workers[worker] ?? fixture.deps.db).em.fork(), inputOf(ticket))

const record = (index: number): Promise<boolean> => recordIn('360p', index)

function recordIn(name: string, index: number): Promise<boolean> {
  const made = { token: '0a0a0a0a', firstSegment: 1, startTicks: 0, initHash: '', encoded: null }
  const facts: ChunkFacts = { ...made, rendition: RUNG }
  return insertChunk(em(), { videoId: input.videoId, name, count: COUNT, index }, facts)
}

/** Lets a viewer be at a place. */
const watch = ({ seconds, seenSecondsAgo = 5 }: { seconds: number; seenSecondsAgo?: number }) =>
  em().execute(
    `insert into playhead (video_id, index, seen_at) values (?, ?, now() - make_interval(secs => ?))`,
    [input.videoId, Math.floor(seconds / 32), seenSecondsAgo],
  )

describe('the chunk of an activity', () => {
  it('is the first one of the video, then the one that a viewer needs next', async () => {
    await watch({ seconds: 5 * 32 + 31.9 })
    const claimed = [await claim(0), await claim(1), await claim(2), await claim(3)]
    expect(claimed).toEqual([0, 5, 6, 7])
    expect(await claim(4)).toBe(1)
    await watch({ seconds: 3 * 32 })
    expect([await claim(5), await claim(6), await claim(7)]).toEqual([3, 4, 2])
  })

  it('does not follow viewers who have left', async () => {
    await watch({ seconds: 200, seenSecondsAgo: 31 })
    expect([await claim(0), await claim(1)]).toEqual([0, 1])
  })

  it('is kept by its retries, also when another attempt has recorded it', async () => {
    await claim(0)
    const index = await claim(1)
    await watch({ seconds: 200 })
    expect(await claim(1)).toBe(index)
    await record(index ?? 0)
    expect(await claim(1, 1)).toBe(index)
  })

  it('is given to another ticket when its encoder is silent for as long as Temporal waits', async () => {
    const claimOrTake = (ticket: number) => claimChunk(em(), inputOf(ticket), { takesLost: true })
    await watch({ seconds: 5 * 32 })
    expect([await claimOrTake(0), await claimOrTake(1)]).toEqual([0, 5])
    await em().execute(
      `insert into ingest_progress (video_id, name, part, parts, stage, fraction, updated_at)
       values (?, '360p', 5, ?, 'running', 0.5, now() - interval '19 seconds')`,
      [input.videoId, COUNT],
    )
    expect(await claimOrTake(2)).toBe(6)
    await em().execute(`update ingest_progress set updated_at = now() - interval '21 seconds'`)
    expect(await claim(3)).toBe(7)
    expect(await claimOrTake(4)).toBe(5)
    await em().execute(`update ingest_progress set updated_at = now()`)
    expect(await hasClaim(em(), input.videoId, 1)).toBe(false)
    // As many tickets as chunks are left.
    expect([await claimOrTake(1), await claimOrTake(5), await claimOrTake(6)]).toEqual([1, 2, 3])
    expect(await claimOrTake(7)).toBe(4)
  })

  it('is another one for each ticket, if all claim at the same time on two workers, each twice', async () => {
    await watch({ seconds: 100 })
    const tickets = Array.from({ length: COUNT }, (_, ticket) => COUNT - 1 - ticket)
    const claims = await Promise.all(
      tickets.flatMap((ticket) => [claim(ticket, 0), claim(ticket, 1)]),
    )
    const [first, second] = [0, 1].map((worker) => claims.filter((_, at) => at % 2 === worker))
    expect(second).toEqual(first)
    expect(first?.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('is none that is recorded, and no work is left when all are', async () => {
    for (const index of [0, 1, 2]) await record(index)
    expect(await claim(0)).toBe(3)
    for (const index of [4, 5, 6, 7]) await record(index)
    // The activity of ticket 0 lasts until its chunk is recorded.
    expect(await claim(1)).toBeNull()
    expect(await claim(0)).toBe(3)
  })

  it('is that of its number in a video that does not play while it grows', async () => {
    await em().transactional((tx) => forgetGrowingVideo(tx, input.videoId))
    expect(await claim(3)).toBe(3)
    // The claims stand when a late attempt to prepare the video records that it grows.
    await put()
    await watch({ seconds: 200 })
    expect([await claim(0), await claim(1)]).toEqual([0, 6])
    expect(await claim(3)).toBe(3)
  })

  it('is claimed again if another run of the ingest cuts the video in another way', async () => {
    expect([await claim(0), await claim(1)]).toEqual([0, 1])
    await put({ durationMs: 255_000 })
    await watch({ seconds: 200 })
    expect(await claim(1)).toBe(1)
    await put({ chunks: { chunkFrames: 960, count: 4 } })
    await watch({ seconds: 200 })
    expect([await claim(1), await claim(0)]).toEqual([0, 6])
  })

  it('does not exist once the ingest has ended', async () => {
    await em().execute(`update video set status = 'failed' where id = ?`, [input.videoId])
    await expect(claim(0)).rejects.toMatchObject({ code: 'video_gone' })
  })
})

describe('the chunk of a ticket of the other rungs', () => {
  const laterInput = (ticket: number, plan = chunks) => {
    if (!plan) throw new Error('the plan has chunks')
    const later = { rungs: rungs.slice(0, 2), isFirst: false, followsPlayheads: false }
    return { ...inputOf(ticket), ...later, plan }
  }
  const claimLater = (ticket: number, read: readonly number[] = [], worker = 0) =>
    claimLaterChunk((workers[worker] ?? fixture.deps.db).em.fork(), laterInput(ticket), (index) =>
      read.includes(index),
    )

  it('is one whose source its worker has read, if one is free, and stays the same on another worker', async () => {
    expect(await claim(0)).toBe(0)
    expect(await claimLater(0, [3, 5])).toBe(3)
    expect(await claimLater(1, [3, 5])).toBe(5)
    expect(await claimLater(2, [3, 5])).toBe(0)
    expect(await claimLater(0, [6], 1)).toBe(3)
    expect(await claim(1)).toBe(1)
  })

  it('is another one for each ticket, if all claim at the same time on two workers, each twice', async () => {
    const tickets = Array.from({ length: COUNT }, (_, ticket) => COUNT - 1 - ticket)
    const claims = await Promise.all(
      tickets.flatMap((ticket) => [claimLater(ticket, [1, 4], 0), claimLater(ticket, [1, 6], 1)]),
    )
    const [first, second] = [0, 1].map((worker) => claims.filter((_, at) => at % 2 === worker))
    expect(second).toEqual(first)
    expect(first?.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('is none that is recorded of all rungs, and no work is left when all are', async () => {
    const names = laterInput(0).rungs.map(({ name }) => name)
    expect(names).toHaveLength(2)
    for (const name of names) await recordIn(name, 0)
    await recordIn(names[0] ?? '', 1)
    expect(await claimLater(0)).toBe(1)
    for (const index of [2, 3, 4, 5, 6, 7]) for (const name of names) await recordIn(name, index)
    expect(await claimLater(1)).toBeNull()
    expect(await claimLater(0)).toBe(1)
  })

  it('is claimed again if the rungs are cut in another way, and once the claims of an earlier run are forgotten', async () => {
    expect(await claimLater(2, [7])).toBe(7)
    const plan = { chunkFrames: 1_920, count: 4 }
    expect(await claimLaterChunk(em(), laterInput(2, plan), () => false)).toBe(0)
    await em().transactional((tx) => forgetGrowingVideo(tx, input.videoId))
    expect(await claimLater(2)).toBe(0)
  })

  it('does not exist once the ingest has ended', async () => {
    await em().execute(`update video set status = 'failed' where id = ?`, [input.videoId])
    await expect(claimLater(0)).rejects.toMatchObject({ code: 'video_gone' })
  })
})
