import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { Playhead } from '../../../db/entities/playhead.ts'
import { GrowingOutline, Rendition, RenditionChunk, Video } from '../../../db/entities/video.ts'
import { putProgress } from '../../../db/ingest/write-ingest-progress.ts'
import { insertChunk } from '../../../db/ingest/write-rendition-chunks.ts'
import { putRendition } from '../../../db/videos/write-renditions.ts'
import { joinChunks, type ChunkFacts } from '../../../domain/encoding/join-chunks.ts'
import { partPrefix } from '../../../domain/videos/media-paths.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../../test/fixtures/playback-sessions.ts'
import { RUNG } from '../../../test/fixtures/published-video.ts'
import { waitFor } from '../../../test/infrastructure/wait-for.ts'
import { createSegmentFinder } from '../media/segment-addresses.ts'
import { paths } from '../paths.ts'
import { createGrowingVideos } from './growing-videos.ts'

let fixture: SessionFixture
let session: string

const COUNT = 3
/** Each chunk has two segments of four seconds. */
const SEGMENT = { durationTicks: 61_440, sizeBytes: 10 }
const tokenOf = (index: number): string => `${index}`.repeat(8)
const manifest = () => paths.dashManifest(fixture.videoId)

function chunk(index: number): ChunkFacts {
  const segments = [SEGMENT, SEGMENT]
  return {
    token: tokenOf(index),
    firstSegment: 1 + index * 2,
    startTicks: index * 122_880,
    initHash: 'a',
    encoded: null,
    rendition: { ...RUNG, segments, sizeBytes: index === 0 ? 22 : 20 },
  }
}

const publish = (index: number) =>
  insertChunk(
    fixture.db.em.fork(),
    { videoId: fixture.videoId, name: RUNG.name, count: COUNT, index },
    chunk(index),
  )

async function complete(): Promise<void> {
  const em = fixture.db.em.fork()
  await putRendition(em, fixture.videoId, joinChunks([0, 1, 2].map(chunk)))
  await em.nativeDelete(RenditionChunk, { videoId: fixture.videoId })
  await em.nativeUpdate(Video, { id: fixture.videoId }, { status: 'playable' })
}

/** The chunks that the encoders hear of. */
const playheads = async (): Promise<number[]> => {
  const rows = await fixture.db.em.fork().find(Playhead, { videoId: fixture.videoId })
  return rows.map(({ index }) => index).toSorted((a, b) => a - b)
}
const ask = (path: string) => fixture.ask(path, { session })
/** Waits until the host has forgotten what it read in the last second. */
const readAgain = () => fixture.restart()

beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture.close())

beforeEach(async () => {
  await fixture.reset()
  const { videoId } = fixture
  const em = fixture.db.em.fork()
  await em.nativeDelete(Rendition, { videoId })
  await em.nativeDelete(RenditionChunk, { videoId })
  await em.nativeDelete(GrowingOutline, { videoId })
  await em.insert(GrowingOutline, {
    videoId,
    outline: {
      durationMs: 26_000,
      frameRate: '30/1',
      rung: RUNG.name,
      audio: [],
      chunks: { chunkFrames: 240, count: COUNT },
    },
  })
  await fixture.setVideo({ status: 'processing' })
  await readAgain()
  ;({ session } = await fixture.openPage())
})

describe('the page of a video that does not play yet', () => {
  it.each(['queued', 'processing'])('is the player, which waits, for %s', async (status) => {
    await fixture.setVideo({ status })
    const data = await fixture.openPage()
    expect(data).toMatchObject({ isPreparing: true, isComplete: false, renditions: 0 })
  })

  it('is the player as ever once it is playable', async () => {
    await fixture.setVideo({ status: 'playable' })
    expect(await fixture.openPage()).toMatchObject({ isPreparing: false })
  })
})

describe('a heartbeat of a video that does not play whole yet', () => {
  const preparation = async (body: object = {}) =>
    ((await (await fixture.beat(session, body)).json()) as { preparation: object }).preparation

  it('says what plays, and how many renditions play meanwhile', async () => {
    expect(await preparation()).toEqual({
      ready: [],
      duration: 26,
      seconds_left: null,
      renditions: 1,
    })
    await publish(0)
    await publish(2)
    await readAgain()
    expect(await preparation({ position_seconds: 17 })).toEqual({
      ready: [
        [0, 8],
        [16, 24],
      ],
      duration: 26,
      seconds_left: 0,
      renditions: 1,
    })
  })

  it('tells the encoders where the viewer is', async () => {
    await fixture.beat(session, { position_seconds: 12 })
    expect(await fixture.sessions()).toMatchObject([{ positionMs: 12_000, endedAt: null }])
    await waitFor('the place', async () => (await playheads()).includes(1))
  })

  it('says nothing of it while nothing is known, nor once the video is playable', async () => {
    await fixture.setVideo({ status: 'queued' })
    await fixture.db.em.fork().nativeDelete(GrowingOutline, {})
    await readAgain()
    const unknown = { ready: [], duration: null, seconds_left: null, renditions: 0 }
    expect(await preparation()).toEqual(unknown)
    await fixture.setVideo({ status: 'playable' })
    expect(await preparation()).toBeNull()
  })

  it('is refused when the video has failed', async () => {
    await fixture.setVideo({ status: 'failed' })
    expect(await statusAndCode(await fixture.beat(session))).toEqual([403, 'video_failed'])
  })
})

