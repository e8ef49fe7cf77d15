import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CDPSession, Page } from 'playwright-core'
import { waitFor } from '../infrastructure/wait-for.ts'
import { markPixels } from './mark-pixels.ts'
import { openEmbeddedPlayerFixture } from './embedded-player.ts'
import type { EmbeddedPlayerFixture } from './embedded-player.ts'
import { isPaused, makeSmallSource, openEmbed, play } from './viewer.ts'
import { untilMessage, untilPlays, untilReady } from './viewer.ts'

let fixture: EmbeddedPlayerFixture
let videoId: string

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  videoId = await fixture.ingest(await makeSmallSource(fixture, 60))
  const watermark = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
  await fixture.configure({ watermark })
}, 180_000)

afterAll(() => fixture?.close())

const incidents = async (viewerId: string): Promise<{ severity: string; how: string }[]> =>
  fixture.db.em.fork().execute(
    `select severity, details ->> 'how' as how from security_event
     where event_type = 'watermark_tampered' and viewer_id = ?`,
    [viewerId],
  )

/** The watermark has no name: it is the last thing in the container. */
const mark = (page: Page) =>
  page.evaluate(() => {
    const host = document.querySelector('#player')?.lastElementChild
    return host instanceof HTMLDivElement && host.shadowRoot === null && host.style.zIndex !== ''
  })

/** Of the text of a viewer's id, in the smallest of these frames. */
const LEAST_PIXELS = 200

/** A few at a time: each page decodes a film. */
async function inTurns<T>(all: T[], one: (given: T, at: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += 4)
    await Promise.all(all.slice(at, at + 4).map((given, index) => one(given, at + index)))
}

describe('the watermark', () => {
  it('is over the picture, moves, and stays through playing, pausing and full screen', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('honest') })
    await play(page)
    expect(await mark(page)).toBe(true)
    const before = await page.screenshot({ clip: { x: 0, y: 60, width: 800, height: 300 } })
    await page.evaluate(() => document.querySelector('video')?.pause())
    await waitFor('another place', async () => {
      const now = await page.screenshot({ clip: { x: 0, y: 60, width: 800, height: 300 } })
      return !now.equals(before)
    })
    await page.keyboard.press('f')
    await page.waitForFunction(() => document.fullscreenElement !== null)
    await page.keyboard.press('k')
    await untilPlays(page)
    await page.keyboard.press('?')
    await page.click('media-settings-menu-button', { trial: true, timeout: 500 }).catch(() => {})
    await page.keyboard.press('?')
    await sleep(2_500)
    expect(await page.evaluate(() => document.documentElement.dataset.error ?? null)).toBeNull()
    expect(await incidents('honest')).toEqual([])
    await page.context().close()
  }, 90_000)

  it('is put back after one accident, and the film plays on', async () => {
    const page = await openEmbed(fixture, videoId, { vt: fixture.vt('unlucky') })
    await play(page)
    await page.evaluate(() => document.querySelector('#player')?.lastElementChild?.remove())
    await waitFor('the watermark', () => mark(page))
    await sleep(2_000)
    await untilPlays(page)
    expect(await incidents('unlucky')).toEqual([])
    await page.context().close()
  }, 60_000)

  it('cannot be restyled by style sheets, whatever they say', async () => {
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
      const rules = [
        ...['display: none', 'visibility: hidden', 'opacity: 0', 'clip-path: inset(50%)'],
        ...['mask-image: linear-gradient(transparent, transparent)', 'filter: opacity(0)'],
        ...['transform: scale(0)', 'scale: 0', 'width: 0', 'z-index: -1'],
        ...['content-visibility: hidden', 'mix-blend-mode: multiply', 'animation: none'],
      ]
      const text = `#player > * { ${rules.map((rule) => `${rule} !important`).join('; ')} }`
      const style = document.createElement('style')
      style.textContent = `@layer own { ${text} } #player > :last-child { ${rules.map((rule) => `${rule} !important`).join('; ')} }`
      document.head.append(style)
    })
    expect(await look()).toEqual(before)
    await page.context().close()
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
    await page.context().close()
  }, 60_000)
})

