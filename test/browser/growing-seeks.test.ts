import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { untilPreparing, untilTime } from './growing-page.ts'
import { openGrowingVideo, type GrowingVideoFixture } from './growing-video.ts'
import { leave } from './idle-pages.ts'
import {
  hastenHeartbeats,
  isPaused,
  openBlank,
  openHastened,
  position,
  seek,
  shownError,
  untilMenus,
} from './viewer.ts'

const AUTOPLAY = 'autoplay=1&muted=1'
let fixture: EmbeddedPlayerFixture
let growing: GrowingVideoFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  growing = await openGrowingVideo(fixture)
  videoId = growing.videoId
  await fixture.annotate(videoId, { chapters: [{ title: 'One', start: 3, end: 60 }] })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

describe('a seek to a part that is not ready', () => {
  it('stays there, tells the encoders, and plays when the part is there; so does one back', async () => {
    await growing.begin()
    await growing.publish(0)
    const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
    await untilTime(page, 1)
    await seek(page, 42)
    await untilPreparing(page, 'part')
    await waitFor('the place on the server', async () => (await growing.playheads()).includes(5))
    expect(await position(page)).toBe(42)
    await growing.publish(5)
    await untilTime(page, 43)
    // The hole before it: again the playhead stays.
    await seek(page, 30)
    await untilPreparing(page, 'part')
    await waitFor('the place on the server', async () => (await growing.playheads()).includes(3))
    await waitFor('the place', async () => (await position(page)) === 30)
    await growing.publish(3)
    await untilTime(page, 31)
    await seek(page, 2)
    await untilTime(page, 3)
    expect(await position(page)).toBeLessThan(8)
    expect(await shownError(page)).toBeNull()
    await leave(page)
  }, 120_000)

  itOfAll(
    'keeps a viewer who has paused paused, and the rate',
    async () => {
      await growing.begin()
      await growing.publish(0)
      const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
      await untilTime(page, 1)
      await page.evaluate(() => {
        const video = document.querySelector('video')
        if (video) video.playbackRate = 1.5
        video?.pause()
      })
      await seek(page, 42)
      await untilPreparing(page, 'part')
      await growing.publish(5)
      await page.waitForSelector('html:not([data-preparing])', { state: 'attached' })
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 1)
      expect([await isPaused(page), await position(page)]).toEqual([true, 42])
      await page.evaluate(() => void document.querySelector('video')?.play())
      await untilTime(page, 42.5)
      expect(await page.evaluate(() => document.querySelector('video')?.playbackRate)).toBe(1.5)
      await leave(page)
    },
    120_000,
  )

  itOfAll(
    'shows on the seek bar what plays',
    async () => {
      await growing.begin()
      await growing.publish(0, 3)
      const page = await openHastened(fixture, videoId, { query: AUTOPLAY })
      await untilTime(page, 0.5)
      const parts = await page
        .locator('.ready-parts span')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).style.left))
      expect(parts).toHaveLength(2)
      expect(Number.parseFloat(parts[1] ?? '')).toBeCloseTo(40, 0)
      await growing.publish(1, 2, 4, 5, 6, 7)
      await growing.finish()
      await page.waitForSelector('.ready-parts', { state: 'detached' })
      await leave(page)
    },
    90_000,
  )
})

describe('a seek while the list of another part is being loaded', () => {
  /** Opens a site that frames the player, and seeks in it by a message when the player asks for that. */
  async function openFramed(): Promise<{ page: Page; frame: Frame }> {
    const page = await openBlank(fixture)
    await hastenHeartbeats(page)
    const command = {
      source: 'reelgate',
      version: 1,
      type: 'command',
      id: 1,
      method: 'seek',
      value: 5,
    }
    const response = `<script>addEventListener('message', ({ data }) => {
      if (data === 'seek') frames[0].postMessage(${JSON.stringify(command)}, '*')
    })</script>`
    fixture.servePage('/', response + fixture.iframe(`${fixture.embedUrl(videoId)}?${AUTOPLAY}`))
    await page.goto(fixture.siteUrl('site.localhost'))
    const frame = page.frames()[1]
    if (!frame) throw new Error('the page has no frame')
    await untilMenus(frame)
    await frame.waitForSelector('#chapters-menu media-chrome-menu-item', { state: 'attached' })
    return { page, frame }
  }

  /** Waits until the video plays between two places. */
  const untilBetween = (frame: Frame, from: number, to: number): Promise<unknown> =>
    frame.waitForFunction(
      ([start, end]) => {
        const { currentTime = -1, readyState = 0 } = document.querySelector('video') ?? {}
        return readyState > 2 && currentTime > start && currentTime < end
      },
      [from, to] as const,
      { polling: 50, timeout: 20_000 },
    )

  it('leads to its place, by a key, a chapter and the page around the player', async () => {
    await growing.begin()
    await growing.publish(0, 5)
    const { page, frame } = await openFramed()
    await untilBetween(frame, 0.5, 8)
    const doors = { key: 0, chapter: 3, page: 5 }
    for (const [door, place] of Object.entries(doors)) {
      await frame.evaluate((used) => {
        const video = document.querySelector('video')
        const use: Record<string, () => void> = {
          key: () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' })),
          chapter: () => document.querySelector<HTMLElement>('#chapters-menu [role]')?.click(),
          page: () => parent.postMessage('seek', '*'),
        }
        video?.addEventListener('emptied', () => use[used]?.(), { once: true })
        if (video) video.currentTime = 42
      }, door)
      await untilBetween(frame, place + 0.5, place + 4)
    }
    await page.context().close()
  }, 90_000)

  it('leads to its place before the list has come, and from a place that has no data', async () => {
    await growing.begin()
    await growing.publish(0, 5)
    const { page, frame } = await openFramed()
    await untilBetween(frame, 0.5, 8)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const asked = page.waitForRequest(/from=40/)
    await page.route(/from=40/, async (route) => {
      await released
      await route.continue()
    })
    const press = (key: string): Promise<unknown> =>
      frame.evaluate(
        (pressed) => document.dispatchEvent(new KeyboardEvent('keydown', { key: pressed })),
        key,
      )
    // 42 s of 60.
    await press('7')
    await asked
    await press('Home')
    release()
    await untilBetween(frame, 1.5, 8)
    await press('7')
    await untilBetween(frame, 42.5, 48)
    // 30 s: nothing is there, nor in the list from 0 that leads there.
    await press('5')
    await frame.waitForFunction(() => document.querySelector('video')?.readyState === 0)
    await press('Home')
    await untilBetween(frame, 0.5, 8)
    await page.context().close()
  }, 90_000)
})
