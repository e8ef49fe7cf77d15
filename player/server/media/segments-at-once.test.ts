import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { putRendition } from '../../../db/videos/write-renditions.ts'
import { segmentKey } from '../../../domain/videos/media-paths.ts'
import { createStorage, type ObjectStorage } from '../../../storage/object-storage.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { RUNG } from '../../../test/fixtures/published-video.ts'
import { until } from '../../../test/infrastructure/wait-for.ts'

const KIB = 1024
const SEGMENTS = 30
const SEGMENT_BYTES = 100 * KIB
const NAME = '480p'

let folder: string
let fixture: PlayerFixture
/** How many segments are being read into memory. Their reads end with `storageResponds`. */
let reading = 0
const storageResponds = Promise.withResolvers<void>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-at-once-'))
  const stored = createStorage({ driver: 'folder', dir: folder })
  const slow: ObjectStorage = {
    ...stored,
    read: async (key, maxBytes) => {
      if (maxBytes === 0) return stored.read(key, maxBytes)
      reading += 1
      await storageResponds.promise
      return stored.read(key, maxBytes)
    },
  }
  fixture = await openPlayerFixture(() => ({ storage: slow, segmentCacheBytes: 200 * KIB }))
  const { db, videoId } = fixture
  const segments = Array.from({ length: SEGMENTS }, () => ({
    durationTicks: 61_440,
    sizeBytes: SEGMENT_BYTES,
  }))
  const sizeBytes = SEGMENTS * SEGMENT_BYTES + 5
  await putRendition(db.em.fork(), videoId, { ...RUNG, name: NAME, segments, sizeBytes })
  for (const number of segments.keys())
    await stored.putBuffer(
      segmentKey(videoId, { name: NAME }, number + 1),
      Buffer.alloc(SEGMENT_BYTES, number + 1),
      'video/mp4',
    )
})
afterAll(async () => {
  await fixture?.close()
  await rm(folder, { recursive: true })
})

it('requests for many segments at once take a bounded amount of memory, also before the storage responds', async () => {
  let sent = 0
  const responses = Array.from({ length: SEGMENTS }, async (_, at) => {
    const response = await fetch(`${fixture.base}/media/${fixture.videoId}/${NAME}/${at + 1}.m4s`)
    const body = Buffer.from(await response.arrayBuffer())
    sent += 1
    return body.equals(Buffer.alloc(SEGMENT_BYTES, at + 1))
  })
  await until(() => reading + sent === SEGMENTS)
  // Four caches are 800 KiB, so the tenth segment is streamed.
  const inMemory = reading
  storageResponds.resolve()
  expect(await Promise.all(responses)).toEqual(responses.map(() => true))
  expect(inMemory).toBe(9)
})
