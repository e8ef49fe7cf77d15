import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { waitFor } from '../infrastructure/wait-for.ts'
import { axeFaults } from './axe.ts'
import { openEmbeddedPlayerFixture, PREPARED_WITHIN_MS } from './embedded-player.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'
import { openGrowingFilm } from './growing-film.ts'
import type { GrowingFilmFixture } from './growing-film.ts'
import { endRoutes, estimate, recordSteps, untilPreparing, untilTime } from './growing-page.ts'
import {
  isPaused,
  openBlank,
  openEmbed,
  position,
  seek,
  shownError,
  untilMessage,
  untilPlays,
  visitEmbed,
} from './viewer.ts'

const AUTOPLAY = 'autoplay=1&muted=1'
const HEARTBEAT = '**/sessions/heartbeat'
let fixture: EmbeddedPlayerFixture
let film: GrowingFilmFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  film = await openGrowingFilm(fixture)
  videoId = film.videoId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

beforeEach(() => fixture.configure({}))

const duration = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.duration ?? NaN)

const untilEnded = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector('video')?.ended, null, { timeout: 60_000 })

/** Returns a function that returns how many licences the page has asked for. */
function countLicences(page: Page): () => number {
  let count = 0
  page.on('request', (request) => void (count += Number(request.url().includes('/licence/'))))
  return () => count
}

/** Where the sessions are, as the encoders see it, in seconds. */
async function positions(): Promise<number[]> {
  const rows = await fixture.db.em
    .fork()
    .execute<{ at: number }[]>(
      'select position_ms as at from playback_session where video_id = ? and position_ms > 0',
      [videoId],
    )
  return rows.map(({ at }) => at / 1000)
}

describe('the player of a video that is being prepared', () => {
  it('waits, says how long about, and starts by itself when the viewer has pressed play', async () => {
    await film.begin({ status: 'queued' })
    const page = await openBlank(fixture, { locale: 'en' })
    await estimate(page, 12)
    await visitEmbed(fixture, page, videoId)
    await untilPreparing(page, 'start')
    const text = page.locator('.preparing-start')
    await text.getByText('It can be played in about').waitFor()
    expect(await page.locator('#live').textContent()).toContain('being prepared')
    await page.click('.big')
    await text.getByText('It starts in about').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await film.begin()
    await film.publish(0)
    await untilPlays(page)
    expect(await page.locator('html[data-preparing="start"]').count()).toBe(0)
    expect(Math.round(await duration(page))).toBe(60)
    await endRoutes(page)
    await page.context().close()
  }, 90_000)

  it('plays from the first chunk to the end without a stall or a skip', async () => {
    await film.begin({ chunks: 3 })
    await film.publish(0)
    const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    const steps = await recordSteps(page)
    await untilTime(page, 2)
    await film.publish(1)
    await untilTime(page, 9)
    await film.publish(2)
    await film.finish()
    await untilEnded(page)
    const { skips, stalledMs } = await steps()
    expect(skips).toEqual([])
    expect(stalledMs).toBeLessThan(700)
    expect(Math.round(await position(page))).toBe(24)
    await page.context().close()
  }, 120_000)

  it('waits for an encoder that is slower than playback, and says so', async () => {
    await film.begin({ chunks: 3 })
    await film.publish(0)
    const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    const steps = await recordSteps(page)
    await untilPreparing(page, 'part')
    await page.locator('.preparing-part p').waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await isPaused(page)).toBe(false)
    await film.publish(1)
    await untilTime(page, 9)
    await film.publish(2)
    await film.finish()
    await untilEnded(page)
    expect((await steps()).skips).toEqual([])
    await page.context().close()
  }, 120_000)

  it.each([
    ['long', 27],
    ['short', 21],
  ])(
    'ends at the true end if the stated length is too %s',
    async (_how, plannedSeconds) => {
      await film.begin({ chunks: 3, plannedSeconds })
      await film.publish(0, 1)
      const page = await openEmbed(fixture, videoId, { query: `${AUTOPLAY}&start=12` })
      await untilTime(page, 12.5)
      expect(Math.round(await duration(page))).toBe(plannedSeconds)
      await film.publish(2)
      await untilTime(page, 17)
      await film.finish()
      await untilEnded(page)
      expect(Math.round(await position(page))).toBe(24)
      expect(Math.round(await duration(page))).toBe(24)
      await page.context().close()
    },
    120_000,
  )
})

