import { build } from 'esbuild'
import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type * as ParentMessages from '../../player/client/parent/parent-messages.ts'
import type { ReelgateVideo } from '../../player/embed-script/reelgate-video.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { SMALL } from './idle-pages.ts'

let fixture: EmbeddedPlayerFixture
let src: string
let page: Page

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  src = fixture.embedUrl(fixture.wideId)
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

beforeEach(async () => {
  page = await fixture.browser.newPage({ viewport: SMALL })
  await page.addInitScript(recordEvents)
})

afterEach(() => page.close())

const withScript = (body: string): string =>
  `<!doctype html><title>Site</title><script src="${fixture.embedBase}/embed.js"></script>${body}`

async function openSite(html: string, headers: Record<string, string> = {}): Promise<void> {
  fixture.servePage('/', html, headers)
  await page.goto(fixture.siteUrl('site.localhost'))
}

const player = (id = 'one', attributes = 'muted'): string =>
  `<reelgate-video id="${id}" src="${src}" loading="eager" ${attributes}></reelgate-video>`

/** Collects the events of the players of a page in `window.received`; runs before the page's own scripts. */
function recordEvents(): void {
  if (self !== top) return
  const received: string[] = []
  Object.assign(window, { received })
  const names = ['ready', 'play', 'playing', 'pause', 'timeupdate', 'seeked', 'ended']
  for (const name of [...names, 'ratechange', 'volumechange', 'captions', 'fullscreen', 'error'])
    // The events do not bubble.
    document.addEventListener(
      name,
      ({ target }) => {
        if (target instanceof Element && target.localName === 'reelgate-video') received.push(name)
      },
      { capture: true },
    )
}

const received = (name: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => (window as unknown as { received: string[] }).received.includes(wanted),
    name,
  )

/** Commands the element and resolves to its state after that. */
const ask = (id: string, method: 'play' | 'pause' | 'seek' | 'setCaptions', value?: unknown) =>
  page.evaluate(
    async ([elementId, name, argument]) => {
      const element = document.getElementById(elementId) as ReelgateVideo
      return (element[name] as (value?: unknown) => ReturnType<ReelgateVideo['play']>)(argument)
    },
    [id, method, value] as const,
  )

const embeds = (): Frame[] => page.frames().filter((frame) => frame.url().startsWith(src))

async function readyFrame(): Promise<Frame> {
  const [frame] = embeds()
  if (!frame) throw new Error('there is no player in the page')
  await frame.waitForSelector('html[data-state]')
  await frame.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 1)
  return frame
}