type Attack = [name: string, how: string[], attack: () => void, beforeLoad?: () => void]

/** Each is run again and again in the page, as a script of an extension would. */
const ATTACKS: Attack[] = [
  ['removing it', ['removed'], () => document.querySelector('#player')?.lastElementChild?.remove()],
  [
    'moving it out of the player',
    ['removed'],
    () => {
      const host = document.querySelector('#player')?.lastElementChild
      if (host instanceof HTMLDivElement) document.body.append(host)
    },
  ],
  [
    'an inline style',
    ['hidden', 'restyled'],
    () => {
      const host = document.querySelector<HTMLElement>('#player > :last-child')
      host?.style.setProperty('display', 'none', 'important')
    },
  ],
  [
    'taking its style away',
    ['moved', 'restyled', 'hidden', 'covered'],
    () => document.querySelector('#player > :last-child')?.removeAttribute('style'),
  ],
  [
    'the video taken out of the player',
    ['moved'],
    () => {
      const video = document.querySelector('video')
      if (video) document.body.append(video)
    },
  ],
  [
    'the video alone in full screen',
    ['moved'],
    () =>
      void document
        .querySelector('video')
        ?.requestFullscreen()
        .catch(() => undefined),
  ],
  [
    'picture-in-picture, its bar torn down',
    ['picture_in_picture'],
    () => {
      const video = document.querySelector('video')
      if (!video) return
      video.disablePictureInPicture = false
      void video.requestPictureInPicture().catch(() => undefined)
    },
  ],
]

/** Covers in the top layer, pictures painted elsewhere, built-ins that lie, a guard put to sleep. */
const STEALTHY_ATTACKS: Attack[] = [
  [
    'a reflection of the video beside it',
    ['moved'],
    () => {
      const style = document.createElement('style')
      style.textContent = `media-controller { width: 50vw !important; height: 100vh !important;
        position: absolute !important; inset: 0 auto auto 0 !important; contain: none !important;
        overflow: visible !important } video { -webkit-box-reflect: right 0px !important }`
      document.head.append(style)
    },
  ],
  [
    'a filter that paints the picture beside its box',
    ['moved'],
    () => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<svg width="0" height="0"><filter id="shift"><feOffset dx="300"/></filter></svg>',
      )
      document.querySelector('video')?.setAttribute('style', 'filter: url(#shift) !important')
    },
  ],
  [
    'a popover over it that insists on letting the pointer through',
    ['covered'],
    () => {
      const patch = document.querySelector('#patch') ?? document.createElement('div')
      patch.id = 'patch'
      patch.setAttribute('popover', 'manual')
      patch.setAttribute(
        'style',
        'inset: 0; width: 100%; height: 100%; background: #000; pointer-events: none !important',
      )
      document.body.append(patch)
      ;(patch as HTMLElement).showPopover()
    },
  ],
  [
    'an inert popover over it',
    ['covered'],
    () => {
      const patch = document.createElement('div')
      patch.inert = true
      patch.popover = 'manual'
      patch.style.cssText = 'inset: 0; width: 100%; height: 100%; backdrop-filter: blur(12px)'
      document.body.append(patch)
      patch.showPopover()
    },
  ],
  [
    'a view transition that is held',
    ['covered'],
    () => {
      const style = document.createElement('style')
      style.textContent = `video { view-transition-name: film }
        ::view-transition { pointer-events: none !important }
        ::view-transition-group(*), ::view-transition-new(*) { animation-duration: 9999s !important }`
      document.head.append(style)
      document.startViewTransition(() => undefined)
    },
  ],
  [
    'a container without height, which the video leaves',
    ['removed', 'moved'],
    () => {
      const style = document.createElement('style')
      style.textContent = `media-controller { height: 0 !important; contain: none !important;
        overflow: visible !important } video { position: fixed !important; inset: 0 !important;
        width: 100vw !important; height: 100vh !important }`
      document.head.append(style)
      document.querySelector('#player')?.lastElementChild?.remove()
    },
  ],
  [
    'replacing the built-ins that would tell',
    ['removed'],
    () => {
      const player = document.querySelector('#player')
      const getter = (value: unknown) => ({ configurable: true, get: () => value })
      Object.defineProperty(Node.prototype, 'parentNode', getter(player))
      Object.defineProperty(Element.prototype, 'checkVisibility', { value: () => true })
      Object.defineProperty(Document.prototype, 'elementFromPoint', { value: () => null })
      Element.prototype.append = () => undefined
      Array.prototype.some = () => false
      crypto.getRandomValues = (given) => given
      player?.lastElementChild?.remove()
    },
  ],
  [
    'replacing the built-ins that would tell before the page loads',
    ['covered'],
    () => {
      const patch = document.createElement('div')
      patch.popover = 'manual'
      patch.style.cssText = 'inset: 0; width: 100%; height: 100%; background: #000'
      document.body.append(patch)
      patch.showPopover()
    },
    () => {
      if (self !== top) return
      const lie = { value: () => document.querySelector('#player')?.lastElementChild }
      Object.defineProperty(Document.prototype, 'elementFromPoint', lie)
      Object.defineProperty(Document.prototype, 'elementsFromPoint', { value: () => [] })
    },
  ],
  [
    'disarming observers, timers and the events of the video before the page loads',
    ['removed'],
    () => document.querySelector('#player')?.lastElementChild?.remove(),
    () => {
      MutationObserver.prototype.observe = () => undefined
      ResizeObserver.prototype.observe = () => undefined
      for (const event of ['timeupdate', 'play', 'resize', 'enterpictureinpicture'])
        addEventListener(event, (given) => given.stopImmediatePropagation(), { capture: true })
      setInterval(() => {
        for (let id = 1; id < 20_000; id++) clearTimeout(id)
      }, 50)
    },
  ],
]

