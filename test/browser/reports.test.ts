import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import { collectReports, isHeartbeat, lastReport, reportIn, wrongParts } from './last-report.ts'
import {
  openBlank,
  openEmbed,
  play,
  playAtRate,
  position,
  untilMessage,
  untilPlays,
  visitEmbed,
} from './viewer.ts'

const DURATION = 60
const AUTOPLAY = 'autoplay=1&muted=1'
let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

/** Seeks, and plays at a rate from there. Resolves to where the playhead was before, and to the seconds since the page was opened. */
const leaveFor = (page: Page, seconds: number, rate: number): Promise<[number, number]> =>
  page.evaluate(
    ([to, wantedRate]) => {
      const video = document.querySelector('video')
      if (!video) return [NaN, NaN]
      const { currentTime } = video
      Object.assign(video, { currentTime: to, playbackRate: wantedRate })
      return [currentTime, performance.now() / 1000]
    },
    [seconds, rate] as const,
  )

const untilPast = (page: Page, seconds: number): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => (document.querySelector('video')?.currentTime ?? 0) > wanted,
    seconds,
  )

/** The time since the page was opened, in seconds. */
const pageSeconds = (page: Page): Promise<number> => page.evaluate(() => performance.now() / 1000)

const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** Stops the processes of all pages. Resolves to a function that lets them go on. */
async function stopPages(): Promise<() => void> {
  const session = await fixture.browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

const isNear = (value: number | undefined, wanted: number, by: number): boolean =>
  Math.abs((value ?? NaN) - wanted) <= by

describe('a heartbeat', () => {
  it('says what was shown, to one hundredth: with seeks, double speed, a pause in a hidden tab and a loop, in each tab by itself', async () => {
    const [page, other] = [await openEmbed(fixture, videoId), await openBlank(fixture)]
    await play(page)
    await visitEmbed(fixture, other, videoId, { query: `${AUTOPLAY}&start=40` })
    await untilPast(page, 2.2)
    const [leftAt, soughtAt] = await leaveFor(page, 20, 2)
    const ends = [leftAt]
    await untilPast(page, 26.3)
    await page.evaluate(() => document.querySelector('video')?.pause())
    ends.push(await position(page))

    const sent = page.waitForRequest(isHeartbeat)
    await setHidden(page, true)
    const hidden = reportIn(await sent)
    expect(hidden.is_leaving).toBeUndefined()
    expect(hidden).toMatchObject({ quality: 360, speed: 2 })
    expect(hidden.position_seconds).toBeCloseTo(ends[1] ?? NaN, 2)
    await setHidden(page, false)

    await page.evaluate(() => {
      const video = document.querySelector('video')
      if (!video) return
      Object.assign(video, { loop: true, currentTime: 58.2 })
      void video.play()
    })
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 99) < 3)
    await untilPast(page, 1.2)
    await page.evaluate(() => document.querySelector('video')?.pause())
    ends.push(await position(page))
    const [first = NaN, second = NaN, last = NaN] = ends
    const shown = [
      [0, first],
      [20, second],
      [58.2, DURATION],
      [0, last],
    ] as const
    const report = await lastReport(page)
    expect(wrongParts(report.parts, shown, DURATION)).toEqual([])
    expect(wrongParts(report.replayed_parts, [[0, Math.min(first, last)]], DURATION)).toEqual([])
    const media = shown.reduce((sum, [from, to]) => sum + to - from, 0)
    expect(report.media_seconds).toSatisfy((value: number) => isNear(value, media, 0.6))
    const wall = first + (media - first) / 2
    expect(report.watched_seconds).toSatisfy((value: number) => isNear(value, wall, 0.6))
    expect(report.stretches).toHaveLength(4)
    for (const [index, [from, to]] of shown.entries()) {
      expect(report.stretches?.[index]?.[0]).toSatisfy((value: number) => isNear(value, from, 1))
      expect(report.stretches?.[index]?.[1]).toSatisfy((value: number) => isNear(value, to, 1))
    }
    expect(report.stretches?.[1]?.[2]).toSatisfy((value: number) => isNear(value, soughtAt, 1.5))

    await other.evaluate(() => document.querySelector('video')?.pause())
    const left = await position(other)
    const { parts, replayed_parts: replayed } = await lastReport(other)
    expect(wrongParts(parts, [[40, left]], DURATION)).toEqual([])
    expect(replayed).toBeUndefined()
    await Promise.all([page.context().close(), leave(other)])
  }, 90_000)

  it('says how long the first frame took, and counts neither a stopped process nor the wait after a seek, but an interruption', async () => {
    const page = await openBlank(fixture)
    const holds: (() => void)[] = []
    let isHeld = (_segment: number): boolean => false
    const release = (): void => {
      isHeld = () => false
      for (const go of holds.splice(0)) go()
    }
    await page.route('**/*.m4s', async (route) => {
      const segment = Number(/(\d+)\.m4s/.exec(route.request().url())?.[1])
      if (isHeld(segment)) await new Promise<void>((resolve) => holds.push(resolve))
      await route.continue().catch(() => undefined)
    })
    const untilBuffering = () => page.waitForSelector('html[data-buffering]', { state: 'attached' })
    const manifest = Promise.withResolvers<void>()
    await page.route('**/*.mpd', (route) => manifest.promise.then(() => route.continue()))
    isHeld = (segment) => segment > 3
    const asked = page.waitForRequest('**/*.mpd')
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY })
    await asked
    const askedAt = await pageSeconds(page)
    await page.waitForSelector('video[poster]')
    const heldSeconds = (await pageSeconds(page)) - askedAt
    manifest.resolve()
    await untilPlays(page)
    const startedBy = await pageSeconds(page)

    const resume = await stopPages()
    // The time that may not be counted.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    resume()
    await untilPlays(page)
    const slowly = await playAtRate(page, 4)
    await untilBuffering()
    const stalledSeconds = await page.evaluate(async () => {
      const sinceMs = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 500))
      return (performance.now() - sinceMs) / 1000
    })
    release()
    await untilPlays(page)
    isHeld = () => true
    const [end] = await leaveFor(page, 50, 4)
    await untilBuffering()
    release()
    await untilPlays(page)
    await page.evaluate(() => document.querySelector('video')?.pause())
    const last = await position(page)
    const report = await lastReport(page)
    expect(report.first_frame_seconds).toBeGreaterThan(heldSeconds)
    expect(report.first_frame_seconds).toBeLessThan(startedBy)
    expect(report.stalls).toBe(1)
    expect(report.stalled_seconds).toBeGreaterThan(stalledSeconds)
    const wall = slowly + (end - slowly + last - 50) / 4
    expect(report.watched_seconds).toSatisfy((value: number) => isNear(value, wall, 0.8))
    const shown = [
      [0, end],
      [50, last],
    ] as const
    // The process wakes up with its clock ahead, and leaves out some frames.
    expect(wrongParts(report.parts, shown, DURATION).length).toBeLessThanOrEqual(1)
    await leave(page)
  }, 90_000)

  it('says once why a video could not start, and the page then sends no more; and at once why one has stopped', async () => {
    const page = await openBlank(fixture)
    const reports = collectReports(page)
    await page.route('**/*.mpd', (route) => route.fulfill({ status: 403 }))
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY })
    await untilMessage(page, 'licence_refused')
    await setHidden(page, true)
    await page.evaluate(() => void dispatchEvent(new Event('pagehide')))
    expect(reports).toEqual([{ is_leaving: true, error: 'licence_refused' }])

    await page.unroute('**/*.mpd')
    // A box that says that it is shorter than its header.
    const body = Buffer.from('000000046d6f6f66', 'hex')
    await page.route(/\/\d+p\/2\.m4s/, (route) => route.fulfill({ body }))
    await page.reload()
    await untilMessage(page, 'failed')
    await waitFor('the second report', async () => reports.length > 1)
    expect(reports[1]).toMatchObject({ error: 'failed' })
    expect(reports[1]?.is_leaving).toBeUndefined()
    await page.context().close()
  }, 60_000)

  it('names a lost connection only if the page closes before it is back', async () => {
    const page = await openBlank(fixture)
    await page.route('**/*.mpd', (route) => route.abort())
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY })
    await untilMessage(page, 'network')
    expect(await lastReport(page)).toEqual({ is_leaving: true, error: 'network' })
    await page.unroute('**/*.mpd')
    await untilPlays(page)
    const { error, watched_seconds: watched } = await lastReport(page)
    expect([error, watched]).toEqual([undefined, expect.any(Number)])
    await leave(page)
  }, 60_000)
})