describe('a reelgate-video of another site', () => {
  it('plays, pauses and seeks by its methods, and emits the events', async () => {
    await openSite(withScript(player()))
    expect(await ask('one', 'play')).toMatchObject({ paused: false })
    await page.waitForFunction(
      () => (document.getElementById('one') as ReelgateVideo).currentTime > 0.5,
    )
    expect(await ask('one', 'pause')).toMatchObject({ paused: true })
    expect(await ask('one', 'seek', 6)).toMatchObject({ currentTime: 6 })
    for (const name of ['play', 'playing', 'timeupdate', 'pause', 'seeked']) await received(name)
    const duration = await page.evaluate(
      () => (document.getElementById('one') as ReelgateVideo).duration,
    )
    expect(duration).toBeGreaterThan(11)
    await ask('one', 'seek', duration - 0.5)
    await ask('one', 'play')
    await received('ended')
  }, 60_000)

  it('has its volume, mute and speed set as properties, and captions by language', async () => {
    await openSite(withScript(player()))
    await received('ready')
    await page.evaluate(() => {
      const element = document.getElementById('one') as ReelgateVideo
      Object.assign(element, { volume: 0.25, muted: true, playbackRate: 1.5 })
    })
    const [frame] = embeds()
    await frame?.evaluate(() =>
      document.querySelector('video')?.addTextTrack('captions', 'D', 'de'),
    )
    expect(await ask('one', 'setCaptions', 'de')).toMatchObject({
      volume: 0.25,
      muted: true,
      playbackRate: 1.5,
      captions: 'de',
    })
    for (const name of ['volumechange', 'ratechange', 'captions']) await received(name)
    expect(await ask('one', 'setCaptions', null)).toMatchObject({ captions: null })
    await expect(ask('one', 'setCaptions', 'tlh')).rejects.toThrow('no_such_captions')
    await expect(ask('one', 'seek', Number.NaN)).rejects.toThrow('invalid_value')
  }, 60_000)

  it('has an iframe with the attributes that protected playback needs, as wide as its container', async () => {
    await openSite(
      withScript(`<div style="width:320px">${player('one', 'title="A lesson"')}</div>`),
    )
    const facts = await page.evaluate(() => {
      const frame = document.getElementById('one')?.shadowRoot?.querySelector('iframe')
      const { width, height } = frame?.getBoundingClientRect() ?? {}
      const { title, allow, referrerPolicy, allowFullscreen } = frame ?? {}
      const sandbox = frame?.getAttribute('sandbox')
      return { title, allow, referrerPolicy, allowFullscreen, sandbox, width, height }
    })
    expect(facts).toEqual({
      allow: 'autoplay; fullscreen; encrypted-media; picture-in-picture',
      referrerPolicy: 'strict-origin-when-cross-origin',
      allowFullscreen: true,
      title: 'A lesson',
      width: 320,
      height: 180,
      sandbox: null,
    })
  }, 60_000)

  it('works under a policy that allows the player host alone', async () => {
    const policy = `default-src 'none'; script-src ${fixture.embedBase}; frame-src ${fixture.embedBase}`
    await openSite(withScript(player()), { 'Content-Security-Policy': policy })
    expect(await ask('one', 'play')).toMatchObject({ paused: false })
  }, 60_000)

  it('shows the content between its tags if its src is not a web address', async () => {
    await openSite(
      withScript('<reelgate-video src="javascript:top.hit=1"><p>No video</p></reelgate-video>'),
    )
    expect(await page.isVisible('text=No video')).toBe(true)
    expect(page.frames()).toHaveLength(1)
  })
})

describe('several players', () => {
  it('are commanded separately, including one that was added later', async () => {
    await openSite(withScript(player('one')))
    await page.evaluate((address) => {
      const element = document.createElement('reelgate-video')
      element.id = 'two'
      Object.assign(element, { src: address, muted: true })
      document.body.append(element)
    }, src)
    await ask('two', 'play')
    expect(await ask('one', 'seek', 0)).toMatchObject({ paused: true })
    expect(embeds()).toHaveLength(2)
  }, 60_000)

  it('leave nothing behind when they are removed, and play again when they are put back', async () => {
    await page.addInitScript(() => {
      const listening = new Set<unknown>()
      Object.assign(window, { listening })
      const add = window.addEventListener.bind(window)
      const remove = window.removeEventListener.bind(window)
      window.addEventListener = (...args: Parameters<typeof add>) => {
        if (args[0] === 'message') listening.add(args[1])
        add(...args)
      }
      window.removeEventListener = (...args: Parameters<typeof remove>) => {
        if (args[0] === 'message') listening.delete(args[1])
        remove(...args)
      }
    })
    await openSite(withScript(player()))
    await ask('one', 'play')
    const outcome = await page.evaluate(async () => {
      const element = document.getElementById('one') as ReelgateVideo
      const pending = element.pause().catch((error: unknown) => String(error))
      element.remove()
      return { pending: await pending, again: await element.play().catch(String) }
    })
    expect(outcome).toEqual({ pending: 'Error: removed', again: 'Error: not_connected' })
    const left = (): Promise<number> =>
      page.evaluate(() => (window as unknown as { listening: Set<unknown> }).listening.size)
    await waitFor('nothing left', async () => (await left()) === 0 && page.frames().length === 1)
    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), player())
    expect(await ask('one', 'play')).toMatchObject({ paused: false })
    expect([await left(), page.frames().length]).toEqual([1, 2])
  }, 60_000)
})

