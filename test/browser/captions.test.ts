import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { axeFaults } from './axe.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave } from './idle-pages.ts'
import { choose, isPaused, openEmbed, play, position, seek, untilReady } from './viewer.ts'

const VIEWPORT = { width: 960, height: 540 }
let fixture: EmbeddedPlayerFixture
let videoId: string

/** Cues of which each ends with the video, so that a seek needs no exact place. */
const cues = (...lines: [string, string][]): string =>
  lines.map(([at, text], i) => (i ? `\n${at} --> 10:00.000\n${text}` : text)).join('\n')

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  await fixture.annotate(videoId, {
    captions: {
      en: cues(
        ['0', 'The <i>first</i> line'],
        ['00:20.000', 'Über the bridge'],
        ['00:40.000', 'The end'],
      ),
      de: cues(['0', 'Die erste Zeile'], ['00:20.000', 'Über die Brücke']),
    },
  })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

const open = async (query: string, options: object = {}): Promise<Page> => {
  const page = await openEmbed(fixture, videoId, {
    viewport: VIEWPORT,
    locale: 'en-US',
    query,
    ...options,
  })
  await untilReady(page)
  await page.waitForSelector('media-captions-button[mediasubtitleslist]', { state: 'attached' })
  return page
}

const openFromMenu = async (page: Page, text: string): Promise<void> => {
  await page.mouse.move(200, 200)
  await page.click('media-settings-menu-button')
  await page.click('media-settings-menu-item:has(#captions-menu)')
  await page.click(`#captions-menu .way:has-text("${text}")`)
  await page.waitForSelector('.panel')
}

const showing = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...(document.querySelector('video')?.textTracks ?? [])]
      .filter(({ kind, mode }) => kind === 'captions' && mode === 'showing')
      .map(({ language }) => language),
  )

const rule = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      document.adoptedStyleSheets
        .flatMap((sheet) => [...sheet.cssRules])
        .map(({ cssText }) => cssText)
        .find((text) => text.startsWith('.player video::cue')) ?? '',
  )

const lines = (page: Page): Promise<unknown[]> =>
  page.evaluate(() =>
    [...(document.querySelector('video')?.textTracks ?? [])].flatMap(({ mode, cues }) =>
      mode === 'showing' ? [...(cues ?? [])].map((cue) => (cue as VTTCue).line) : [],
    ),
  )

describe('the style of captions', () => {
  it('is chosen with a live sample, kept for the next video, and can be reset', async () => {
    const page = await open('captions=en')
    await openFromMenu(page, 'Caption style')
    const panel = page.getByRole('region', { name: 'Caption style' })
    for (const [name, value] of [
      ['Size', 'Very large'],
      ['Colour', 'Yellow'],
      ['Background', 'None'],
      ['Edge', 'Outline'],
      ['Font', 'Serif'],
      ['Position', 'Top'],
    ] as const)
      await panel.getByRole('combobox', { name }).selectOption(value)
    const sample = await panel.locator('.sample span').getAttribute('style')
    expect(sample).toContain('rgb(255, 255, 0)')
    expect(await rule(page)).toMatch(/rgb\(255, 255, 0\).*serif.*1\.9em/)
    await waitFor('captions at the top', async () => (await lines(page)).join() === '0,0,0')
    expect(await axeFaults(page)).toEqual([])

    await page.reload({ referer: fixture.siteUrl('site.localhost') } as never)
    await waitFor('the kept style', async () => (await rule(page)).includes('rgb(255, 255, 0)'))
    await waitFor('captions at the top', async () => (await lines(page)).join() === '0,0,0')
    await openFromMenu(page, 'Caption style')
    await panel.getByRole('button', { name: 'Reset' }).click()
    expect(await rule(page)).not.toContain('font-size')
    expect(await lines(page)).toEqual(['auto', 'auto', 'auto'])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await leave(page)
  }, 90_000)
})

describe('the place of captions', () => {
  const REGION = ['REGION', 'id:a', 'width:40%', 'regionanchor:100%,100%', 'viewportanchor:95%,40%']
  const at = (settings: string, text: string): string =>
    `00:00.000 --> 10:00.000 ${settings}\n${text}`

  /** Takes a picture of a part of the page, in shares of its size. */
  const shot = async (page: Page, [x, y, width, height]: number[] = []): Promise<string> => {
    const { width: w, height: h } = VIEWPORT
    const clip = { x: x! * w, y: y! * h, width: width! * w, height: height! * h }
    return (await page.screenshot({ clip })).toString('base64')
  }

  const show = (page: Page, language: string | null): Promise<void> =>
    page.evaluate((wanted) => {
      for (const track of document.querySelector('video')?.textTracks ?? [])
        if (track.kind === 'captions')
          track.mode = track.language === wanted ? 'showing' : 'disabled'
      const player = document.querySelector('media-controller')
      player?.removeAttribute('mediapaused')
      player?.setAttribute('userinactive', '')
    }, language)

  it('is away from the edge, at the anchor of a region, and at the side for vertical text', async () => {
    await fixture.annotate(fixture.tallId, {
      captions: {
        en: 'A caption of one line,\nand of a second one',
        fr: ['', REGION.join('\n'), at('region:a align:end', 'In a region')].join('\n\n'),
        ja: ['', at('vertical:rl', 'A vertical caption')].join('\n\n'),
      },
    })
    const page = await openEmbed(fixture, fixture.tallId, {
      viewport: VIEWPORT,
      reducedMotion: 'reduce',
    })
    // A poster has no captions.
    await play(page)
    await page.evaluate(() => document.querySelector('video')?.pause())
    await page.waitForSelector('media-captions-button[mediasubtitleslist]', { state: 'attached' })
    await show(page, null)
    const places = {
      edge: [0.2, 0.98, 0.6, 0.02],
      bottom: [0.2, 0.85, 0.6, 0.12],
      region: [0.55, 0.3, 0.4, 0.12],
      side: [0, 0.3, 0.1, 0.4],
    }
    const bare: Record<string, string> = {}
    for (const [name, place] of Object.entries(places)) bare[name] = await shot(page, place)
    const seen = async (): Promise<string[]> => {
      const changed = []
      for (const [name, place] of Object.entries(places))
        if ((await shot(page, place)) !== bare[name]) changed.push(name)
      return changed
    }
    for (const [language, place] of [
      ['en', 'bottom'],
      ['fr', 'region'],
      ['ja', 'side'],
    ] as const) {
      await show(page, language)
      await waitFor(`captions at the ${place}`, async () => (await seen()).includes(place))
      expect([language, await seen()]).toEqual([language, [place]])
    }
    await page.context().close()
  }, 60_000)
})