describe('a seek to a part that is not ready', () => {
  it('stays there, tells the encoders, and plays when the part is there; so does one back', async () => {
    await film.begin()
    await film.publish(0)
    const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    await untilTime(page, 1)
    await seek(page, 42)
    await untilPreparing(page, 'part')
    await waitFor('the position on the server', async () => (await positions()).includes(42))
    expect(await position(page)).toBe(42)
    await film.publish(5)
    await untilTime(page, 43)
    // The hole before it: again the playhead stays.
    await seek(page, 30)
    await untilPreparing(page, 'part')
    await waitFor('the position on the server', async () => (await positions()).includes(30))
    await waitFor('the place', async () => (await position(page)) === 30)
    await film.publish(3)
    await untilTime(page, 31)
    await seek(page, 2)
    await untilTime(page, 3)
    expect(await position(page)).toBeLessThan(8)
    expect(await shownError(page)).toBeNull()
    await page.context().close()
  }, 120_000)

  it('keeps a viewer who has paused paused, and the rate', async () => {
    await film.begin()
    await film.publish(0)
    const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    await untilTime(page, 1)
    await page.evaluate(() => {
      const video = document.querySelector('video')
      if (video) video.playbackRate = 1.5
      video?.pause()
    })
    await seek(page, 42)
    await untilPreparing(page, 'part')
    await film.publish(5)
    await page.waitForSelector('html:not([data-preparing])', { state: 'attached' })
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 1)
    expect([await isPaused(page), await position(page)]).toEqual([true, 42])
    await page.evaluate(() => void document.querySelector('video')?.play())
    await untilTime(page, 42.5)
    expect(await page.evaluate(() => document.querySelector('video')?.playbackRate)).toBe(1.5)
    await page.context().close()
  }, 120_000)

  it('shows on the seek bar what plays', async () => {
    await film.begin()
    await film.publish(0, 3)
    const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    await untilTime(page, 0.5)
    const parts = await page
      .locator('.ready-parts span')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).style.left))
    expect(parts).toHaveLength(2)
    expect(Number.parseFloat(parts[1] ?? '')).toBeCloseTo(40, 0)
    await film.publish(1, 2, 4, 5, 6, 7)
    await film.finish()
    await page.waitForSelector('.ready-parts', { state: 'detached' })
    await page.context().close()
  }, 90_000)
})

