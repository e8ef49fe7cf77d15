import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_EVERY_CASE, someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { leave, useScript } from './idle-pages.ts'
import { check, hastenMark, markPixels, untilMoved } from './mark-pixels.ts'
import {
  isPaused,
  openBlank,
  openEmbed,
  play,
  shownError,
  untilPlays,
  untilReady,
  visitEmbed,
} from './viewer.ts'
import { ATTACKS, coverAll, COVERS, restyleText, STEALTHY_ATTACKS } from './watermark-attacks.ts'
import { changeInVain, EVASIONS, replaceDrawing } from './watermark-evasions.ts'

let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = fixture.wideId
  const watermark = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
  await fixture.configure({ watermark })
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

const incidents = async (viewerId: string): Promise<{ severity: string; how: string }[]> =>
  fixture.db.em.fork().execute(
    `select severity, details ->> 'how' as how from security_event
     where event_type = 'watermark_tampered' and viewer_id = ?`,
    [viewerId],
  )

/** Whether the watermark is in place. It has no name or class: it is the last child of the container. */
const mark = (page: Page) =>
  page.evaluate(() => {
    const host = document.querySelector('#player')?.lastElementChild
    return host instanceof HTMLDivElement && host.shadowRoot === null && host.style.zIndex !== ''
  })

const isMarkShown = (): boolean =>
  document.fullscreenElement?.lastElementChild?.checkVisibility() === true

/** The text of a viewer's id has more pixels than this in the smallest of these frames. */
const LEAST_PIXELS = 200

describe('the watermark', () => {
  it('is over the picture, moves, and stays during playback, pause and full screen, which shows its container', async () => {
    const page = await openBlank(fixture, { reducedMotion: 'reduce' })
    await hastenMark(page)
    await visitEmbed(fixture, page, videoId, { vt: fixture.vt('honest') })
    await play(page)
    expect(await mark(page)).toBe(true)
    await page.evaluate(() => document.querySelector('video')?.pause())
    expect((await markPixels(page, untilMoved)).count).toBeGreaterThan(LEAST_PIXELS)
    await page.keyboard.press('f')
    // The container, which includes the watermark.
    await page.waitForFunction(() => document.fullscreenElement?.id === 'player')
    await page.keyboard.press('k')
    await untilPlays(page)
    expect(await mark(page)).toBe(true)
    expect(await page.evaluate(isMarkShown)).toBe(true)
    await page.keyboard.press('?')
    await page.waitForSelector('dialog#help:popover-open')
    await check(page)
    await page.keyboard.press('?')
    await page.waitForSelector('dialog#help:not(:popover-open)', { state: 'attached' })
    await check(page)
    expect(await shownError(page)).toBeNull()
    expect(await incidents('honest')).toEqual([])
    await leave(page)
  }, 90_000)

  it('is restored after a single removal, and the video continues', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('unlucky') })
    await play(page)
    await page.evaluate(() => document.querySelector('#player')?.lastElementChild?.remove())
    await waitFor('the watermark', () => mark(page))
    await check(page)
    await untilPlays(page)
    expect(await shownError(page)).toBeNull()
    expect(await incidents('unlucky')).toEqual([])
    await leave(page)
  }, 60_000)

  it('cannot be restyled by style sheets', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('stylist') })
    await play(page)
    const look = () =>
      page.evaluate(() => {
        const host = document.querySelector('#player')?.lastElementChild
        const style = host ? getComputedStyle(host) : null
        return ['display', 'visibility', 'opacity', 'clipPath', 'maskImage', 'filter', 'scale']
          .concat(['transform', 'width', 'zIndex', 'contentVisibility', 'mixBlendMode'])
          .map((name) => style?.[name as keyof CSSStyleDeclaration])
      })
    const before = await look()
    await page.evaluate(() => {
      const rules = `display: none !important; visibility: hidden !important;
        opacity: 0 !important; clip-path: inset(50%) !important;
        mask-image: linear-gradient(transparent, transparent) !important;
        filter: opacity(0) !important; transform: scale(0) !important; scale: 0 !important;
        width: 0 !important; z-index: -1 !important; content-visibility: hidden !important;
        mix-blend-mode: multiply !important; animation: none !important`
      const style = document.createElement('style')
      style.textContent = `@layer own { #player > * { ${rules} } } #player > :last-child { ${rules} }`
      document.head.append(style)
    })
    expect(await look()).toEqual(before)
    await leave(page)
  }, 60_000)

  it('has picture-in-picture, casting and the context menu off', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('ann') })
    await play(page)
    const refusal = await page.evaluate(() =>
      document
        .querySelector('video')
        ?.requestPictureInPicture()
        .then(
          () => 'allowed',
          (error: DOMException) => error.name,
        ),
    )
    expect(refusal).toBe('InvalidStateError')
    expect(await page.locator('media-pip-button').count()).toBe(0)
    const isPrevented = await page.evaluate(() => {
      const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
      document.querySelector('video')?.dispatchEvent(event)
      return event.defaultPrevented
    })
    expect(isPrevented).toBe(true)
    await leave(page)
  }, 60_000)
})

