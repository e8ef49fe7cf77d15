import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itOfAll, someOf } from '../infrastructure/every-case.ts'
import { axeFaults } from './axe.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import {
  changePreparation,
  estimate,
  recordSteps,
  untilEnded,
  untilPreparing,
  untilTime,
} from './growing-page.ts'
import { openGrowingVideo, type GrowingVideoFixture } from './growing-video.ts'
import { leave } from './idle-pages.ts'
import { lastReport, wrongParts } from './last-report.ts'
import {
  hastenHeartbeats,
  isPaused,
  openBlank,
  openEmbed,
  playAtRate,
  position,
  untilPlays,
  visitEmbed,
} from './viewer.ts'

const AUTOPLAY = 'autoplay=1&muted=1'
let fixture: EmbeddedPlayerFixture
let video: GrowingVideoFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  video = await openGrowingVideo(fixture)
  videoId = video.videoId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

/** Returns a function that is true at its call with this number. */
const counts = (number: number): (() => boolean) => {
  let calls = 0
  return () => ++calls === number
}

const duration = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.duration ?? NaN)

describe('the player of a video that is being prepared', () => {
  it('waits, says how long about, and starts by itself when the viewer has pressed play', async () => {
    await video.begin({ status: 'queued' })
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
    await video.begin()
    await video.publish(0)
    await untilPlays(page)
    expect(await page.locator('html[data-preparing="start"]').count()).toBe(0)
    expect(Math.round(await duration(page))).toBe(60)
    await leave(page)
  }, 90_000)

  it('plays from the first chunk to the end without a stall or a skip', async () => {
    await video.begin({ chunks: 3 })
    await video.publish(0)
    const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
    const steps = await recordSteps(page)
    await untilTime(page, 1)
    await video.publish(1)
    await playAtRate(page, 2)
    await untilTime(page, 9)
    await video.publish(2)
    await video.finish()
    await untilEnded(page)
    const { skips, stalledMs } = await steps()
    expect(skips).toEqual([])
    expect(stalledMs).toBeLessThan(700)
    expect(Math.round(await position(page))).toBe(24)
    const report = await lastReport(page)
    expect(report).toMatchObject({ position_seconds: 24, parts: 'f'.repeat(25), speed: 2 })
    expect(report.stretches?.map(([from, to]) => [from, to])).toEqual([[0, 24]])
    await leave(page)
  }, 120_000)

  it('plays on when a segment was on its way while Shaka Player took up new streams', async () => {
    await video.begin({ chunks: 3 })
    await video.publish(0, 1)
    const page = await openBlank(fixture)
    await hastenHeartbeats(page)
    const arrival = Promise.withResolvers<void>()
    await page.route(/\/240p\/[0-9a-f]+\/4\.m4s/, async (route) => {
      await arrival.promise
      await route.continue().catch(() => undefined)
    })
    const isSecond = counts(2)
    const second = page.waitForResponse((response) => /\.mpd/.test(response.url()) && isSecond())
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY })
    await second
    // What is read now is followed by a choice among the new streams, and the next read comes after it.
    for (let read = 0; read < 2; read++) await page.waitForResponse('**/sessions/preparation*')
    arrival.resolve()
    await playAtRate(page, 4)
    await untilTime(page, 15)
    await leave(page)
  }, 90_000)

  it('says where the list of segments ends that the encoder is late, and no longer how long it takes once that has passed', async () => {
    await video.begin({ chunks: 3 })
    await video.publish(0)
    const page = await openBlank(fixture, { locale: 'en' })
    // What is published a moment later.
    const ready: [number, number][] = [[0, 16]]
    await changePreparation(page, (now) => now && { ...now, ready, seconds_left: 1 })
    await visitEmbed(fixture, page, videoId, { query: AUTOPLAY })
    await untilTime(page, 0.5)
    await playAtRate(page, 4)
    const text = page.locator('.preparing-part')
    await text.getByText('This part is being prepared, about 1 second').waitFor()
    await text.getByText('taking longer than expected').waitFor()
    expect(await page.locator('#waiting').textContent()).toBe('')
    await video.publish(1)
    await untilTime(page, 9)
    await leave(page)
  }, 90_000)

  itOfAll(
    'waits for an encoder that is slower than playback, and says so',
    async () => {
      await video.begin({ chunks: 3 })
      await video.publish(0)
      const page = await openEmbed(fixture, videoId, { query: AUTOPLAY })
      const steps = await recordSteps(page)
      await untilTime(page, 0.5)
      await playAtRate(page, 4)
      await untilPreparing(page, 'part')
      await page.locator('.preparing-part p').waitFor()
      expect(await axeFaults(page)).toEqual([])
      expect(await isPaused(page)).toBe(false)
      await video.publish(1)
      await untilTime(page, 9)
      await video.publish(2)
      await video.finish()
      await untilEnded(page)
      expect((await steps()).skips).toEqual([])
      await leave(page)
    },
    120_000,
  )

  const statedLengths = [
    ['long', 27],
    ['short', 21],
  ] as const
  it.each(someOf(statedLengths, 2))(
    'ends at the true end if the stated length is too %s',
    async (_how, plannedSeconds) => {
      await video.begin({ chunks: 3, plannedSeconds })
      await video.publish(0, 1)
      const page = await openEmbed(fixture, videoId, { query: `${AUTOPLAY}&start=12` })
      await untilTime(page, 12.5)
      expect(Math.round(await duration(page))).toBe(plannedSeconds)
      await video.publish(2)
      await playAtRate(page, 4)
      await untilTime(page, 17)
      await video.finish()
      await untilEnded(page)
      expect(Math.round(await position(page))).toBe(24)
      expect(Math.round(await duration(page))).toBe(24)
      const { parts, first_frame_seconds: wait } = await lastReport(page)
      expect(wrongParts(parts, [[12, 24]], 24)).toEqual([])
      expect(wait).toBeUndefined()
      await leave(page)
    },
    120_000,
  )
})