describe('while a video is being prepared', () => {
  it('two viewers watch places far apart', async () => {
    await film.begin()
    await film.publish(0)
    const one = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    const other = await openEmbed(fixture, videoId, { query: `${AUTOPLAY}&start=40` })
    await untilTime(one, 1)
    await untilPreparing(other, 'start')
    await waitFor('the position on the server', async () => (await positions()).includes(40))
    await film.publish(5)
    await untilTime(other, 41)
    expect(await position(one)).toBeLessThan(20)
    await one.context().close()
    await other.context().close()
  }, 120_000)

  it('resumes where a verified viewer left it', async () => {
    const vt = fixture.vt('early bird')
    await film.begin()
    await film.publish(0, 1, 2)
    const first = await openEmbed(fixture, videoId, { query: AUTOPLAY, vt })
    await untilTime(first, 1)
    await seek(first, 18)
    await untilTime(first, 19)
    await first.goto('about:blank')
    await waitFor('the position', async () => (await positions()).some((at) => at > 18.5))
    const second = await openEmbed(fixture, videoId, { query: AUTOPLAY, vt })
    await untilTime(second, 19)
    expect(await position(second)).toBeLessThan(24)
    await first.context().close()
    await second.context().close()
  }, 120_000)

  it('a rung joins when it is complete, and the film before a late start is there again', async () => {
    await film.begin({ chunks: 4 })
    await film.publish(0, 2)
    const page = await openEmbed(fixture, videoId, { query: `${AUTOPLAY}&start=17` })
    await untilTime(page, 17.5)
    await film.publish(1, 3)
    await film.finish()
    await page.waitForSelector('.ready-parts', { state: 'detached' })
    await film.addRungs()
    await page.evaluate(() => document.querySelector('video')?.pause())
    await page.waitForFunction(
      () => document.querySelectorAll('#quality-menu media-chrome-menu-item').length >= 4,
    )
    await page.evaluate(() => void document.querySelector('video')?.play())
    // The load has ended: a seek during it is lost.
    await untilTime(page, 17.5)
    await seek(page, 3)
    await page.waitForFunction(() => {
      const { currentTime = 0 } = document.querySelector('video') ?? {}
      return currentTime > 4 && currentTime < 16
    })
    await page.context().close()
  }, 120_000)

  it('goes back to waiting if the film is encoded whole after all, and plays on at its place', async () => {
    await film.begin({ chunks: 3 })
    await film.publish(0, 1)
    const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    await untilTime(page, 3)
    await film.takeBack()
    await untilPreparing(page, 'start')
    await film.finish()
    await untilTime(page, 4)
    expect(await position(page)).toBeLessThan(12)
    await page.context().close()
  }, 120_000)

  it.each([
    ['failed', 'video_failed'],
    ['deleted', 'video_deleted'],
  ])(
    'stops with the reason when it is %s',
    async (how, code) => {
      await film.begin()
      await film.publish(0)
      const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
      const waiting = await openEmbed(fixture, videoId, { query: 'start=40' })
      await untilTime(page, 1)
      await untilPreparing(waiting, 'start')
      if (how === 'failed') await film.setStatus('failed')
      else
        await fixture.db.em
          .fork()
          .execute('update video set deleted_at = now() where id = ?', [videoId])
      for (const one of [page, waiting]) {
        await untilMessage(one, code)
        expect(await isPaused(one)).toBe(true)
        expect(await one.locator('html[data-preparing]').count()).toBe(0)
        await one.context().close()
      }
    },
    120_000,
  )

  it('survives a manifest that answers 503, and heartbeats that are lost', async () => {
    await film.begin({ chunks: 3 })
    await film.publish(0)
    const page = await openBlank(fixture)
    let failures = 0
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY })
    await untilTime(page, 1)
    await page.route(/manifest\.mpd/, (route) => {
      failures += 1
      return route.fulfill({ status: 503 })
    })
    await page.route(HEARTBEAT, (route) => route.abort())
    await film.publish(1, 2)
    await waitFor('failed updates', async () => failures >= 6)
    expect(await shownError(page)).toBeNull()
    expect(await isPaused(page)).toBe(false)
    await page.unroute(/manifest\.mpd/)
    await page.unroute(HEARTBEAT)
    await untilTime(page, 9)
    await page.context().close()
  }, 120_000)

  it('has the watermark, one licence and no watched time before it plays', async () => {
    const watermark = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
    await fixture.configure({ watermark })
    await film.begin({ chunks: 2 })
    const page = await openBlank(fixture)
    const licences = countLicences(page)
    const sent: { watched_seconds: number }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/sessions/heartbeat')) sent.push(request.postDataJSON())
    })
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY, vt: fixture.vt('ann') })
    await untilPreparing(page, 'start')
    await waitFor('heartbeats', async () => sent.length >= 2)
    expect(sent.map((one) => one.watched_seconds)).toEqual(sent.map(() => 0))
    await film.publish(0, 1)
    await film.finish()
    await untilEnded(page)
    expect(await shownError(page)).toBeNull()
    const ordinary = await openBlank(fixture)
    const ordinaryLicences = countLicences(ordinary)
    await visitEmbed(fixture, ordinary, videoId, { query: AUTOPLAY, vt: fixture.vt('bea') })
    await untilPlays(ordinary)
    expect(licences()).toBe(ordinaryLicences())
    await page.context().close()
    await ordinary.context().close()
  }, 120_000)
})
