import type { CDPSession, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itOfAll } from '../infrastructure/every-case.ts'
import { PREPARED_RATE } from '../infrastructure/prepared-videos.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { axeFaults } from './axe.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave, SMALL } from './idle-pages.ts'
import {
  choose,
  isPaused,
  openEmbed,
  play,
  position,
  seek,
  shownError,
  tapInARow,
  untilMenus,
  untilPlays,
  untilReady,
  visitEmbed,
} from './viewer.ts'

const VIEWPORT = { width: 640, height: 360 }
const WATERMARK = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

const untilRate = (page: Page, rate: number): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector('video')?.playbackRate === wanted, rate)

const untilFullScreen = (page: Page, isFull: boolean): Promise<unknown> =>
  page.waitForFunction((wanted) => (document.fullscreenElement !== null) === wanted, isFull)

const untilPaused = (page: Page | Frame): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector('video')?.paused)

const volume = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.volume ?? -1)

const bubble = (page: Page, text: string): Promise<unknown> =>
  page.waitForSelector(`#bubble:has-text("${text}")`, { state: 'attached' })

/** A finger that moves from point to point, without lifting. */
async function drag(devtools: CDPSession, points: [number, number][]): Promise<void> {
  for (const [index, [x, y]] of points.entries())
    await devtools.send('Input.dispatchTouchEvent', {
      type: index === 0 ? 'touchStart' : 'touchMove',
      touchPoints: [{ x, y }],
    })
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

describe('the mouse', () => {
  itOfAll(
    'fills the screen by a double click, which neither pauses nor plays',
    async () => {
      const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT })
      await play(page)
      await page.mouse.dblclick(320, 180)
      await untilFullScreen(page, true)
      await untilPlays(page)
      await page.mouse.dblclick(320, 180)
      await untilFullScreen(page, false)
      await untilPlays(page)
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'plays at twice the speed while it is held on the picture, and goes on as before',
    async () => {
      const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT })
      await play(page)
      await page.mouse.move(320, 180)
      await page.mouse.down()
      await untilRate(page, 2)
      await bubble(page, '2×')
      await page.mouse.up()
      await untilRate(page, 1)
      await untilPlays(page)
      await leave(page)
    },
    60_000,
  )
})

describe('fingers', () => {
  it('seek by double taps with a ripple that adds up, hold for speed, and swipe the volume in full screen only', async () => {
    const options = { viewport: VIEWPORT, hasTouch: true, isMobile: true, locale: 'de' }
    const page = await openEmbed(fixture, videoId, options)
    const devtools = await page.context().newCDPSession(page)
    await play(page)
    const ripple = page.locator('.ripple.forward:has-text("+20")')
    await waitFor('three taps in a row', async () => {
      await seek(page, 10)
      return tapInARow(page, { x: 600, y: 180, taps: 3 }, (timeout) =>
        ripple.waitFor({ state: 'attached', timeout }),
      )
    })
    expect(await position(page)).toBeGreaterThan(29)
    await page.waitForSelector('.ripple', { state: 'detached' })

    await devtools.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: [{ x: 320, y: 180 }],
    })
    await untilRate(page, 2)
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await untilRate(page, 1)
    expect(await isPaused(page)).toBe(false)

    const down: [number, number][] = [100, 120, 150, 180, 220].map((y) => [600, y])
    await drag(devtools, down)
    expect(await volume(page)).toBe(1)
    await page.keyboard.press('f')
    await untilFullScreen(page, true)
    await drag(devtools, down)
    await waitFor('a lower volume', async () => (await volume(page)) < 0.9)
    await page.context().close()
  }, 60_000)
})

