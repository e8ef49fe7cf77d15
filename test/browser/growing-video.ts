import { Playhead } from '../../db/entities/playhead.ts'
import { GrowingOutline, Rendition, RenditionChunk, Video } from '../../db/entities/video.ts'
import { insertChunk } from '../../db/ingest/write-rendition-chunks.ts'
import { deleteRenditions, putRendition } from '../../db/videos/write-renditions.ts'
import type { ChunkFacts } from '../../domain/encoding/join-chunks.ts'
import type { Rendition as RenditionFacts } from '../../domain/videos/rendition.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import { PREPARED_RATE } from '../infrastructure/prepared-videos.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'

/** A prepared video that is published again, part by part. */
export interface GrowingVideoFixture {
  videoId: string
  /** Makes it as it is before anything is published. Its length is that of its first `chunks` chunks. */
  begin(options?: { chunks?: number; plannedSeconds?: number; status?: VideoStatus }): Promise<void>
  /** Publishes chunks of eight seconds, from 0, and the audio up to their end: it is encoded in its order. */
  publish(...indexes: number[]): Promise<void>
  /** Publishes the rest of the first rung and the audio, which makes it playable. */
  finish(): Promise<void>
  /** Publishes the other rungs, and makes the video ready. */
  addRungs(): Promise<void>
  setStatus(status: VideoStatus): Promise<void>
  /** Where its sessions are recorded, in seconds. */
  positions(): Promise<number[]>
  /** The chunks where viewers are, as the encoders see it. */
  playheads(): Promise<number[]>
  /** As if the video were encoded whole after all. */
  takeBack(): Promise<void>
}

/** A ready video, which no other test of the file may need meanwhile. */
interface ReadyVideo {
  videoId: string
  /** The rung that plays while the video grows. */
  rung: string
  /** Frames per second. */
  rate: number
}

const SEGMENTS_PER_CHUNK = 2
const CHUNK_SECONDS = 8

/** Takes the wide video of the fixture, or another one. */
export async function openGrowingVideo(
  fixture: EmbeddedPlayerFixture,
  { videoId, rung, rate }: ReadyVideo = {
    videoId: fixture.wideId,
    rung: '240p',
    rate: PREPARED_RATE,
  },
): Promise<GrowingVideoFixture> {
  const { db } = fixture
  const rows = await db.em.fork().find(Rendition, { videoId })
  const findFacts = (name: string): RenditionFacts => {
    const row = rows.find((one) => one.name === name)
    if (!row) throw new Error(`the video has no ${name}`)
    return row.facts
  }
  const audio = rows.map(({ name }) => name).filter((name) => name.startsWith('audio'))
  const allChunks = Math.ceil(findFacts(rung).segments.length / SEGMENTS_PER_CHUNK)
  let chunks = allChunks
  const whole = (name: string): RenditionFacts =>
    chunks === allChunks ? findFacts(name) : firstSegments(findFacts(name), chunks)
  const setStatus = async (status: VideoStatus): Promise<void> =>
    void (await db.em.fork().nativeUpdate(Video, videoId, { status }))
  return {
    videoId,
    setStatus,
    async begin({ chunks: count = allChunks, plannedSeconds, status = 'processing' } = {}) {
      chunks = count
      const em = db.em.fork()
      await deleteRenditions(em, videoId)
      await em.nativeUpdate(Video, videoId, { status, deletedAt: null })
      const durationMs = plannedSeconds ? plannedSeconds * 1000 : whole(rung).durationMs
      const chunkFrames = CHUNK_SECONDS * rate
      const plan = { chunkFrames, count: chunks }
      const outline = {
        durationMs,
        frameRate: `${rate}/1`,
        rung,
        audio,
        chunks: plan,
      }
      if (status === 'processing') await em.insert(GrowingOutline, { videoId, outline })
      await untilKnown(fixture, videoId)
    },
    async publish(...indexes) {
      const add = (name: string, index: number): Promise<boolean> => {
        const facts = chunkFacts(whole(name), index, index === chunks - 1)
        return insertChunk(db.em.fork(), { videoId, name, count: chunks, index }, facts)
      }
      for (const index of indexes) {
        for (const name of audio) for (let n = 0; n <= index; n++) await add(name, n)
        await add(rung, index)
      }
    },
    async finish() {
      for (const name of [...audio, rung]) await putRendition(db.em.fork(), videoId, whole(name))
      await db.em.fork().nativeDelete(RenditionChunk, { videoId })
      await setStatus('playable')
    },
    async addRungs() {
      for (const { name } of rows) await putRendition(db.em.fork(), videoId, whole(name))
      await setStatus('ready')
    },
    async positions() {
      const rows = await db.em
        .fork()
        .execute<{ at: number }[]>(
          'select position_ms as at from playback_record where video_id = ? and position_ms > 0',
          [videoId],
        )
      return rows.map(({ at }) => at / 1000)
    },
    async playheads() {
      const rows = await db.em.fork().find(Playhead, { videoId })
      return rows.map(({ index }) => index)
    },
    takeBack: async () => void (await db.em.fork().nativeDelete(RenditionChunk, { videoId })),
  }
}

