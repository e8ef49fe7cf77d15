import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { SMALL } from './idle-pages.ts'

const VIEWER = 'viewer-4711@example.com'

let fixture: EmbeddedPlayerFixture
let src: string
let page: Page

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  await fixture.configure({
    watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true },
  })
  src = fixture.embedUrl(fixture.wideId, fixture.vt(VIEWER))
}, PREPARED_WITHIN_MS)

afterAll(() => fixture?.close())

beforeEach(async () => {
  page = await fixture.browser.newPage({ viewport: SMALL })
})

afterEach(() => page.close())

/** A page with the plain iframe, which keeps every message that it gets from the player. */
async function openSite(more = ''): Promise<Frame> {
  const keep = `<script>
    messages = []
    addEventListener('message', ({ data, origin, source }) => {
      if (source === frames[0]) messages.push({ ...data, origin })
    })
    say = (message) => frames[0].postMessage(
      { source: 'reelgate', version: 1, type: 'command', ...message }, '*')
  </script>`
  fixture.servePage('/', keep + fixture.iframe(src) + more)
  await page.goto(fixture.siteUrl('site.localhost'))
  await page.waitForFunction('messages.some(({ event }) => event === "ready")')
  return page.frames().find((frame) => frame.url().startsWith(fixture.embedBase)) as Frame
}

interface Message {
  type: string
  id?: number
  event?: string
  ok?: boolean
  error?: string
  origin: string
  state: Record<string, unknown>
}

const messages = (): Promise<Message[]> => page.evaluate<Message[]>('messages')

/** Sends a command as the page does, and resolves to the response. */
async function ask(message: { id: number; method: string; value?: unknown }): Promise<Message> {
  await page.evaluate(`say(${JSON.stringify(message)})`)
  await page.waitForFunction(`messages.some(({ id }) => id === ${message.id})`)
  return (await messages()).find(({ id }) => id === message.id) as Message
}

const videoOf = (frame: Frame) =>
  frame.evaluate(() => {
    const { paused, muted, volume, currentTime } = document.querySelector(
      'video',
    ) as HTMLVideoElement
    return { paused, muted, volume, currentTime }
  })