describe('keys', () => {
  it('step by one frame, forward and back', async () => {
    const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT })
    await play(page)
    await page.keyboard.press('.')
    await untilPaused(page)
    const frame = async () => Math.floor((await position(page)) * PREPARED_RATE)
    const start = await frame()
    for (let step = 1; step <= 3; step++) {
      await page.keyboard.press('.')
      expect(await frame()).toBe(start + step)
    }
    await page.keyboard.press(',')
    expect(await frame()).toBe(start + 2)
    await leave(page)
  }, 60_000)

  itOfAll(
    'repeat a part until it is switched off, or the viewer leaves it',
    async () => {
      const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT })
      await play(page)
      await seek(page, 20)
      await page.keyboard.press('a')
      await bubble(page, '0:20')
      await seek(page, 21)
      await page.keyboard.press('b')
      await bubble(page, '0:20 to 0:21')
      await page.waitForSelector('.rail .loop', { state: 'attached' })
      const turns = await page.evaluate(
        () =>
          new Promise<number[]>((resolve) => {
            const found: number[] = []
            const video = document.querySelector('video')
            video?.addEventListener('seeked', () => {
              found.push(video.currentTime)
              if (found.length === 2) resolve(found)
            })
          }),
      )
      for (const turn of turns) expect(turn).toBeCloseTo(20, 0)
      await seek(page, 40)
      await page.waitForSelector('.rail .loop', { state: 'detached' })
      await untilPlays(page)
      expect(await position(page)).toBeGreaterThan(40)
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'say why there is no picture in picture under a watermark',
    async () => {
      await fixture.configure({ watermark: WATERMARK })
      const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT, vt: fixture.vt('ann') })
      await untilReady(page)
      await page.keyboard.press('i')
      await bubble(page, 'viewer id')
      await leave(page)
      await fixture.configure({})
    },
    60_000,
  )
})

describe('two players of a page', () => {
  async function twoFrames(query: string): Promise<{ page: Page; frames: Frame[] }> {
    const frame = fixture.iframe(`${fixture.embedUrl(videoId)}?${query}`)
    fixture.servePage('/two', `<div style="width:300px">${frame}${frame}</div>`)
    const page = await (await fixture.browser.newContext({ viewport: SMALL })).newPage()
    await page.goto(fixture.siteUrl('site.localhost', '/two'))
    const frames = page.frames().slice(1)
    for (const one of frames)
      await one.waitForSelector('html[data-controls]', { state: 'attached', timeout: 30_000 })
    return { page, frames }
  }
  const start = (frame: Frame | undefined): Promise<unknown> | undefined =>
    frame?.evaluate(() => document.querySelector('video')?.play())
  const isPlaying = (frame: Frame | undefined): Promise<boolean> | undefined =>
    frame?.evaluate(() => document.querySelector('video')?.paused === false)

  itOfAll(
    'pause each other when they have audio',
    async () => {
      const { page, frames } = await twoFrames('')
      const [first, second] = frames
      await start(first)
      await start(second)
      if (first) await untilPaused(first)
      expect(await isPlaying(second)).toBe(true)
      await second?.evaluate(() =>
        Object.assign(document.querySelector('video') ?? {}, { muted: true }),
      )
      await start(first)
      await second?.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
      expect([await isPlaying(first), await isPlaying(second)]).toEqual([true, true])
      await page.context().close()
    },
    90_000,
  )

  itOfAll(
    'play together with together=1',
    async () => {
      const { page, frames } = await twoFrames('together=1')
      const [first, second] = frames
      await start(first)
      await start(second)
      await second?.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
      expect([await isPlaying(first), await isPlaying(second)]).toEqual([true, true])
      await page.context().close()
    },
    90_000,
  )
})

describe('buttons over the picture and in the bar', () => {
  it('unmute what autoplay has started muted, seek ten seconds if asked for, and change the speed', async () => {
    const viewport = { width: 800, height: 450 }
    const query = 'autoplay=1&muted=1'
    const page = await openEmbed(fixture, videoId, { viewport, query: `${query}&skip=1` })
    const audio = page.getByRole('button', { name: 'Tap to unmute' })
    await untilPlays(page)
    await audio.waitFor()
    expect(await axeFaults(page)).toEqual([])
    await audio.click()
    await audio.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.querySelector('video')?.muted)).toBe(false)
    expect(await isPaused(page)).toBe(false)
    await page.click('media-seek-forward-button')
    await waitFor('ten seconds forward', async () => (await position(page)) >= 10)
    await page.click('media-seek-backward-button')
    await waitFor('ten seconds back', async () => (await position(page)) < 10)
    await page.click('speed-button')
    await untilRate(page, 1.25)
    await page.getByRole('button', { name: '1.25x' }).waitFor()

    await visitEmbed(fixture, page, videoId, { query: `${query}&loop=1` })
    await untilPlays(page)
    await untilReady(page)
    expect(await page.locator('.unmute, media-seek-forward-button').count()).toBe(0)
    await leave(page)
  }, 60_000)
})

