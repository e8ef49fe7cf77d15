import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { waitFor } from '../service/wait-for.ts'
import { openPlayerWorld } from './player-world.ts'
import type { PlayerWorld } from './player-world.ts'
import { isPaused, makeSmallFilm, openEmbed, play, untilMessage, untilPlays } from './viewer.ts'

let world: PlayerWorld
let videoId: string

beforeAll(async () => {
  world = await openPlayerWorld()
  videoId = await world.ingest(await makeSmallFilm(world, 60))
  const watermark = { enabled: true, required: true, opacity: 0.4, size: 'medium' } as const
  await world.configure({ watermark })
}, 180_000)

afterAll(() => world?.close())

const incidents = async (viewerId: string): Promise<{ severity: string; how: string }[]> =>
  world.db.em.fork().execute(
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

describe('the watermark', () => {
  it('is over the picture, moves, and stays through playing, pausing and full screen', async () => {
    const page = await openEmbed(world, videoId, { vt: world.vt('honest') })
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
    const page = await openEmbed(world, videoId, { vt: world.vt('unlucky') })
    await play(page)
    await page.evaluate(() => document.querySelector('#player')?.lastElementChild?.remove())
    await waitFor('the watermark', () => mark(page))
    await sleep(2_000)
    await untilPlays(page)
    expect(await incidents('unlucky')).toEqual([])
    await page.context().close()
  }, 60_000)

  it('cannot be restyled by style sheets, whatever they say', async () => {
    const page = await openEmbed(world, videoId, { vt: world.vt('stylist') })
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
    const page = await openEmbed(world, videoId, { vt: world.vt('ann') })
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

/** Each is run again and again in the page, as a script of an extension would. */
const ATTACKS: [name: string, how: string[], attack: () => void][] = [
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
    'a patch that an adopted style sheet paints over it',
    ['covered'],
    () => {
      const sheet = new CSSStyleSheet()
      const box = 'content: ""; position: absolute; inset: 0; z-index: 2147483647'
      sheet.replaceSync(`#player::after { ${box}; background: #000 }`)
      document.adoptedStyleSheets = [sheet]
    },
  ],
  [
    'a patch that a rule in our own style sheet paints over it',
    ['covered'],
    () => {
      const box = 'content: ""; position: fixed; inset: 0; z-index: 2147483647'
      document.styleSheets[0]?.insertRule(`body::after { ${box}; background: #000 }`)
    },
  ],
  [
    'the video laid over it',
    ['covered'],
    () => {
      const host = document.querySelector<HTMLElement>('#player > :last-child')
      const video = document.querySelector('video')
      video?.setAttribute('style', 'position: relative; z-index: 2147483647 !important')
      host?.style.setProperty('z-index', '-1', 'important')
    },
  ],
  [
    'a patch over it that lets the pointer through',
    ['covered'],
    () => {
      if (document.querySelector('#patch')) return
      const patch = document.createElement('div')
      patch.id = 'patch'
      patch.setAttribute(
        'style',
        'position: fixed; inset: 0; z-index: 2147483647; background: #000; pointer-events: none',
      )
      document.body.append(patch)
    },
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

describe('tampering with the watermark', () => {
  it.each(ATTACKS)(
    'by %s stops the film, and is recorded',
    async (name, how, attack) => {
      const viewer = `mallory ${ATTACKS.findIndex(([other]) => other === name)}`
      const page = await openEmbed(world, videoId, { vt: world.vt(viewer) })
      await play(page)
      // A key press: full screen and picture-in-picture are given to somebody who acts.
      const strike = async (): Promise<void> => {
        await page.keyboard.press('Shift')
        await page.evaluate(attack).catch(() => undefined)
      }
      const isCaught = untilMessage(page, 'watermark').then(() => true)
      let over = false
      void isCaught.then(() => (over = true))
      while (!over) {
        await strike()
        await sleep(400)
      }
      expect(await isPaused(page)).toBe(true)
      const [event] = await waitFor('the security event', async () => {
        const found = await incidents(viewer)
        return found.length > 0 && found
      })
      expect(event?.severity).toBe('high')
      expect(how).toContain(event?.how)
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

  it('by disarming observers and timers before the page loads is seen all the same', async () => {
    const context = await world.browser.newContext()
    const page = await context.newPage()
    await page.addInitScript(() => {
      MutationObserver.prototype.observe = () => undefined
      setInterval(() => {
        for (let id = 1; id < 20_000; id++) clearTimeout(id)
      }, 50)
    })
    await page.goto(world.embedUrl(videoId, world.vt('trudy')), {
      referer: world.siteUrl('site.localhost'),
    })
    await play(page)
    const caught = untilMessage(page, 'watermark')
    let over = false
    void caught.then(() => (over = true))
    while (!over) {
      await page.evaluate(() => document.querySelector('#player')?.lastElementChild?.remove())
      await sleep(500)
    }
    await context.close()
  }, 90_000)
})