describe('the page that frames the player', () => {
  it('commands it without a script of the service, and gets responses from the origin of the player', async () => {
    await openSite()
    expect(await ask({ id: 1, method: 'setMuted', value: true })).toMatchObject({ ok: true })
    expect(await ask({ id: 2, method: 'play' })).toMatchObject({
      type: 'answer',
      ok: true,
      origin: fixture.embedBase,
      source: 'reelgate',
      version: 1,
      state: { paused: false, muted: true },
    })
    await page.waitForFunction('messages.some(({ event }) => event === "playing")')
    expect(await ask({ id: 3, method: 'fly' })).toMatchObject({
      ok: false,
      error: 'unknown_method',
    })
  }, 60_000)

  it('receives the reason why the video does not play', async () => {
    const iframe = fixture.iframe(src).replace('encrypted-media; ', '')
    fixture.servePage(
      '/broken',
      `<script>addEventListener('message', ({ data }) => (globalThis.received = data))</script>${iframe}`,
    )
    await page.goto(fixture.siteUrl('site.localhost', '/broken'))
    await page.waitForFunction('globalThis.received?.event === "error"')
    expect(await page.evaluate('received.code')).toBe('no_encrypted_media')
  }, 60_000)

  it('receives nothing about the viewer, the session, the token or the keys', async () => {
    await openSite()
    await ask({ id: 1, method: 'setMuted', value: true })
    await ask({ id: 2, method: 'play' })
    await ask({ id: 3, method: 'seek', value: 4 })
    await page.waitForFunction('messages.some(({ event }) => event === "seeked")')
    const all = await messages()
    const names = (values: object[]) => [...new Set(values.flatMap(Object.keys))].toSorted()
    expect(names(all)).toEqual([
      'event',
      'id',
      'ok',
      'origin',
      'source',
      'state',
      'type',
      'version',
    ])
    expect(names(all.map(({ state }) => state))).toEqual([
      'captionLanguages',
      'captions',
      'currentTime',
      'duration',
      'ended',
      'fullscreen',
      'muted',
      'paused',
      'playbackRate',
      'volume',
    ])
    expect(JSON.stringify(all)).not.toContain(VIEWER)
  }, 60_000)

  it('changes nothing with messages that are not commands', async () => {
    const frame = await openSite()
    const before = await videoOf(frame)
    const errorsBefore = await collectErrors(frame)
    await page.evaluate(`{
      const send = (data) => frames[0].postMessage(data, '*')
      const good = { source: 'reelgate', version: 1, type: 'command', id: 1, method: 'setVolume', value: 0.1 }
      for (const data of [null, undefined, 3, 'play', [], [good], JSON.stringify(good), new Map([['method', 'play']]),
        new ArrayBuffer(8), { ...good, source: 'other' }, { ...good, version: 2 }, { ...good, type: 'event' },
        { ...good, id: NaN }, { ...good, id: -1 }, { ...good, id: {} }, { ...good, value: NaN }, { ...good, value: Infinity },
        { ...good, value: '0.1' }, { ...good, value: [0.1] }, { ...good, method: '__proto__' },
        { ...good, method: 'constructor' }, { ...good, method: ['setVolume'] }, { ...good, method: 'x'.repeat(5e6) },
        { ...good, method: 'setCaptions', value: 'x'.repeat(5e6) }, { ...good, method: 'seek', value: 1e300 },
        JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
        { source: 'reelgate', version: 1, type: 'answer', id: 1, ok: true }]) send(data)
    }`)
    expect(await ask({ id: 99, method: 'getState' })).toMatchObject({ ok: true })
    expect(await videoOf(frame)).toEqual(before)
    expect(await frame.evaluate(() => ({}) as object)).toEqual({})
    expect(await frame.evaluate(() => 'polluted' in {})).toBe(false)
    expect(await errorsBefore()).toEqual([])
  }, 60_000)

  it('can send commands again once it sends fewer messages than the limit', async () => {
    const frame = await openSite()
    await page.evaluate(
      'for (let id = 1000; id < 21000; id += 1) say({ id, method: "setVolume", value: (id % 100) / 100 })',
    )
    await page.waitForFunction(
      'say({ id: 1, method: "setVolume", value: 0.755 }), messages.some(({ id }) => id === 1)',
      undefined,
      { polling: 250 },
    )
    expect((await videoOf(frame)).volume).toBe(0.755)
    const responses = (await messages()).filter(({ type }) => type === 'answer')
    expect(responses.length).toBeLessThan(20_000)
  }, 60_000)
})

describe('a window that does not frame the player', () => {
  it('cannot send commands, from another origin or from the same', async () => {
    const attack = `<!doctype html><script>
      attack = () => {
        const say = (message) => parent.frames[0].postMessage(
          { source: 'reelgate', version: 1, type: 'command', ...message }, '*')
        say({ id: 1, method: 'play' })
        say({ id: 2, method: 'setVolume', value: 0.1 })
      }</script>`
    fixture.servePage('/attack', attack)
    const hosts = ['evil.localhost', 'site.localhost']
    const attackers = hosts.map(
      (host) => `<iframe src="${fixture.siteUrl(host, '/attack')}"></iframe>`,
    )
    const frame = await openSite(attackers.join(''))
    const before = await videoOf(frame)
    await frame.evaluate(() => {
      Object.assign(window, { heard: 0 })
      addEventListener('message', () => ((window as unknown as { heard: number }).heard += 1))
    })
    const framed = page.frames().filter((one) => one.url().endsWith('/attack'))
    expect(framed).toHaveLength(2)
    for (const attacker of framed) await attacker.evaluate('attack()')
    await frame.waitForFunction(() => (window as unknown as { heard: number }).heard === 4)
    expect(await ask({ id: 99, method: 'getState' })).toMatchObject({ ok: true })
    expect(await videoOf(frame)).toEqual(before)
    expect((await messages()).filter(({ type }) => type === 'answer')).toHaveLength(1)
  }, 60_000)
})

/** Collects the later errors of the player's page; resolves to a function that returns them. */
async function collectErrors(frame: Frame): Promise<() => Promise<unknown>> {
  await frame.evaluate(() => {
    const errors: string[] = []
    Object.assign(window, { errors })
    addEventListener('error', ({ message }) => errors.push(message))
    addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
  })
  return () => frame.evaluate(() => (window as unknown as { errors: string[] }).errors)
}