describe('a player that asks to fill the window', () => {
  it('fills it if the page has embed.js, and restores the page when it is removed', async () => {
    await openSite(withScript(`<p>Above</p>${player()}`))
    const frame = embeds()[0] as Frame
    await useParentMessages(frame)
    // As the player does when it has loaded.
    expect(await fillWindow(frame, false)).toBe(true)
    expect(await fillWindow(frame, true)).toBe(true)
    await received('fullscreen')
    const box = (): Promise<number[]> =>
      page.evaluate(() => {
        const inner = document.getElementById('one')?.shadowRoot?.querySelector('iframe')
        const { x, y, width, height } = inner?.getBoundingClientRect() ?? new DOMRect()
        return [x, y, width - innerWidth, height - innerHeight]
      })
    const overflow = (): Promise<string> =>
      page.evaluate(() => document.documentElement.style.overflow)
    expect([await box(), await overflow()]).toEqual([[0, 0, 0, 0], 'hidden'])
    expect(await fillWindow(frame, false)).toBe(true)
    expect((await box())[1]).toBeGreaterThan(0)
    expect(await fillWindow(frame, true)).toBe(true)
    await page.evaluate(() => document.getElementById('one')?.remove())
    expect(await overflow()).toBe('')
  }, 60_000)

  it('waits for a page that is busy, and leaves none filled that responds to its first request too late', async () => {
    // Before embed.js listens.
    await page.addInitScript(holdRequests)
    await openSite(withScript(player()))
    const frame = embeds()[0] as Frame
    await useParentMessages(frame)
    const isFilled = (): Promise<boolean> =>
      page.evaluate(() => document.documentElement.style.overflow === 'hidden')
    expect(await fillWindow(frame, true)).toBe(false)
    await releaseRequests(1)
    // The player takes the late response, and asks the page to undo what it has done.
    await releaseRequests(1)
    expect(await isFilled()).toBe(false)
    const filled = fillWindow(frame, true)
    await releaseRequests(1)
    expect([await filled, await isFilled()]).toEqual([true, true])
  }, 60_000)

  it('is refused if the page has no embed.js', async () => {
    await openSite(fixture.iframe(src))
    const frame = await readyFrame()
    await useParentMessages(frame)
    expect(await fillWindow(frame, true)).toBe(false)
  }, 60_000)
})

/** Loads the client's module into the player's page, because no button calls it yet. */
async function useParentMessages(frame: Frame): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ['player/client/parent/parent-messages.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'parentMessages',
  })
  await frame.waitForSelector('video')
  await frame.evaluate(`${outputFiles[0]?.text ?? ''};
    globalThis.parentMessages = parentMessages
    parentMessages.connectParent({
      video: document.querySelector('video'), container: document.querySelector('#player') })`)
}

/** Lets the page take no request of its player until `releaseRequests`, as a busy page does. */
function holdRequests(): void {
  if (self !== top) return
  const held: MessageEvent[] = []
  const released = new WeakSet<Event>()
  const hold = (event: MessageEvent): void => {
    if (event.data?.type !== 'request' || released.has(event)) return
    event.stopImmediatePropagation()
    const { data, origin, source } = event
    held.push(new MessageEvent('message', { data, origin, source }))
  }
  const release = (): void => {
    for (const event of held.splice(0)) {
      released.add(event)
      window.dispatchEvent(event)
    }
  }
  Object.assign(window, { held, release })
  window.addEventListener('message', hold)
}

/** Waits until the page holds so many requests, and lets it take them. */
async function releaseRequests(count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { held: unknown[] }).held.length === wanted,
    count,
  )
  await page.evaluate(() => (window as unknown as { release: () => void }).release())
}

const fillWindow = (frame: Frame, on: boolean): Promise<boolean> =>
  frame.evaluate(
    (wanted) =>
      (
        globalThis as unknown as { parentMessages: typeof ParentMessages }
      ).parentMessages.requestFullWindow(wanted),
    on,
  )