describe('the context menu', () => {
  it('opens by the mouse and the keyboard, stays inside the frame, and shows the statistics', async () => {
    await fixture.configure({ watermark: WATERMARK, direct_play: true })
    const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT, vt: fixture.vt('ann') })
    await play(page)
    await page.mouse.click(630, 200, { button: 'right' })
    const menu = page.locator('.context-menu')
    await menu.waitFor()
    const box = await menu.boundingBox()
    expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(VIEWPORT.width)
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(VIEWPORT.height)
    // It would hide the viewer id.
    expect(await menu.getByText('Picture in picture').count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })

    await page.mouse.click(320, 120, { button: 'right' })
    await menu.waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const facts = page.locator('.statistics')
    await facts.getByText('240p').or(facts.getByText('360p')).first().waitFor()
    await facts.getByText('org.w3.clearkey').waitFor()
    await facts.getByText(videoId).waitFor()
    expect(await axeFaults(page)).toEqual([])
    // The watermark's guard has looked meanwhile.
    await untilPlays(page)
    expect(await shownError(page)).toBeNull()
    await page.keyboard.press('Escape')
    await facts.waitFor({ state: 'detached' })
    await leave(page)
    await fixture.configure({})
  }, 60_000)

  it('copies a link to the moment, if the account has Direct Play pages', async () => {
    await fixture.configure({ direct_play: true })
    const page = await openEmbed(fixture, videoId, {
      viewport: VIEWPORT,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await untilReady(page)
    await seek(page, 12.7)
    await page.mouse.click(320, 120, { button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy link at this time' }).click()
    await bubble(page, 'Link copied')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(new RegExp(`^https://watch\\.example/${videoId}/[^?]+\\?start=12$`))
    await leave(page)
    await fixture.configure({})
  }, 60_000)
})

describe('the quality menu', () => {
  it('says why automatic quality plays no more, and keeps the data saver for the next video', async () => {
    const page = await openEmbed(fixture, videoId, { viewport: { width: 300, height: 169 } })
    await play(page)
    await untilMenus(page)
    const notes = () => page.locator('#quality-menu .note').allTextContents()
    await waitFor('the reason', async () => (await notes())[0] === 'Fills this frame')
    expect(await notes()).toContain('At most 450 MB an hour')
    await page.setViewportSize(VIEWPORT)
    await choose(page, 'quality', 'Data saver')
    await page.reload({ referer: fixture.siteUrl('site.localhost') } as never)
    await play(page)
    await untilMenus(page)
    await page.waitForSelector('#quality-menu [aria-checked="true"]:has-text("Data saver (")', {
      state: 'attached',
    })
    await leave(page)
  }, 60_000)
})

describe('the end of a video', () => {
  const atEnd = async (): Promise<Page> => {
    const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT })
    await play(page)
    await page.evaluate(() => {
      const video = document.querySelector('video')
      if (video) video.currentTime = video.duration - 0.3
    })
    await page.waitForSelector('html[data-state="ended"]', { state: 'attached', timeout: 30_000 })
    return page
  }

  it('offers to replay and a link that opens in a new tab', async () => {
    const link = { link_url: fixture.siteUrl('site.localhost', '/next'), link_text: 'Next lesson' }
    fixture.servePage('/next', '<h1>The next lesson</h1>')
    await fixture.configure({ end_screen: { action: 'link', ...link } })
    const page = await atEnd()
    expect(await axeFaults(page)).toEqual([])
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Next lesson' }).click()
    expect((await opened).url()).toBe(link.link_url)
    await (await opened).close()
    await page.locator('.centre media-play-button').click()
    await untilPlays(page)
    expect(await page.getByRole('link', { name: 'Next lesson' }).isVisible()).toBe(false)
    await page.context().close()
  }, 60_000)

  itOfAll(
    'offers nothing over the picture if the owner wants nothing',
    async () => {
      await fixture.configure({
        end_screen: { action: 'nothing', link_url: null, link_text: null },
      })
      const page = await atEnd()
      expect(await page.locator('.centre').isVisible()).toBe(false)
      await leave(page)
      await fixture.configure({})
    },
    60_000,
  )
})

describe('the media session', () => {
  itOfAll(
    'has the title and the poster, for lock screens and hardware keys',
    async () => {
      const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT })
      await play(page)
      const metadata = await page.evaluate(() => ({
        title: navigator.mediaSession.metadata?.title,
        poster: navigator.mediaSession.metadata?.artwork[0]?.src,
      }))
      expect(metadata.title).toBe(await page.title())
      expect(metadata.poster).toContain(`/posters/${videoId}.jpg`)
      await leave(page)
    },
    60_000,
  )
})