async function openWith(viewer: string, beforeLoad?: () => void): Promise<Page> {
  const context = await fixture.browser.newContext()
  const page = await context.newPage()
  if (beforeLoad) await page.addInitScript(beforeLoad)
  const referer = fixture.siteUrl('site.localhost')
  await page.goto(fixture.embedUrl(videoId, fixture.vt(viewer)), { referer })
  return page
}

/** Strikes until the film is stopped; resolves to the page and to how the guard names it. */
async function strike(viewer: string, page: Page, attack: () => void): Promise<string | undefined> {
  let isOver = false
  const caught = untilMessage(page, 'watermark').finally(() => (isOver = true))
  caught.catch(() => undefined)
  while (!isOver) {
    // A key press: full screen and picture-in-picture need a user gesture.
    await page.keyboard.press('Shift')
    await page.evaluate(attack).catch(() => undefined)
    await sleep(400)
  }
  await caught
  const [event] = await waitFor('the security event', async () => {
    const found = await incidents(viewer)
    return found.length > 0 && found
  })
  expect(event?.severity).toBe('high')
  return event?.how
}

describe('tampering with the watermark', () => {
  it.each(ATTACKS)(
    'by %s stops the film, and is recorded',
    async (name, how, attack) => {
      const viewer = `mallory ${ATTACKS.findIndex(([other]) => other === name)}`
      const page = await openWith(viewer)
      await play(page)
      expect(how).toContain(await strike(viewer, page, attack))
      expect(await isPaused(page)).toBe(true)
      await page.evaluate(
        () =>
          void document
            .querySelector('video')
            ?.play()
            .catch(() => undefined),
      )
      await sleep(500)
      expect(await page.evaluate(() => document.querySelector('video')?.readyState ?? 0)).toBe(0)
      await page.context().close()
    },
    90_000,
  )

  it.each(STEALTHY_ATTACKS)(
    'by %s is seen all the same',
    // Jest would take a parameter that a row lacks for its callback.
    async (...[name, how, attack, beforeLoad]: Attack) => {
      const viewer = `trudy ${STEALTHY_ATTACKS.findIndex(([other]) => other === name)}`
      const page = await openWith(viewer, beforeLoad)
      await untilReady(page)
      expect(how).toContain(await strike(viewer, page, attack))
      await page.context().close()
    },
    90_000,
  )

  it('by what style sheets of a user change in the closed shadow root is seen', async () => {
    const rules = ['opacity: 0.02', 'filter: opacity(0.02)', 'clip-path: inset(49%)']
      .concat(['object-position: 9999px 0', 'mask-image: linear-gradient(#0000, #0000)'])
      .concat(['content: url(data:image/gif;base64,)', 'scale: 0.01', 'translate: 9999px'])
    await inTurns(rules, async (rule, at) => {
      const viewer = `stylist ${at}`
      const page = await openWith(viewer)
      await untilReady(page)
      const inspector = await page.context().newCDPSession(page)
      let isOver = false
      const caught = untilMessage(page, 'watermark').finally(() => (isOver = true))
      caught.catch(() => undefined)
      while (!isOver) {
        await restyleText(inspector, rule).catch(() => undefined)
        await sleep(400)
      }
      await caught
      await page.context().close()
    })
  }, 120_000)
})

