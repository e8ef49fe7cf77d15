import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PlaybackSession } from '../../db/entities/event.ts'
import { itOfAll, someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { untilEnded, untilPreparing, untilTime } from './growing-page.ts'
import { openGrowingVideo, type GrowingVideoFixture } from './growing-video.ts'
import { leave } from './idle-pages.ts'
import {
  hastenHeartbeats,
  isPaused,
  openBlank,
  openHastened,
  playAtRate,
  position,
  seek,
  shownError,
  untilMenus,
  untilMessage,
  untilOrdinaryHeartbeats,
  untilPlays,
  visitEmbed,
} from './viewer.ts'

const AUTOPLAY = 'autoplay=1&muted=1'
const HEARTBEAT = '**/sessions/heartbeat'
const PREPARATION = '**/sessions/preparation?*'
let fixture: EmbeddedPlayerFixture
let video: GrowingVideoFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  video = await openGrowingVideo(fixture)
  videoId = video.videoId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

beforeEach(() => fixture.configure({}))

/** Returns a function that returns how many licences the page has asked for. */
function countLicences(page: Page): () => number {
  let count = 0
  page.on('request', (request) => void (count += Number(request.url().includes('/licence/'))))
  return () => count
}

/** How many sessions of a viewer are recorded. */
const sessionsOf = (viewerId: string): Promise<number> =>
  fixture.db.em.fork().count(PlaybackSession, { viewerId })

/** Returns a function that returns how often the page has read what plays. */
function countReads(page: Page): () => number {
  let count = 0
  page.on('request', (request) => void (count += Number(/preparation\?/.test(request.url()))))
  return () => count
}

describe('while a video is being prepared', () => {
  itOfAll(
    'two viewers watch places far apart',
    async () => {
      await video.begin()
      await video.publish(0)
      const one = await openHastened(fixture, videoId, { query: AUTOPLAY })
      const other = await openHastened(fixture, videoId, { query: `${AUTOPLAY}&start=40` })
      await untilTime(one, 1)
      await untilPreparing(other, 'start')
      await waitFor('the place on the server', async () => (await video.playheads()).includes(5))
      await video.publish(5)
      await untilTime(other, 41)
      expect(await position(one)).toBeLessThan(20)
      await leave(one)
      await leave(other)
    },
    120_000,
  )

  it('resumes where a verified viewer left it', async () => {
    const vt = fixture.vt('early bird')
    await video.begin()
    await video.publish(0, 1, 2)
    const first = await openHastened(fixture, videoId, { query: AUTOPLAY, vt })
    await untilTime(first, 1)
    await seek(first, 18)
    await untilTime(first, 19)
    await first.goto('about:blank')
    await waitFor('the position', async () => (await video.positions()).some((at) => at > 18.5))
    const second = await openHastened(fixture, videoId, { query: AUTOPLAY, vt })
    await untilTime(second, 19)
    expect(await position(second)).toBeLessThan(24)
    await first.context().close()
    await second.context().close()
  }, 120_000)

  itOfAll(
    'a rung joins when it is complete, and the video before a late start is there again',
    async () => {
      await video.begin({ chunks: 4 })
      await video.publish(0, 2)
      const page = await openHastened(fixture, videoId, { query: `${AUTOPLAY}&start=17` })
      await untilTime(page, 17.5)
      await video.publish(1, 3)
      await video.finish()
      await page.waitForSelector('.ready-parts', { state: 'detached' })
      await video.addRungs()
      await page.evaluate(() => document.querySelector('video')?.pause())
      await untilMenus(page)
      await page.waitForFunction(
        () => document.querySelectorAll('#quality-menu media-chrome-menu-item').length >= 4,
      )
      await page.evaluate(() => void document.querySelector('video')?.play())
      await untilTime(page, 17.5)
      // This seek is no request of the viewer, and lost while the player loads the video again.
      await waitFor('the part before the late start', async () => {
        await seek(page, 3)
        const isThere = (): boolean => {
          const { currentTime = 0 } = document.querySelector('video') ?? {}
          return currentTime > 4 && currentTime < 16
        }
        return page.waitForFunction(isThere, null, { timeout: 5_000 }).then(
          () => true,
          () => false,
        )
      })
      await leave(page)
    },
    120_000,
  )

  itOfAll(
    'goes back to waiting if the video is encoded whole after all, and plays on at its place',
    async () => {
      await video.begin({ chunks: 3 })
      await video.publish(0, 1)
      const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
      await untilTime(page, 3)
      await video.takeBack()
      await untilPreparing(page, 'start')
      await video.finish()
      await untilTime(page, 4)
      expect(await position(page)).toBeLessThan(12)
      await leave(page)
    },
    120_000,
  )

  it('ends, and replays from its beginning, if it was joined late and became whole meanwhile', async () => {
    await video.begin({ chunks: 4 })
    await video.publish(0, 3)
    const page = await openHastened(fixture, videoId, { query: `${AUTOPLAY}&start=25` })
    await untilTime(page, 25.2)
    await video.publish(1, 2)
    await video.finish()
    await page.waitForSelector('.ready-parts', { state: 'detached' })
    await playAtRate(page, 4)
    await untilEnded(page)
    for (let beats = 0; beats < 4; beats++) await page.waitForResponse(HEARTBEAT)
    expect(Math.round(await position(page))).toBe(32)
    expect(await page.evaluate(() => document.querySelector('video')?.ended)).toBe(true)
    await page.click('.big')
    await untilTime(page, 0.5)
    expect(await position(page)).toBeLessThan(16)
    await leave(page)
  }, 90_000)

  const ends = [
    ['failed', 'video_failed'],
    ['deleted', 'video_deleted'],
  ] as const
  it.each(someOf(ends, 2))(
    'stops with the reason when it is %s',
    async (how, code) => {
      await video.begin()
      await video.publish(0)
      const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
      const waiting = await openHastened(fixture, videoId, { query: 'start=40' })
      await untilTime(page, 1)
      await untilPreparing(waiting, 'start')
      if (how === 'failed') await video.setStatus('failed')
      else
        await fixture.db.em
          .fork()
          .execute('update video set deleted_at = now() where id = ?', [videoId])
      for (const one of [page, waiting]) {
        await untilMessage(one, code)
        expect(await isPaused(one)).toBe(true)
        expect(await one.locator('html[data-preparing]').count()).toBe(0)
        await leave(one)
      }
    },
    120_000,
  )

  itOfAll(
    'survives a manifest that responds with 503, and heartbeats that are lost',
    async () => {
      await video.begin({ chunks: 3 })
      await video.publish(0)
      const page = await openBlank(fixture)
      let failures = 0
      await visitEmbed(fixture, page, videoId, { query: AUTOPLAY })
      await untilTime(page, 1)
      await page.route(/manifest\.mpd/, (route) => {
        failures += 1
        return route.fulfill({ status: 503 })
      })
      for (const lost of [HEARTBEAT, PREPARATION]) await page.route(lost, (route) => route.abort())
      await video.publish(1, 2)
      await waitFor('failed updates', async () => failures >= 6)
      expect(await shownError(page)).toBeNull()
      expect(await isPaused(page)).toBe(false)
      await page.unroute(/manifest\.mpd/)
      for (const lost of [HEARTBEAT, PREPARATION]) await page.unroute(lost)
      await playAtRate(page, 4)
      await untilTime(page, 9)
      await leave(page)
    },
    120_000,
  )

  it('has the watermark, one licence and no heartbeat before it plays; once it is ready, a heartbeat a minute and no reads', async () => {
    const watermark = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
    await fixture.configure({ watermark })
    await video.begin({ chunks: 2 })
    const page = await openBlank(fixture)
    await hastenHeartbeats(page)
    const licences = countLicences(page)
    const sent: { watched_seconds: number }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/sessions/heartbeat')) sent.push(request.postDataJSON())
    })
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY, vt: fixture.vt('ann') })
    await untilPreparing(page, 'start')
    for (let reads = 0; reads < 2; reads++) await page.waitForResponse(PREPARATION)
    expect([sent, await sessionsOf('ann')]).toEqual([[], 0])
    await video.publish(0, 1)
    const complete = page.waitForResponse(
      async (response) =>
        response.url().includes('/sessions/preparation') &&
        (await response.text()).includes('"preparation":null'),
    )
    await video.finish()
    await complete
    const reads = countReads(page)
    await untilPlays(page)
    await playAtRate(page, 4)
    await untilEnded(page)
    expect(await shownError(page)).toBeNull()
    await video.setStatus('ready')
    await untilOrdinaryHeartbeats(page)
    expect(reads()).toBe(0)
    const ordinary = await openBlank(fixture)
    const ordinaryLicences = countLicences(ordinary)
    await visitEmbed(fixture, ordinary, videoId, { query: AUTOPLAY, vt: fixture.vt('bea') })
    await untilPlays(ordinary)
    expect(licences()).toBe(ordinaryLicences())
    await page.context().close()
    await ordinary.context().close()
  }, 120_000)
})