describe('the settings of a small frame', () => {
  itOfAll(
    'scroll, and show each submenu from its top',
    async () => {
      const page = await open('captions=en', { viewport: { width: 320, height: 180 } })
      const scrolled = () =>
        page.evaluate(() => document.querySelector('media-settings-menu')?.scrollTop ?? -1)
      await page.mouse.move(160, 60)
      await page.click('media-settings-menu-button')
      await page.mouse.move(160, 60)
      await waitFor('the list to scroll', async () => {
        await page.mouse.wheel(0, 30)
        return (await scrolled()) > 20
      })
      await page.click('media-settings-menu-item:has(#captions-menu)')
      await page.waitForSelector('#captions-menu:not([hidden])')
      await waitFor('the top of the submenu', async () => (await scrolled()) === 0)
      await page.mouse.wheel(0, -500)
      await page.click('#captions-menu media-chrome-menu-item:has-text("de")')
      await waitFor('German captions', async () => (await showing(page)).join() === 'de')
      await leave(page)
    },
    60_000,
  )
})

describe('two languages', () => {
  itOfAll(
    'are shown together, kept, and go and come with the captions button',
    async () => {
      const page = await open('captions=en')
      await openFromMenu(page, 'Caption style')
      await page.getByRole('combobox', { name: 'Second language' }).selectOption('de')
      await waitFor('both', async () => (await showing(page)).toSorted().join() === 'de,en')
      await page.keyboard.press('Escape')
      await page.keyboard.press('c')
      await waitFor('none', async () => (await showing(page)).length === 0)
      await page.keyboard.press('c')
      await waitFor('both', async () => (await showing(page)).toSorted().join() === 'de,en')
      await page.reload({ referer: fixture.siteUrl('site.localhost') } as never)
      await waitFor(
        'both after the reload',
        async () => (await showing(page)).toSorted().join() === 'de,en',
      )
      await choose(page, 'captions', 'de')
      await waitFor('one, which is both', async () => (await showing(page)).join() === 'de')
      await leave(page)
    },
    90_000,
  )
})

describe('the transcript', () => {
  it('follows the video, is searched without accents, and seeks', async () => {
    const page = await open('')
    await openFromMenu(page, 'Transcript')
    const panel = page.getByRole('region', { name: 'Transcript' })
    const current = panel.locator('[aria-current="true"]')
    await panel.getByText('The first line').waitFor()
    expect(await showing(page)).toEqual([])
    await play(page)
    await seek(page, 25)
    await current.getByText('Über the bridge').waitFor()
    expect(await axeFaults(page)).toEqual([])

    await panel.getByRole('searchbox').fill('UBER')
    await panel.getByText('Found: 1').waitFor()
    expect(await panel.locator('mark').allTextContents()).toEqual(['Über'])
    expect(await panel.getByText('The end').isVisible()).toBe(false)
    await panel.getByRole('searchbox').fill('')
    // Keys inside the panel are not those of the player.
    await page.keyboard.press('k')
    expect(await isPaused(page)).toBe(false)
    await panel.getByRole('searchbox').fill('')
    await panel.getByRole('button', { name: 'The end' }).click()
    await waitFor('the seek', async () => (await position(page)) >= 40)
    await current.getByText('The end').waitFor()

    await panel.getByRole('combobox', { name: 'Language' }).selectOption('de')
    await current.getByText('Über die Brücke').waitFor()
    await panel.getByRole('searchbox').press('Escape')
    await panel.waitFor({ state: 'detached' })
    await leave(page)
  }, 90_000)

  itOfAll(
    'fits a phone in Arabic, and stops following when it is scrolled',
    async () => {
      const page = await open('lang=ar', { viewport: { width: 320, height: 180 }, hasTouch: true })
      await openFromMenu(page, 'النص الكامل')
      const panel = page.locator('.transcript')
      await panel.getByText('The end').waitFor({ state: 'attached' })
      const box = await panel.boundingBox()
      expect(box?.width).toBeLessThanOrEqual(320)
      expect(box?.height).toBeLessThanOrEqual(180)
      await panel.locator('ol').dispatchEvent('wheel')
      await panel.getByRole('button', { name: 'متابعة الفيديو' }).click()
      expect(await panel.locator('.follow').isHidden()).toBe(true)
      await leave(page)
    },
    90_000,
  )
})
