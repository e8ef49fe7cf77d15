import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { execa } from 'execa'
import type { Browser, Page } from 'playwright-core'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { ensureSource } from '../make-source.ts'
import { launchBrowser } from '../player/browser-page.ts'
import { openIngest } from './open-ingest.ts'

const SECONDS = 240
/** Where viewers join, as shares of the video. */
const PLACES = [0, 0.4, 0.8]
/** Both tools read the source at this speed, so that they are slow without being a load. */
const READ_RATE = 2
/** Faster than the encoders together, so that each viewer waits for them. */
const PLAYBACK_RATE = 8
const WITHIN_MS = 150_000

/**
 * Measures how long viewers of a video that is encoded slowly wait for their places, with audio and without, and whether each
 * reaches the end and can play again. The worker is killed when all have begun to wait.
 */
export async function benchSeeking(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  const cache = resolve('.cache', 'bench')
  const withAudio = join(cache, `source-240p-${SECONDS}s.mp4`)
  await ensureSource(withAudio, { size: [428, 240], fps: 30, seconds: 60, loops: SECONDS / 60 })
  const silent = join(folder, 'silent.mp4')
  await execa('ffmpeg', ['-v', 'error', '-y', '-i', withAudio, '-an', '-c', 'copy', silent])
  const browser = await launchBrowser()
  try {
    const anchor = await watchVideo(browser, join(folder, 'without'), silent)
    const heard = await watchVideo(browser, join(folder, 'with'), withAudio)
    return PLACES.flatMap((share, at) => figuresOf(share, heard[at]!, anchor[at]!))
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Viewed {
  /** From the page's load to the first frame at the place. */
  waitMs: number
  /** The first estimate that was shown, with the wait that was left then. */
  estimate: { saidMs: number; leftMs: number } | null
  /** The last frame was shown, and then the video played from its beginning. */
  isReplayed: boolean
}

function figuresOf(share: number, heard: Viewed, silent: Viewed): Figure[] {
  const place = `joined at ${share * 100} %`
  const { saidMs = NaN, leftMs = NaN } = heard.estimate ?? {}
  const off = Math.max(saidMs / leftMs, leftMs / saidMs)
  return [
    atMost(`${place}: wait, against a silent video`, heard.waitMs / 1000, 's', {
      anchor: silent.waitMs / 1000,
      most: 1.5,
    }),
    asInformation(`${place}: first estimate against the wait, or the reverse`, off, '×'),
    atMost(`${place}: no end, or no replay`, heard.isReplayed ? 0 : 1, '', { most: 0 }),
  ]
}

/** Returns what each viewer of a video has seen, in the order of the places. */
async function watchVideo(browser: Browser, folder: string, source: string): Promise<Viewed[]> {
  await mkdir(folder, { recursive: true })
  const service = await openIngest(folder, source, { PATH: await slowTools(folder) })
  try {
    const { running, longUrl } = service
    const created = await running.request('POST', '/v1/videos', { source_url: longUrl })
    const { embed_url } = (await created.json()) as { embed_url: string }
    const viewers = await Promise.all(PLACES.map((share) => openViewer(browser, embed_url, share)))
    const [first] = viewers
    await first?.firstFrame
    await running.killChild(/worker\.ts/)
    return await Promise.all(viewers.map((viewer) => viewer.seen))
  } finally {
    await service.close()
  }
}

/** Makes a folder whose `ffmpeg` reads slowly when it encodes, and returns the PATH that begins with it. */
async function slowTools(folder: string): Promise<string> {
  const { stdout: real } = await execa('sh', ['-c', 'command -v ffmpeg'])
  const tools = join(folder, 'tools')
  await mkdir(tools)
  const script = `#!/bin/sh
case " $* " in
*' libx264 '* | *' aac '*) ;;
*) exec '${real}' "$@" ;;
esac
left=$#
while [ "$left" -gt 0 ]; do
  [ "$1" != -i ] || set -- "$@" -readrate ${READ_RATE}
  set -- "$@" "$1"
  shift
  left=$((left - 1))
done
exec '${real}' "$@"
`
  await writeFile(join(tools, 'ffmpeg'), script, { mode: 0o755 })
  return [tools, process.env.PATH].join(delimiter)
}

interface Viewer {
  firstFrame: Promise<void>
  seen: Promise<Viewed>
}

/** Opens the player at a place, and follows it to the end and through the beginning of a replay. */
async function openViewer(browser: Browser, embedUrl: string, share: number): Promise<Viewer> {
  const page = await browser.newPage()
  page.setDefaultTimeout(WITHIN_MS)
  const estimates = followEstimates(page)
  const place = share * SECONDS
  const openedAt = performance.now()
  await page.goto(`${embedUrl}?autoplay=1&muted=1&start=${place}`, {
    referer: 'https://site.example/',
  })
  const firstFrame = untilBetween(page, place + 0.05, SECONDS + 1)
  const see = async (): Promise<Viewed> => {
    await firstFrame
    const playedAt = performance.now()
    const [first] = estimates
    await playFast(page)
    const isReplayed = await replays(page)
    await page.close()
    return {
      waitMs: playedAt - openedAt,
      estimate: first ? { saidMs: first.seconds * 1000, leftMs: playedAt - first.at } : null,
      isReplayed,
    }
  }
  const seen = see()
  seen.catch(() => {})
  return { firstFrame, seen }
}

/** Returns a list that gets the estimates of the responses to heartbeats. */
function followEstimates(page: Page): { seconds: number; at: number }[] {
  const estimates: { seconds: number; at: number }[] = []
  page.on('response', async (response) => {
    if (!response.url().endsWith('/sessions/heartbeat')) return
    const text = await response.text().catch(() => '{}')
    const { preparation } = JSON.parse(text) as { preparation?: { seconds_left?: number | null } }
    const seconds = preparation?.seconds_left ?? 0
    if (seconds > 0) estimates.push({ seconds, at: performance.now() })
  })
  return estimates
}

interface PlayingDocument {
  querySelector(name: string): Playing | null
}
interface Playing {
  currentTime: number
  paused: boolean
  ended: boolean
  playbackRate: number
  play(): Promise<void>
}

const untilBetween = (page: Page, from: number, to: number): Promise<void> =>
  page
    .waitForFunction(
      ([least, most]) => {
        const { document } = globalThis as unknown as { document: PlayingDocument }
        const video = document.querySelector('video')
        return video && !video.paused && video.currentTime > least && video.currentTime < most
      },
      [from, to] as const,
      { polling: 100 },
    )
    .then(() => undefined)

const playFast = (page: Page): Promise<void> =>
  page.evaluate((rate) => {
    const { document } = globalThis as unknown as { document: PlayingDocument }
    const video = document.querySelector('video')
    if (video) video.playbackRate = rate
  }, PLAYBACK_RATE)

/** Waits for the end. Returns whether the last frame was shown there and the video then plays from its beginning. */
async function replays(page: Page): Promise<boolean> {
  const atEnd = await page
    .waitForFunction(
      (least) => {
        const { document } = globalThis as unknown as { document: PlayingDocument }
        const video = document.querySelector('video')
        return video?.ended === true && video.currentTime > least
      },
      SECONDS - 0.5,
      { polling: 100 },
    )
    .catch(() => null)
  if (!atEnd) return false
  await page.evaluate(() => {
    const { document } = globalThis as unknown as { document: PlayingDocument }
    void document.querySelector('video')?.play()
  })
  return untilBetween(page, 0.05, SECONDS / 4).then(
    () => true,
    () => false,
  )
}
