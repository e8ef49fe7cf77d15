import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgetRungChunks } from '../../commands/ingest/record-outline.ts'
import { joinChunks, type ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { VideoOutline } from '../../domain/playback/growing-video.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { insertPublishedVideo, RUNG } from '../../test/fixtures/published-video.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openDatabase, type Database } from '../database.ts'
import { deleteRendition, deleteRenditions, putRendition } from '../videos/write-renditions.ts'
import { newGrowingMemory, type GrowingMemory } from './growing-tracks.ts'
import { findGrowingVideo } from './growing-videos.ts'
import { forgetGrowingVideo, putOutline } from './write-growing-videos.ts'
import { deleteChunks, insertChunk } from './write-rendition-chunks.ts'

const COUNT = 4
const NAMES = ['360p', 'audio'] as const
type Name = (typeof NAMES)[number]

let testDatabase: TestDatabase
let db: Database
let videoId: string
let memory: GrowingMemory

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  db = await openDatabase({ url: testDatabase.url, poolSize: 4 })
  const secrets = {
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    signingSecret: randomBytes(32).toString('hex'),
  }
  ;({ videoId } = await insertPublishedVideo(db, secrets, { title: 'lesson', durationMs: 60_000 }))
})
afterAll(async () => {
  await db?.close(true)
  await testDatabase?.drop()
})
beforeEach(begin)

const em = () => db.em.fork()

async function begin(): Promise<void> {
  memory = newGrowingMemory()
  await deleteRenditions(em(), videoId)
  await em().transactional((tx) => forgetGrowingVideo(tx, videoId))
  await plan(COUNT)
}

const plan = (count: number, audio: string[] = ['audio']): Promise<void> => {
  const chunks = { chunkFrames: 240, count }
  const outline: VideoOutline = {
    durationMs: 60_000,
    frameRate: '30/1',
    rung: '360p',
    audio,
    chunks,
  }
  return em().transactional((tx) => putOutline(tx, videoId, outline))
}

const chunk = (index: number, attempt: number, name: Name = '360p'): ChunkFacts => ({
  token: `${attempt}${index}`.padEnd(8, '0'),
  firstSegment: index + 1,
  startTicks: index * 61_440,
  initHash: 'a',
  encoded: { frames: 1, framesDecoded: 1 },
  rendition: {
    ...RUNG,
    name,
    kind: name === 'audio' ? 'audio' : 'video',
    segments: [{ durationTicks: 61_440, sizeBytes: attempt + 10 }],
  },
})

const record = (index: number, attempt: number, name: Name = '360p', count = COUNT) =>
  insertChunk(em(), { videoId, name, count, index }, chunk(index, attempt, name))

const publish = (name: Name, attempt: number) =>
  em().transactional(async (tx) => {
    const chunks = Array.from({ length: COUNT }, (_, index) => chunk(index, attempt, name))
    await putRendition(tx, videoId, joinChunks(chunks))
    await deleteChunks(tx, videoId, name)
  })

const acts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      name: fc.constantFrom(...NAMES),
      index: fc.nat(COUNT - 1),
      count: fc.constantFrom(COUNT, COUNT, COUNT, COUNT + 1),
    }),
  },
  ...(['forget', 'withdraw', 'publish', 'replace'] as const).map((what) => ({
    weight: 1,
    arbitrary: fc.record({ do: fc.constant(what), name: fc.constantFrom(...NAMES) }),
  })),
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      count: fc.constantFrom(COUNT, COUNT + 1),
      audio: fc.constantFrom<string[][]>(['audio'], []),
    }),
  },
)

describe('what plays of a video that grows, with the memory of a process', () => {
  it('is the same as without one, after anything that is recorded, forgotten or published', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 3, maxLength: 14 }), async (list) => {
        await begin()
        for (const [attempt, act] of list.entries()) {
          if (act.do === 'record') await record(act.index, attempt, act.name, act.count)
          else if (act.do === 'plan') await plan(act.count, act.audio)
          else if (act.do === 'publish') await publish(act.name, attempt)
          else if (act.do === 'withdraw') await deleteRendition(em(), videoId, act.name)
          else if (act.do === 'replace') {
            await deleteChunks(em(), videoId, act.name)
            await record(0, attempt, act.name)
          } else {
            await forgetRungChunks(em(), videoId)
            await plan(COUNT)
          }
          const remembered = await findGrowingVideo(em(), videoId, memory)
          expect(remembered).toEqual(await findGrowingVideo(em(), videoId))
        }
      }),
      { numRuns: 20 },
    )
  })

  it('is computed from the new parts alone', async () => {
    await record(0, 1)
    await record(0, 1, 'audio')
    const first = await findGrowingVideo(em(), videoId, memory)
    const known = [...memory.chunks.values()]
    expect(known).toHaveLength(2)
    // Nothing is new: not even the lists are made again.
    expect((await findGrowingVideo(em(), videoId, memory))?.tracks).toBe(first?.tracks)
    await record(1, 1)
    const second = await findGrowingVideo(em(), videoId, memory)
    expect(second?.tracks?.picture.runs[0]?.segments).toHaveLength(2)
    for (const one of known) expect([...memory.chunks.values()]).toContain(one)
  })
})
