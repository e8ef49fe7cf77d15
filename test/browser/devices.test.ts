import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { waitFor } from '../infrastructure/wait-for.ts'
import { openEmbeddedPlayerFixture, PREPARED_WITHIN_MS } from './embedded-player.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'
import { openEmbed, position, untilPlays, untilReady } from './viewer.ts'

const VIEWPORT = { width: 640, height: 360 }
const TELEVISION =
  'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) 85.0.4183.93/6.5 TV Safari/537.36'
let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  await fixture.annotate(videoId, { captions: { en: 'Hello', de: 'Hallo' } })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

async function open(context: object = {}): Promise<Page> {
  const page = await openEmbed(fixture, videoId, { viewport: VIEWPORT, locale: 'en', ...context })
  await untilReady(page)
  await page.waitForSelector('media-captions-button[mediasubtitleslist]', { state: 'attached' })
  return page
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.localName ?? '')

/** What Media Chrome knows of the video; it decides what the next use of a control does. */
const controllerHas = (state: string) => (page: Page) =>
  page.evaluate(
    (wanted) => document.querySelector('media-controller')?.matches(wanted) === true,
    state,
  )

const areCaptionsOn = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...(document.querySelector('video')?.textTracks ?? [])].some(
      ({ kind, mode }) => kind === 'captions' && mode === 'showing',
    ),
  )

/** A control, and what shows that it was used. */
interface Use {
  control: string
  isUsed: (page: Page) => Promise<boolean>
}

/** The buttons from left to right, each of which is used twice. */
const BUTTONS: readonly Use[] = [
  { control: 'media-play-button', isUsed: controllerHas(':not([mediapaused])') },
  { control: 'media-mute-button', isUsed: controllerHas('[mediavolumelevel="off"]') },
  { control: 'media-captions-button', isUsed: areCaptionsOn },
  { control: 'media-fullscreen-button', isUsed: controllerHas('[mediaisfullscreen]') },
]

async function useTwice(page: Page, { control, isUsed }: Use, use: () => Promise<unknown>) {
  for (const wanted of [true, false]) {
    await use()
    await waitFor(`${control} ${wanted}`, async () => (await isUsed(page)) === wanted, 30_000)
  }
}

describe('a remote', () => {
  const television = { userAgent: TELEVISION }

  it('plays by Enter, seeks by arrows and media keys, and enters the controls from the picture', async () => {
    const page = await open(television)
    const press = (key: string) => page.keyboard.press(key)
    await press('Enter')
    await untilPlays(page)
    const from = await position(page)
    await press('ArrowRight')
    await waitFor('a seek', async () => (await position(page)) >= from + 5)
    await page.evaluate(() =>
      dispatchEvent.call(document, new KeyboardEvent('keydown', { key: 'MediaFastForward' })),
    )
    await waitFor('a seek', async () => (await position(page)) >= from + 15)
    await press('ArrowUp')
    expect(await focused(page)).toBe('media-time-range')
    await press('ArrowDown')
    expect(await focused(page)).toBe('media-play-button')
    await press('ArrowUp')
    await press('ArrowUp')
    expect(await focused(page)).toBe('body')
    await page.context().close()
  }, 60_000)

  it('reaches and uses every button by arrows and Enter', async () => {
    const page = await open(television)
    await page.keyboard.press('ArrowDown')
    for (const use of BUTTONS) {
      for (let steps = 0; (await focused(page)) !== use.control; steps++) {
        if (steps > 8) throw new Error(`the arrows do not reach ${use.control}`)
        await page.keyboard.press('ArrowRight')
      }
      await useTwice(page, use, () => page.keyboard.press('Enter'))
    }
    await page.context().close()
  }, 60_000)
})