async function openWith(viewer: string, beforeLoad?: () => void): Promise<Page> {
  const page = await openBlank(fixture)
  if (beforeLoad) await useScript(page, beforeLoad)
  await visitEmbed(fixture, page, videoId, { vt: fixture.vt(viewer) })
  return page
}

/** Repeats an attack until the video stops; resolves to the guard's name for it. */
async function strike(viewer: string, page: Page, attack: () => void): Promise<string | undefined> {
  await waitFor('the end of the video', async () => {
    // A key press: full screen and picture-in-picture need a user gesture.
    await page.keyboard.press('Shift')
    await page.evaluate(attack).catch(() => undefined)
    await check(page)
    if ((await shownError(page)) === 'watermark_lost') await playOn(page)
    return (await shownError(page)) === 'watermark'
  })
  const [event] = await waitFor('the security event', async () => {
    const found = await incidents(viewer)
    return found.length > 0 && found
  })
  expect(event?.severity).toBe('high')
  return event?.how
}

/** Plays on after the guard has paused the video. */
const playOn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      void document
        .querySelector('video')
        ?.play()
        .catch(() => undefined),
  )

/** Repeats an attack until the guard has paused the video; nothing but the guard's own times makes it look. */
async function strikeUntilPaused(page: Page, attack: () => void): Promise<void> {
  const began = performance.now()
  await waitFor('a pause', async () => {
    await page.evaluate(attack).catch(() => undefined)
    return (await shownError(page)) !== null && (await isPaused(page))
  })
  if (HAS_EVERY_CASE) expect(performance.now() - began).toBeLessThan(5_000)
}

