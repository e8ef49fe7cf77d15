import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { planChunk, planChunks } from '../../domain/encoding/chunks.ts'
import { planLadder } from '../../domain/encoding/ladder.ts'
import { encodeChunk } from '../../media/encode/encode-chunk.ts'
import { probeSource } from '../../media/probe/probe-source.ts'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { ensureSource, type SourceOptions } from '../make-source.ts'
import { firstFrameOf, launchBrowser, watchFirstFrame } from '../player/browser-page.ts'
import { openIngest } from './open-ingest.ts'

/** The same picture, in videos of different lengths. */
const VIDEOS: { name: string; source: SourceOptions; mostSeconds: number }[] = [
  { name: '1 min', source: { size: [1280, 720], fps: 30, seconds: 60 }, mostSeconds: 5 },
  {
    name: '20 min',
    source: { size: [1280, 720], fps: 30, seconds: 60, loops: 20 },
    mostSeconds: 8,
  },
]
/** How long each video is watched, at most to its end. */
const WATCHED_MS = 90_000
const POLL_MS = 100
/** The source has to arrive before. */
const FIRST_FRAME_WITHIN_MS = 300_000

/**
 * Measures how soon after its source has arrived a video plays in Chromium, and whether it keeps playing, while it is
 * encoded. The anchor is one chunk of its first rung, encoded alone on the idle machine.
 */