describe('what viewers read while a video is prepared', () => {
  const read = (at = '', token = session) =>
    fixture.ask(`${paths.preparation}?at=${at}`, { session: token })

  it('says what plays, and when to ask again, and leaves no record of the viewer', async () => {
    await publish(0)
    await readAgain()
    const response = await read('17')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const preparation = { ready: [[0, 8]], duration: 26, seconds_left: null, renditions: 1 }
    expect(await response.json()).toEqual({
      renditions: 0,
      is_complete: false,
      next_in_seconds: expect.closeTo(2, 0),
      preparation,
    })
    expect(await fixture.sessions()).toEqual([])
  })

  it('is asked for twice a second while the place is encoded, until it plays', async () => {
    await putProgress(fixture.db.em.fork(), {
      videoId: fixture.videoId,
      names: [RUNG.name],
      part: { index: 0, count: COUNT },
      fraction: 0,
    })
    await readAgain()
    const nextSeconds = async (at: string) =>
      ((await (await read(at)).json()) as { next_in_seconds: number }).next_in_seconds
    expect(await nextSeconds('3')).toBeCloseTo(0.5)
    expect(await nextSeconds('17')).toBeCloseTo(2, 0)
    await publish(0)
    await readAgain()
    expect(await nextSeconds('3')).toBeCloseTo(2, 0)
  })

  it('is read from the database for all viewers together', async () => {
    const kept = createGrowingVideos(fixture.db, 60_000)
    const tracks = async () => (await kept.find(fixture.videoId))?.tracks
    const before = await tracks()
    await publish(0)
    expect(await Promise.all([1, 2, 3].map(tracks))).toEqual([before, before, before])
    expect(await createGrowingVideos(fixture.db).find(fixture.videoId)).not.toMatchObject({
      tracks: before,
    })
  })

  it('is new within half a second', async () => {
    await read()
    await publish(0)
    await waitFor('the new part', async () => {
      const { preparation }: { preparation: { ready: unknown[] } } = JSON.parse(
        await (await read()).text(),
      )
      return preparation.ready.length === 1
    })
  })

  it('tells the encoders where viewers are, each place once', async () => {
    await Promise.all(['17', '17.5', '3', 'x', '-1', 'Infinity'].map((at) => read(at)))
    await waitFor('the places', async () => (await playheads()).length === 2)
    expect(await playheads()).toEqual([0, 2])
  })

  it.each(['playable', 'ready'] as const)('ends when the video is %s', async (status) => {
    await fixture.setVideo({ status })
    await readAgain()
    const body: unknown = await (await read('17')).json()
    expect(body).toMatchObject({ is_complete: status === 'ready', preparation: null })
  })

  it('says why nothing will play, and needs a session', async () => {
    expect(await statusAndCode(await read('', ''))).toEqual([403, 'session_required'])
    await fixture.setVideo({ status: 'failed' })
    await readAgain()
    expect(await statusAndCode(await read())).toEqual([403, 'video_failed'])
    await fixture.setVideo({ deletedAt: new Date() })
    await readAgain()
    expect(await statusAndCode(await read())).toEqual([403, 'video_deleted'])
  })
})