const ticksOf = (segments: RenditionFacts['segments']): number =>
  segments.reduce((sum, { durationTicks }) => sum + durationTicks, 0)
const totalBytes = (segments: RenditionFacts['segments']): number =>
  segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** Returns a rendition that ends after so many chunks. */
function firstSegments(facts: RenditionFacts, chunks: number): RenditionFacts {
  const segments = facts.segments.slice(0, chunks * SEGMENTS_PER_CHUNK)
  const init = facts.sizeBytes - totalBytes(facts.segments)
  const durationMs = Math.round((ticksOf(segments) * 1000) / facts.timescale)
  return { ...facts, segments, durationMs, sizeBytes: init + totalBytes(segments) }
}

function chunkFacts(facts: RenditionFacts, index: number, isLast: boolean): ChunkFacts {
  const from = index * SEGMENTS_PER_CHUNK
  const to = isLast ? undefined : from + SEGMENTS_PER_CHUNK
  const segments = facts.segments.slice(from, to)
  const firstSegment = from + 1
  const part = facts.parts?.filter((one) => one.firstSegment <= firstSegment).at(-1)
  const init = index === 0 ? facts.sizeBytes - totalBytes(facts.segments) : 0
  const durationMs = Math.round((ticksOf(segments) * 1000) / facts.timescale)
  const { parts: _, ...common } = facts
  return {
    token: part?.token ?? '',
    firstSegment,
    startTicks: ticksOf(facts.segments.slice(0, from)),
    initHash: 'same',
    encoded: null,
    rendition: { ...common, segments, durationMs, sizeBytes: init + totalBytes(segments) },
  }
}

/** The player host remembers for a second what it has read of a video: waits until it has read the beginning. */
async function untilKnown(fixture: EmbeddedPlayerFixture, videoId: string): Promise<void> {
  const page = await fetch(fixture.embedUrl(videoId, fixture.vt('fixture')), {
    headers: { Referer: fixture.siteUrl('site.localhost') },
  })
  const json = /id="player-data">(.*?)<\/script>/.exec(await page.text())?.[1] ?? '{}'
  const data: { session?: string; sessionHeader?: string } = JSON.parse(json)
  await waitFor('a host that knows nothing of the video', async () => {
    // Not a heartbeat, whose status is that of the database: the host may remember that the video has failed.
    const response = await fetch(`${fixture.embedBase}/sessions/preparation?at=0`, {
      headers: { [data.sessionHeader ?? '']: data.session ?? '' },
    })
    const { preparation }: { preparation?: { ready: unknown[] } | null } = JSON.parse(
      await response.text(),
    )
    return preparation?.ready.length === 0
  })
}