export async function benchWatching(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  try {
    return await measureWatching(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureWatching(folder: string): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const figures: Figure[] = []
  const browser = await launchBrowser()
  try {
    for (const { name, source, mostSeconds } of VIDEOS) {
      const path = join(cache, `source-720p-${source.seconds * (source.loops ?? 1)}s.mp4`)
      await ensureSource(path, source)
      const chunkMs = await timeFirstChunk(path, folder)
      const service = await openIngest(join(folder, name.replace(' ', '-')), path)
      try {
        figures.push(...figuresOf(name, await watch(service, browser), { chunkMs, mostSeconds }))
      } finally {
        await service.close()
      }
    }
  } finally {
    await browser.close()
  }
  return figures
}

/** Returns how long one encoder takes for the first chunk of the first rung. */
async function timeFirstChunk(sourcePath: string, folder: string): Promise<number> {
  const { signal } = new AbortController()
  const facts = await probeSource(sourcePath, { signal })
  const { displayWidth: width, displayHeight: height, frameRate } = facts.video
  const [rung] = planLadder({ width, height, availableResolutions: [240, 360, 480, 720] })
  if (!rung) throw new Error('the source has no rung')
  const outputPath = join(folder, 'first-chunk.mp4')
  const chunk = planChunk(planChunks(facts), frameRate, 0)
  const startedAt = performance.now()
  const outputs = [{ rung, outputPath }]
  await encodeChunk({ sourcePath, facts, chunk, isOnly: false, outputs, signal })
  const elapsedMs = performance.now() - startedAt
  await rm(outputPath)
  return elapsedMs
}

interface Watched {
  /** From the arrival of the source, and from the request that created the video. */
  firstFrameMs: number
  fromPostMs: number
  stalls: number
  /** Video time that was encoded in each second of the watch. */
  encodeSpeed: number
  /** The encode speed at which playing would just have kept up. */
  neededSpeed: number
}

const figuresOf = (
  name: string,
  watched: Watched,
  { chunkMs, mostSeconds }: { chunkMs: number; mostSeconds: number },
): Figure[] => [
  atMost(`${name}: source arrived to first frame`, watched.firstFrameMs / 1000, 's', {
    most: mostSeconds,
  }),
  asInformation(
    `${name}: the same, against one chunk of the first rung`,
    watched.firstFrameMs / 1000,
    's',
    { anchor: chunkMs / 1000 },
  ),
  asInformation(`${name}: POST to first frame`, watched.fromPostMs / 1000, 's'),
  atMost(`${name}: stalls while it is encoded`, watched.stalls, '', { most: 0 }),
  asInformation(`${name}: encode speed of the first rung`, watched.encodeSpeed, '×'),
  asInformation(`${name}: encode speed at which playing keeps up`, watched.neededSpeed, '×'),
]

type Service = Awaited<ReturnType<typeof openIngest>>

/** Opens the embed page of a new video at once, and watches until the video has ended or its first rung is complete. */
async function watch({ running, longUrl }: Service, browser: Browser): Promise<Watched> {
  const postedAt = Date.now()
  const created = await running.request('POST', '/v1/videos', { source_url: longUrl })
  const video = (await created.json()) as { id: string; embed_url: string }
  const page = await browser.newPage()
  page.setDefaultTimeout(FIRST_FRAME_WITHIN_MS)
  await watchFirstFrame(page)
  await watchStalls(page)
  await page.goto(`${video.embed_url}?autoplay=1&muted=1`, { referer: 'https://site.example/' })
  const openedAt = await page.evaluate<number>('performance.timeOrigin')
  const [arrivedAt, { firstFrameMs }] = await Promise.all([
    untilArrived(running, video.id),
    firstFrameOf(page),
  ])
  const frameAt = openedAt + firstFrameMs
  const encoding = await follow(running, video.id, page, frameAt)
  await page.close()
  return {
    firstFrameMs: frameAt - arrivedAt,
    fromPostMs: frameAt - postedAt,
    ...encoding,
  }
}

interface Status {
  status: string
  progress: { watchable_seconds: number | null } | null
}

const readStatus = async (service: RunningService, id: string): Promise<Status> =>
  (await (await service.request('GET', `/v1/videos/${id}/status`)).json()) as Status

/** Resolves to the time at which the source has arrived. */
async function untilArrived(service: RunningService, id: string): Promise<number> {
  while ((await readStatus(service, id)).status === 'queued') await pause()
  return Date.now()
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, POLL_MS))

/** Follows how far the video is encoded while it plays, until it is playable: then other rungs join it. */
async function follow(
  service: RunningService,
  id: string,
  page: Page,
  startedAt: number,
): Promise<Pick<Watched, 'stalls' | 'encodeSpeed' | 'neededSpeed'>> {
  const published: Published[] = []
  let stalls = 0
  while (Date.now() - startedAt < WATCHED_MS) {
    const seen = await page.evaluate<number>('window.stalls')
    const { status, progress } = await readStatus(service, id)
    if (status === 'failed') throw new Error('the ingest failed')
    if (status !== 'processing') break
    stalls = seen
    const seconds = progress?.watchable_seconds ?? 0
    if (seconds > (published.at(-1)?.seconds ?? 0))
      published.push({ seconds, atSeconds: (Date.now() - startedAt) / 1000 })
    await pause()
  }
  return { stalls, ...speedsOf(published) }
}

/** How much of the video played at which time of the watch. */
interface Published {
  seconds: number
  atSeconds: number
}

function speedsOf(published: readonly Published[]): Pick<Watched, 'encodeSpeed' | 'neededSpeed'> {
  const [first, last] = [published[0], published.at(-1)]
  if (!first || !last || first === last) return { encodeSpeed: NaN, neededSpeed: NaN }
  const encodeSpeed = (last.seconds - first.seconds) / (last.atSeconds - first.atSeconds)
  // The next part must be published before the playhead reaches the end of the one before.
  const shares = published
    .slice(1)
    .map(({ atSeconds }, index) => atSeconds / (published[index]?.seconds ?? NaN))
  return { encodeSpeed, neededSpeed: encodeSpeed * Math.max(...shares) }
}

/** Counts how often the picture waits after it has begun to play. */
const watchStalls = (page: Page): Promise<void> =>
  page
    .addInitScript({
      content: `
      window.stalls = 0
      let hasPlayed = false
      addEventListener('playing', () => (hasPlayed = true), true)
      addEventListener('waiting', () => hasPlayed && (window.stalls += 1), true)
      // While it buffers, Shaka Player sets the rate to 0.
      addEventListener(
        'ratechange',
        ({ target }) => hasPlayed && target.playbackRate === 0 && (window.stalls += 1),
        true,
      )
      `,
    })
    .then(() => undefined)