describe('the manifest of a video that grows', () => {
  it('does not exist before its place is published', async () => {
    expect(await statusAndCode(await ask(`${manifest()}?from=0`))).toEqual([404, 'not_watchable'])
    await publish(0)
    await readAgain()
    expect((await ask(`${manifest()}?from=0`)).status).toBe(200)
    expect(await statusAndCode(await ask(`${manifest()}?from=8`))).toEqual([404, 'not_watchable'])
    expect(await statusAndCode(await ask(manifest()))).toEqual([404, 'video_not_found'])
  })

  it.each(['', 'x', '-1', 'Infinity'])('refuses the start %p', async (from) => {
    expect(await statusAndCode(await ask(`${manifest()}?from=${from}`))).toEqual([
      400,
      'invalid_start',
    ])
  })

  it('is a recording in progress that no cache keeps, and lists what is published up to the next gap', async () => {
    await publish(0)
    await publish(2)
    await readAgain()
    const response = await ask(`${manifest()}?from=0`)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const mpd = await response.text()
    expect(mpd).toContain('type="dynamic"')
    expect(mpd).toContain('mediaPresentationDuration="PT26S"')
    expect(mpd).toContain('minimumUpdatePeriod="PT2S"')
    expect(mpd).toContain('suggestedPresentationDelay="PT0S"')
    expect(mpd).toContain(
      `media="https://cdn.example${paths.growingRendition(fixture.videoId, '360p', tokenOf(0))}/$Number$.m4s"`,
    )
    expect(mpd).toContain('startNumber="1"')
    expect(mpd).toContain('<S t="0" d="61440" r="1"/>')
    const late = await (await ask(`${manifest()}?from=16`)).text()
    expect(late).toContain('startNumber="5"')
    expect(late).toContain('<S t="245760" d="61440" r="1"/>')
  })

  it('states at least what is published as its duration', async () => {
    for (const index of [0, 1, 2]) await publish(index)
    const outline = { durationMs: 20_000, frameRate: '30/1', rung: '360p', audio: [] }
    const chunks = { chunkFrames: 240, count: COUNT }
    const change = { outline: { ...outline, chunks } }
    await fixture.db.em.fork().nativeUpdate(GrowingOutline, { videoId: fixture.videoId }, change)
    await readAgain()
    expect(await (await ask(`${manifest()}?from=0`)).text()).toContain('"PT24S"')
  })

  it('becomes static under the same address, with the same segments and the true duration', async () => {
    await publish(0)
    await readAgain()
    const before = await (await ask(`${manifest()}?from=0`)).text()
    await complete()
    await readAgain()
    const after = await (await ask(`${manifest()}?from=0`)).text()
    expect(after).toContain('type="static"')
    expect(after).toContain('mediaPresentationDuration="PT24S"')
    const mediaOf = (mpd: string) => /media="([^"]*)"/.exec(mpd)?.[1]
    expect(mediaOf(after)).toBe(mediaOf(before))
    expect(after).not.toContain('minimumUpdatePeriod')
    const usual = await (await ask(manifest())).text()
    expect(mediaOf(usual)).toBe(
      `https://cdn.example${paths.rendition(fixture.videoId, '360p')}/$Number$.m4s`,
    )
  })
})

describe('a segment of a video that grows', () => {
  const segment = (token: string, number: number) =>
    fetch(`${fixture.base}${paths.growingRendition(fixture.videoId, '360p', token)}/${number}.m4s`)

  it('is found under the attempt that made the first chunk, immutable, before and after the video is complete', async () => {
    const key = `${partPrefix(fixture.videoId, '360p', tokenOf(1))}3.m4s`
    await fixture.storage.putBuffer(key, Buffer.from('0123456789'), 'video/mp4')
    await publish(0)
    await readAgain()
    expect((await segment(tokenOf(0), 3)).status).toBe(404)
    await publish(1)
    await readAgain()
    const found = await segment(tokenOf(0), 3)
    expect(await found.text()).toBe('0123456789')
    expect(found.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    await publish(2)
    await complete()
    await readAgain()
    expect((await segment(tokenOf(0), 3)).status).toBe(200)
  })

  /** Its own reader, whose reads are counted: the host reads with that of the fixture. */
  function observed() {
    const em = fixture.db.em.fork()
    const db: Database = Object.create(fixture.db, { em: { value: em } })
    const growing = createGrowingVideos(db, 60_000)
    const find = createSegmentFinder(db, growing)
    const firstOf = async (videoId: string, token: string) =>
      find({ videoId, rendition: RUNG.name, token, number: 1 })
    const flood = async () => {
      for (let count = 0; count < 150; count += 1)
        expect(await firstOf(randomBytes(10).toString('hex'), tokenOf(0))).toBeNull()
    }
    return { growing, reads: vi.spyOn(em, 'fork'), firstOf, flood }
  }

  it('costs other viewers no read, however many videos are made up', async () => {
    await publish(0)
    const { growing, reads, firstOf, flood } = observed()
    const readsOf = async (work: () => unknown): Promise<number> => {
      reads.mockClear()
      await work()
      return reads.mock.calls.length
    }
    const { videoId } = fixture
    const own = async () => expect(await firstOf(videoId, tokenOf(0))).not.toBeNull()
    // The first one is read beside those that no session names; the right token gives it its place.
    expect(await readsOf(own)).toBe(1)
    await waitFor('the place', async () => (await readsOf(own)) === 1)
    await flood()
    expect(await readsOf(own)).toBe(0)
    expect(await readsOf(() => growing.find(videoId))).toBe(0)
  })

  it('gives a video no place beside those that are watched, under the name of another attempt', async () => {
    await publish(0)
    const { growing, reads, firstOf, flood } = observed()
    for (const _time of [1, 2]) {
      expect(await firstOf(fixture.videoId, tokenOf(7))).toBeNull()
      await flood()
    }
    reads.mockClear()
    await growing.find(fixture.videoId)
    expect(reads).toHaveBeenCalledOnce()
  })

  it('is not found under the name of another attempt, as after the video was begun again', async () => {
    await publish(0)
    await readAgain()
    expect((await segment(tokenOf(7), 1)).status).toBe(404)
  })
})