/** As the inspector does, which sees closed shadow roots. */
async function restyleText(inspector: CDPSession, rule: string): Promise<void> {
  const { root } = await inspector.send('DOM.getDocument', { depth: -1, pierce: true })
  const all = [root]
  for (const node of all) all.push(...(node.children ?? []), ...(node.shadowRoots ?? []))
  const drawn = all.find(({ localName }) => localName === 'canvas')
  const { object } = await inspector.send('DOM.resolveNode', { nodeId: drawn?.nodeId ?? 0 })
  await inspector.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration:
      'function (name, value) { this.style.setProperty(name, value, "important") }',
    arguments: rule.split(/: (.*)/).map((value) => ({ value })),
  })
}

const COVERS = `html::after { content: ''; position: fixed; inset: 0; z-index: 2147483647;
    background: #000; pointer-events: none }
  body::after { content: ''; position: fixed; inset: 0; z-index: 2147483647; pointer-events: none;
    backdrop-filter: blur(12px) }
  html, body, media-controller { filter: opacity(0.01); mix-blend-mode: multiply }
  video { position: relative !important; z-index: 2147483647 !important; pointer-events: none !important }`

/** What hid it in the page without a trace, all at once. */
function coverAll(rules: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules)
  document.adoptedStyleSheets = [sheet]
  const box = 'position: fixed; inset: 0; z-index: 2147483647; background: #000'
  const patch = document.createElement('div')
  patch.setAttribute('style', `${box}; pointer-events: none !important`)
  const hidden = document.createElement('div')
  const inner = document.createElement('div')
  inner.setAttribute('style', `${box}; pointer-events: none`)
  hidden.attachShadow({ mode: 'closed' }).append(inner)
  document.body.append(patch, hidden)
  const root = document.querySelector('#player')?.shadowRoot
  const faint = document.createElement('style')
  faint.textContent =
    'slot:not([name]) { display: block; opacity: 0.02; mask: linear-gradient(#0000, #0000) }'
  root?.append(faint)
}

describe('covering the watermark', () => {
  it('below the top layer leaves it to be read, also where it was pinned to a place', async () => {
    const context = await fixture.browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.addInitScript(() => {
      if (self !== top) return
      crypto.getRandomValues = (given) => given
      const { value } = Object.getOwnPropertyDescriptor(Element.prototype, 'attachShadow') ?? {}
      Element.prototype.attachShadow = function (): ShadowRoot {
        return Reflect.apply(value as () => ShadowRoot, this, [{ mode: 'open' }])
      }
    })
    const referer = fixture.siteUrl('site.localhost')
    await page.goto(fixture.embedUrl(videoId, fixture.vt('pinned')), { referer })
    await untilReady(page)
    await page.evaluate(coverAll, COVERS)
    const { count } = await markPixels(page)
    expect(count).toBeGreaterThan(LEAST_PIXELS)
    expect(
      await page.evaluate(
        () => document.querySelector('#player')?.lastElementChild?.shadowRoot ?? null,
      ),
    ).toBeNull()
    await context.close()
  }, 60_000)
})