describe('tampering with the watermark', () => {
  it.each(someOf(ATTACKS, 4))(
    'by %s stops the video, and is recorded',
    async (name, how, attack) => {
      const viewer = `mallory ${ATTACKS.findIndex(([other]) => other === name)}`
      const page = await openWith(viewer)
      await play(page)
      expect(how).toContain(await strike(viewer, page, attack))
      expect(await isPaused(page)).toBe(true)
      await page.waitForFunction(() => document.querySelector('video')?.readyState === 0)
      // The video has no source left that could play.
      const left = await page.evaluate(() => {
        const video = document.querySelector('video')
        void video?.play().catch(() => undefined)
        return [video?.hasAttribute('src'), video?.srcObject, video?.readyState]
      })
      expect(left).toEqual([false, null, 0])
      await leave(page)
    },
    90_000,
  )

  it.each(someOf(STEALTHY_ATTACKS, 5))(
    'by %s is detected',
    async (name, how, attack, beforeLoad) => {
      const viewer = `trudy ${STEALTHY_ATTACKS.findIndex(([other]) => other === name)}`
      const page = await openWith(viewer, beforeLoad)
      await untilReady(page)
      expect(how).toContain(await strike(viewer, page, attack))
      await leave(page)
    },
    90_000,
  )

  it.each(someOf(EVASIONS, 7))(
    'by %s pauses the video within five seconds, and stops it the second time',
    async (name, how, attack, beforeLoad) => {
      const viewer = `eve ${EVASIONS.findIndex(([other]) => other === name)}`
      const page = await openWith(viewer, beforeLoad)
      // Replaced built-ins may stop it before it plays.
      await (beforeLoad ? untilReady(page) : play(page))
      await strikeUntilPaused(page, attack)
      expect(await shownError(page)).toBe('watermark_lost')
      expect(how).toContain(await strike(viewer, page, attack))
      await page.context().close()
    },
    90_000,
  )

  it('by user style sheets inside the closed shadow root is detected', async () => {
    const rules = [
      ['opacity: 0.02', 'filter: opacity(0.02)'],
      ['clip-path: inset(49%)', 'object-position: 9999px 0'],
      ['mask-image: linear-gradient(#0000, #0000)', 'content: url(data:image/gif;base64,)'],
      ['scale: 0.01', 'translate: 9999px'],
      ['padding: 300px', `filter: ${'brightness(0.5) '.repeat(10)}`],
      ['zoom: 0.1', `filter: ${'contrast(0.5) '.repeat(5)}`],
    ] as const
    for (const [first, second] of someOf(rules, 6)) {
      const page = await openWith(`stylist of ${first}`)
      await untilReady(page)
      const inspector = await page.context().newCDPSession(page)
      const host = await page.evaluateHandle(
        () => document.querySelector('#player')?.lastElementChild,
      )
      await restyleText(inspector, first)
      await check(page)
      // The guard forgives the first, and replaces the watermark. The second pauses the video.
      expect([first, await host.evaluate((element) => element?.isConnected)]).toEqual([
        first,
        false,
      ])
      expect([first, await shownError(page)]).toEqual([first, null])
      await restyleText(inspector, second)
      await check(page)
      expect([second, await shownError(page)]).toEqual([second, 'watermark_lost'])
      await play(page)
      await restyleText(inspector, second)
      await check(page)
      expect([second, await shownError(page)]).toEqual([second, 'watermark'])
      await leave(page)
    }
  }, 120_000)
})

describe('covering the watermark', () => {
  it('in vain leaves it readable: what pages can add to it, and built-ins that draw and choose places', async () => {
    const page = await openWith('in vain', replaceDrawing)
    await untilReady(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.evaluate(changeInVain)
    await check(page)
    expect((await markPixels(page)).count).toBeGreaterThan(LEAST_PIXELS)
    expect(await shownError(page)).toBeNull()
    expect(await incidents('in vain')).toEqual([])
    await page.context().close()
  }, 60_000)

  it('below the top layer leaves it readable, also if its position was fixed', async () => {
    const page = await openBlank(fixture, { reducedMotion: 'reduce' })
    await useScript(page, () => {
      if (self !== top) return
      crypto.getRandomValues = (given) => given
      const { value } = Object.getOwnPropertyDescriptor(Element.prototype, 'attachShadow') ?? {}
      Element.prototype.attachShadow = function (): ShadowRoot {
        return Reflect.apply(value as () => ShadowRoot, this, [{ mode: 'open' }])
      }
    })
    await visitEmbed(fixture, page, videoId, { vt: fixture.vt('pinned') })
    await untilReady(page)
    await page.evaluate(coverAll, COVERS)
    const { count } = await markPixels(page)
    expect(count).toBeGreaterThan(LEAST_PIXELS)
    expect(await shownError(page)).toBeNull()
    expect(
      await page.evaluate(
        () => document.querySelector('#player')?.lastElementChild?.shadowRoot ?? null,
      ),
    ).toBeNull()
    await leave(page)
  }, 60_000)
})
