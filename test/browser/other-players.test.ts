import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rendition } from '../../domain/videos/rendition.ts'
import { dashMpd } from '../../player/server/manifests/dash.ts'
import { hlsMaster, hlsMedia } from '../../player/server/manifests/hls.ts'
import { mergeKeyBoxes } from '../../player/server/manifests/merge-key-boxes.ts'
import type { Presentation } from '../../player/server/manifests/presentation.ts'
import { H264, picture, setUpMediaFixture } from '../fixtures/media-files.ts'
import { AUDIO, LADDER, multiDrmVideo } from '../fixtures/multi-drm-video.ts'
import { chromiumPath } from '../infrastructure/services.ts'
import { DASH_JS, HELPERS, HLS_JS, PAGE, SHAKA, type Reading } from './other-players-page.ts'

const FRAGMENTED = ['-movflags', 'frag_keyframe+empty_moov']
const media = setUpMediaFixture()
const ORIGIN = 'https://film.test'
const video = multiDrmVideo('separate')
/** As it is written into the MPD: each box names every key. */
const merged = mergeKeyBoxes(video)
let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  page = await browser.newPage()
  await page.route(`${ORIGIN}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    const script = SCRIPTS[name]
    if (script !== undefined) return route.fulfill({ path: script, contentType: 'text/javascript' })
    const body = textOf(name)
    if (body === undefined) return route.fulfill({ status: 404 })
    return route.fulfill({ body, contentType: name === '' ? 'text/html' : typeOf(name) })
  })
  // Shaka Player reads the time scale from it before it reads a playlist.
  const init = await media.make('init.mp4', ...picture('64x64', 1, 1), ...H264, ...FRAGMENTED)
  await page.route(`${video.mediaBase}/**/init.mp4`, (route) =>
    route.fulfill({ path: init, headers: { 'access-control-allow-origin': '*' } }),
  )
  await page.goto(`${ORIGIN}/`)
})
afterAll(() => browser?.close())

const installed = (name: string, file: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dist', file)
const SCRIPTS: Readonly<Record<string, string>> = {
  'shaka.js': installed('shaka-player', 'shaka-player.compiled.js'),
  // Version 5.2.1: the package has 126 MB.
  'dash.js': fileURLToPath(new URL('../fixtures/dashjs/dash.all.min.js', import.meta.url)),
  'hls.mjs': installed('hls.js', 'hls.mjs'),
}

const typeOf = (name: string): string =>
  name.endsWith('.mpd') ? 'application/dash+xml' : 'application/vnd.apple.mpegurl'

function textOf(name: string): string | undefined {
  if (name === '') return PAGE
  if (name === 'manifest.mpd') return dashMpd(merged)
  if (name === 'master.m3u8') return hlsMaster(video)
  const one = video.renditions.find((rendition) => name === `${rendition.name}.m3u8`)
  return one && hlsMedia(video, one)
}

const read = (script: string, name: string): Promise<Reading[]> =>
  page.evaluate<Reading[]>(`(async () => {${HELPERS}
    return (${script})('${ORIGIN}/${name}') })()`)

/** What the key of a rendition is, by its row. */
function expected(
  { keys }: Presentation,
  { trackType }: Rendition,
  scheme: string | null,
): Reading {
  const key = keys.get(trackType)
  if (!key) throw new Error('the rendition has no key')
  const boxes = key.systems.map(
    ({ systemId, psshBase64 = null }) => [systemId, psshBase64] as const,
  )
  return { scheme, keyIds: [key.keyIdHex], boxes: Object.fromEntries(boxes) }
}

/** One rendition for each key. */
const [SD, HD, UHD] = ['480p', '720p', '2160p'].map(
  (name) => LADDER.find((rung) => rung.name === name) ?? AUDIO,
)
const PER_KEY = [SD, HD, UHD, AUDIO].flatMap((one) => one ?? [])
const byKey = (readings: Reading[]): Reading[] =>
  [...new Map(readings.map((one) => [JSON.stringify(one), one])).values()].toSorted((a, b) =>
    String(a.keyIds[0]).localeCompare(String(b.keyIds[0])),
  )
const inMpd = byKey(PER_KEY.map((one) => expected(merged, one, 'cbcs')))
const inHls = byKey(PER_KEY.map((one) => expected(video, one, 'cbcs')))

describe('the manifests of a Multi-DRM video name the stored keys, scheme and boxes to', () => {
  it('dash.js', async () => {
    expect(byKey(await read(DASH_JS, 'manifest.mpd'))).toEqual(inMpd)
  })

  it.each([
    ['manifest.mpd', inMpd],
    ['master.m3u8', inHls],
  ])('Shaka Player: %s', async (name, readings) => {
    expect(byKey(await read(SHAKA, name))).toEqual(readings)
  })

  it('hls.js, in the media playlists and in the master playlist', async () => {
    for (const one of PER_KEY)
      expect(await read(HLS_JS, `${one.name}.m3u8`)).toEqual([expected(video, one, null)])
    const keys = await read(HLS_JS, 'master.m3u8')
    expect(keys).toHaveLength(3 * PER_KEY.length)
    const joined = new Map<string, Reading>()
    for (const { keyIds, boxes } of keys) {
      // FairPlay's address names no key to other players.
      for (const id of keyIds)
        joined.set(id, { scheme: null, keyIds, boxes: { ...joined.get(id)?.boxes, ...boxes } })
    }
    expect(joined.size).toBe(PER_KEY.length)
    for (const { keyIds, boxes } of inHls)
      expect(boxes).toMatchObject(joined.get(keyIds[0] ?? '')?.boxes ?? { none: 'read' })
  })
})
