import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Rendition, Video } from '../../db/entities/video.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave, SMALL } from './idle-pages.ts'
import { chapterMarks, shownCaptions, watchGlobals, watchTraffic } from './page-facts.ts'
import { expectWholeSeams } from './seams.ts'
import {
  choose,
  hastenHeartbeats,
  openBlank,
  openEmbed,
  play,
  position,
  seek,
  untilHeight,
  untilMenus,
  untilOrdinaryHeartbeats,
  untilPlays,
  untilReady,
  visitEmbed,
} from './viewer.ts'

let fixture: EmbeddedPlayerFixture
let videoId: string

/** The mean of red, green and blue of a picture. */
const meanColour = (page: Page, type: string, picture: Buffer): Promise<number[]> =>
  page.evaluate(
    async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      if (!context) throw new Error('no canvas')
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, 1, 1)
      return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
    },
    `data:${type};base64,${picture.toString('base64')}`,
  )

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  await fixture.annotate(videoId, {
    captions: { en: 'Hello', de: 'Hallo' },
    chapters: [
      { title: 'The beginning', start: 0, end: 20 },
      { title: 'A <middle> & more', start: 20, end: 40 },
    ],
    moments: [{ label: 'A kiss', timestamp: 30 }],
  })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

describe('the video', () => {
  it('plays in the frame of another site, immediately if the address requests autoplay', async () => {
    fixture.servePage('/', fixture.iframe(`${fixture.embedUrl(videoId)}?autoplay=1&muted=1`))
    const page = await fixture.browser.newPage({ viewport: SMALL })
    await page.goto(fixture.siteUrl('site.localhost'))
    const frame = page.frames()[1]
    await frame?.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
    await page.close()
  }, 60_000)

  it('shows its poster immediately; under autoplay, only when the video takes long to start', async () => {
    const poster = (page: Page) => page.evaluate(() => document.querySelector('video')?.poster)
    const address = `${fixture.embedBase}/posters/${videoId}.jpg`
    const still = await openEmbed(fixture, videoId)
    expect(await poster(still)).toBe(address)
    await leave(still)

    const slow = await openBlank(fixture)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await slow.route('**/*.mpd', (route) => released.then(() => route.continue()))
    const sent = await visitEmbed(fixture, slow, videoId, { query: 'autoplay=1&muted=1' })
    expect(await sent?.text()).not.toContain(' poster=')
    await slow.waitForSelector('video[poster]')
    expect(await poster(slow)).toBe(address)
    release()
    await untilPlays(slow)
    await leave(slow)
  }, 60_000)

  it('shows its colours, blurred, until the poster has loaded, and nothing beside the picture once it plays', async () => {
    const page = await openBlank(fixture)
    await page.setViewportSize({ width: 640, height: 360 })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/posters/*', (route) => released.then(() => route.continue()))
    // Not until `load`, which waits for the poster.
    const referer = fixture.siteUrl('site.localhost')
    await page.goto(fixture.embedUrl(videoId), { referer, waitUntil: 'commit' })
    await untilReady(page)
    const style = 'media-controller > :not(video) { visibility: hidden !important }'
    const blurred = await meanColour(page, 'image/png', await page.screenshot({ style }))
    release()
    const sent = await fetch(`${fixture.embedBase}/posters/${videoId}.jpg`)
    const poster = await meanColour(page, 'image/jpeg', Buffer.from(await sent.arrayBuffer()))
    expect(Math.max(...poster)).toBeGreaterThan(40)
    for (const [index, value] of blurred.entries())
      expect(Math.abs(value - (poster[index] ?? 0)), blurred.join(', ')).toBeLessThan(16)
    await play(page)
    const behind = () =>
      getComputedStyle(document.querySelector('video') as Element).backgroundImage
    expect(await page.evaluate(behind)).toBe('none')
    await leave(page)
  }, 60_000)

  it('sends requests to its own host only, and puts neither its engine nor a key into a global', async () => {
    const page = await openBlank(fixture)
    const globals = await watchGlobals(page)
    const { hosts, problems } = watchTraffic(page)
    await visitEmbed(fixture, page, videoId)
    await play(page)
    expect(await globals()).toEqual([])
    expect(Array.from(hosts)).toEqual([new URL(fixture.embedBase).host])
    expect(problems).toEqual([])
    await page.context().close()
  }, 60_000)

  it('plays in two qualities, and switches to the one that the viewer chooses', async () => {
    const page = await openEmbed(fixture, videoId)
    await play(page)
    await choose(page, 'quality', '240p')
    await untilHeight(page, 240)
    await untilPlays(page)
    await choose(page, 'quality', '360p')
    await untilHeight(page, 360)
    await untilPlays(page)
    await choose(page, 'quality', 'Auto')
    await untilPlays(page)
    await leave(page)
  }, 90_000)

  it('has every frame where one chunk ends and the next begins, and no gap', async () => {
    const em = fixture.db.em.fork()
    const { facts } = await em.findOneOrFail(Rendition, { videoId, name: '360p' })
    const page = await openEmbed(fixture, videoId)
    await play(page)
    await expectWholeSeams(page, facts)
    await leave(page)
  }, 60_000)

  itOfAll(
    'starts at the position in the address, and loops if the address requests it',
    async () => {
      const page = await openEmbed(fixture, videoId, { query: 'start=58&loop=1' })
      await untilReady(page)
      expect(await position(page)).toBeGreaterThanOrEqual(58)
      await page.evaluate(() => void document.querySelector('video')?.play())
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 99) < 5)
      await leave(page)
    },
    60_000,
  )

  it('resumes where the viewer left it, in the same browser', async () => {
    const page = await openEmbed(fixture, videoId)
    await play(page)
    await seek(page, 25)
    await untilPlays(page)
    await page.evaluate(() => document.querySelector('video')?.pause())
    const left = await position(page)
    await visitEmbed(fixture, page, videoId)
    await untilReady(page)
    expect(Math.abs((await position(page)) - left)).toBeLessThan(2)
    await leave(page)
  }, 60_000)

  it('resumes where a verified viewer left it, on another device', async () => {
    const first = await openEmbed(fixture, videoId, { vt: fixture.vt('traveller') })
    await play(first)
    await seek(first, 33)
    await untilPlays(first)
    await first.goto('about:blank')
    await waitFor('the position on the server', async () => {
      const rows = await fixture.db.em
        .fork()
        .execute<{ at: number | null }[]>(
          `select position_ms as at from playback_record where viewer_id = 'traveller'`,
        )
      return rows.some(({ at }) => (at ?? 0) > 33_000)
    })
    const second = await openEmbed(fixture, videoId, { vt: fixture.vt('traveller') })
    await untilReady(second)
    expect(await position(second)).toBeGreaterThanOrEqual(33)
    await first.context().close()
    await second.context().close()
  }, 60_000)

  it('resumes where a verified viewer left it on a quick reload, before the server has received the position', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('hasty') })
    await play(page)
    await page.keyboard.press('5')
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 30)
    // The last report of the old page may arrive after the server has created the new one.
    await page.context().route('**/sessions/heartbeat', (route) => route.abort())
    await page.reload()
    await untilReady(page)
    expect(await position(page)).toBeGreaterThanOrEqual(30)
    await page.context().close()
  }, 60_000)
})

describe('around the video', () => {
  it('chapters are marked on the seek bar and named in a menu that goes to them', async () => {
    const page = await openEmbed(fixture, videoId)
    await play(page)
    await choose(page, 'chapters', 'A <middle> & more')
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 20)
    await page.waitForFunction(
      () => document.querySelector('#chapter')?.textContent === 'A <middle> & more',
    )
    await page.waitForSelector('media-time-range[mediachapterscues], media-time-range')
    expect(await chapterMarks(page)).toBeGreaterThanOrEqual(2)
    await leave(page)
  }, 60_000)

  itOfAll(
    'moments are dots with labels that go to them',
    async () => {
      const page = await openEmbed(fixture, videoId)
      await untilReady(page)
      await page.waitForSelector('.moment', { state: 'attached' })
      await page.mouse.move(300, 300)
      const { x, y, width, height } = (await page.locator('.moment').boundingBox()) ?? {
        x: 0,
        y: 0,
        width: 0,
        height: 0,
      }
      await page.mouse.move(x + width / 2 + 3, y + height / 2)
      await page.waitForFunction(() => {
        const bar = document.querySelector('media-time-range')
        const card = bar?.shadowRoot?.querySelector('media-preview-chapter-display')
        // The picture stays beside the name.
        return (
          bar?.hasAttribute('mediapreviewimage') &&
          card?.shadowRoot?.textContent?.includes('0:30 A kiss')
        )
      })
      await page.mouse.down()
      await page.mouse.up()
      await page.waitForFunction(() => document.querySelector('video')?.currentTime === 30)
      expect(await page.getAttribute('.moment', 'data-label')).toBe('0:30 A kiss')
      await leave(page)
    },
    60_000,
  )

  it('captions are shown in one language, chosen by the viewer and remembered', async () => {
    const page = await openEmbed(fixture, videoId, { locale: 'en-US' })
    await untilReady(page)
    const shown = () => shownCaptions(page)
    await page.waitForSelector('media-captions-button[mediasubtitleslist]', { state: 'attached' })
    expect(await shown()).toEqual([])
    await choose(page, 'captions', 'de')
    await waitFor('the German captions', async () => (await shown()).includes('de Hallo'))
    await page.reload()
    await waitFor(
      'the German captions after the reload',
      async () => (await shown()).join() === 'de Hallo',
    )
    await page.keyboard.press('c')
    await waitFor('no captions', async () => (await shown()).length === 0)
    await page.keyboard.press('c')
    await waitFor('the German captions again', async () => (await shown()).join() === 'de Hallo')
    await leave(page)
  }, 60_000)

  it('audio tracks are listed by language, and the chosen one plays', async () => {
    const page = await openEmbed(fixture, videoId, { query: 'lang=en' })
    await play(page)
    const fetched = page.waitForRequest(/\/audio-1\/\d+\.m4s$/)
    await choose(page, 'audio', 'German')
    await fetched
    await untilPlays(page)
    const chosen = page.locator('#audio-menu media-chrome-menu-item[aria-checked="true"]')
    expect(await chosen.textContent()).toBe('German')
    await leave(page)
  }, 60_000)

  it('an audio description is named in the language of the player, and not chosen by itself', async () => {
    const em = fixture.db.em.fork()
    const track = await em.findOneOrFail(Rendition, { videoId, name: 'audio-1' })
    const { facts } = track
    track.facts = { ...facts, purpose: 'description' }
    await em.flush()
    try {
      const page = await openEmbed(fixture, videoId, { query: 'lang=es', locale: 'de-DE' })
      await untilReady(page)
      await untilMenus(page)
      const items = page.locator('#audio-menu media-chrome-menu-item[type="radio"]')
      await waitFor('the audio tracks', async () => (await items.count()) === 2)
      expect(await items.allTextContents()).toEqual(['inglés', 'alemán · Audiodescripción'])
      expect(await items.nth(0).getAttribute('aria-checked')).toBe('true')
      await choose(page, 'audio', 'alemán · Audiodescripción')
      await waitFor(
        'the audio description',
        async () => (await items.nth(1).getAttribute('aria-checked')) === 'true',
      )
      await leave(page)
    } finally {
      track.facts = facts
      await em.flush()
    }
  }, 60_000)

  itOfAll(
    'thumbnails of the video show over the seek bar',
    async () => {
      const page = await openEmbed(fixture, videoId)
      await play(page)
      const bar = await page.locator('media-time-range').boundingBox()
      // Shows the controls, which may have hidden.
      await page.mouse.move(200, 100)
      await page.mouse.move(
        (bar?.x ?? 0) + (bar?.width ?? 0) / 4,
        (bar?.y ?? 0) + (bar?.height ?? 0) / 2,
      )
      await page.waitForSelector('media-time-range[mediapreviewimage^="blob:"]')
      await leave(page)
    },
    60_000,
  )
})

describe('a video whose rungs are still being encoded', () => {
  it('adds new rungs while it plays, without a jump, and then sends a heartbeat a minute', async () => {
    const publish = await fixture.withoutRung(videoId, '240p')
    const page = await openBlank(fixture)
    await hastenHeartbeats(page)
    await visitEmbed(fixture, page, videoId)
    await play(page)
    await seek(page, 20)
    await untilMenus(page)
    await publish()
    await page.waitForFunction(
      () => document.querySelectorAll('#quality-menu media-chrome-menu-item').length === 4,
    )
    // The position is 0 for a moment while the manifest is loaded again.
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 20)
    await untilPlays(page)
    expect(await position(page)).toBeLessThan(40)
    await fixture.db.em.fork().nativeUpdate(Video, { id: videoId }, { status: 'ready' })
    await untilOrdinaryHeartbeats(page)
    await choose(page, 'quality', '240p')
    await untilHeight(page, 240)
    await untilPlays(page)
    await leave(page)
  }, 60_000)
})
