import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '../../player/server/paths.ts'
import { closeServer } from '../infrastructure/close-server.ts'
import { openCachingProxy, type CachingProxy } from './caching-proxy.ts'
import { parseCmcd, type Cmcd } from './cmcd-parser.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { choose, openBlank, play, seek, untilHeight, untilPlays, visitEmbed } from './viewer.ts'

const VIEWER = 'pupil-4711'
const token = (text: string) => Symbol.for(text)

let fixture: EmbeddedPlayerFixture
let cdn: CachingProxy

beforeAll(async () => {
  fixture = await openEmbeddedPlayerFixture()
  cdn = await openCachingProxy(fixture.embedBase)
}, PREPARED_WITHIN_MS)
afterAll(async () => {
  await cdn?.close()
  await fixture?.close()
})

/** Plays the beginning and a later part of the video as a known viewer, in both qualities; returns all addresses that the page requested. */
async function watch(): Promise<string[]> {
  const page = await openBlank(fixture)
  // A view that fails requests nothing of the next one.
  await using _context = page.context()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await visitEmbed(fixture, page, fixture.wideId, { vt: fixture.vt(VIEWER) })
  await play(page)
  for (const height of [360, 240]) {
    await choose(page, 'quality', `${height}p`)
    await untilHeight(page, height)
  }
  await seek(page, 40)
  await untilPlays(page)
  await untilLoaded(page)
  await page.goto('about:blank')
  return requested
}

/** Waits until the video is loaded to its end. */
const untilLoaded = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const video = document.querySelector('video')
    const last = (video?.buffered.length ?? 0) - 1
    return video !== null && last >= 0 && video.buffered.end(last) > video.duration - 1
  })

/** Watches twice through an empty CDN; returns what was requested, and expects the CDN to know what it has seen, and nothing else. */
async function watchTwice() {
  cdn.empty()
  const requested = await watch()
  const { addresses: first } = cdn.taken()
  requested.push(...(await watch()))
  const { addresses: second, hits } = cdn.taken()
  const seen = new Set(first.map(pathOf))
  const known = second.filter((address) => seen.has(pathOf(address)))
  // Both qualities are in the first view, but not all of each.
  expect(known.length).toBeGreaterThan(second.length / 2)
  expect(hits).toBeGreaterThanOrEqual(known.length)
  // A player that changes the quality may end a request, and repeat it later in the same view.
  const onlySecond = second.filter((address) => !seen.has(pathOf(address))).map(pathOf)
  expect(hits).toBeLessThanOrEqual(known.length + onlySecond.length - new Set(onlySecond).size)
  return { first, second, others: requested.filter((address) => !address.startsWith(cdn.base)) }
}

const pathOf = (address: string): string => address.split('?')[0] ?? ''

describe('the parser of this test', () => {
  const read = (text: string) => () => parseCmcd(`/1.m4s?CMCD=${encodeURIComponent(text)}`)

  it.each([
    ['no order', 'ot=i,cid="a"'],
    ['a key twice', 'cid="a",cid="a",ot=i'],
    ['a key of its own', 'ot=i,vt="a"'],
    ['a text without quotes', 'cid=a,ot=i'],
    ['a token in quotes', 'ot="i"'],
    ['a value of true', 'ot=i,su=true'],
    ['what is not rounded', 'bl=1234,ot=v'],
    ['a fraction', 'br=1.5,ot=v'],
    ['the buffer of an initialisation', 'bl=1200,ot=i'],
    ['a space', 'cid="a", ot=i'],
    ['an end that is none', 'ot=i,'],
  ])('refuses %s', (_title, text) => {
    expect(read(text)).toThrow(text)
  })

  it('refuses what is not encoded, and what comes twice or beside it', () => {
    for (const query of ['CMCD=ot=i', 'CMCD=ot%3Di&CMCD=ot%3Di', 'vt=1&CMCD=ot%3Di', ''])
      expect(() => parseCmcd(`/1.m4s?${query}`)).toThrow('not one')
    expect(parseCmcd('/1.m4s?CMCD=cid%3D%22a%5C%22%2Cb%22%2Cot%3Di')).toMatchObject({ cid: 'a",b' })
  })
})

describe('a player in front of a CDN', () => {
  it('sends no CMCD by default', async () => {
    fixture.restart({ mediaBase: cdn.base })
    cdn.empty()
    const requested = await watch()
    const { addresses } = cdn.taken()
    expect(addresses.length).toBeGreaterThan(10)
    expect([...addresses, ...requested].filter((one) => one.includes('CMCD'))).toEqual([])
  }, 60_000)

  it('sends CMCD with the requests for segments and no others, and a CDN that leaves it out of its key keeps as much', async () => {
    fixture.restart({ mediaBase: cdn.base, sendsCmcd: true })
    const { first, second, others } = await watchTwice()
    for (const path of [paths.dashManifest(fixture.wideId), paths.clearKeyLicence, '/posters/'])
      expect(
        others.filter((address) => address.includes(path)),
        path,
      ).not.toEqual([])
    expect(others.filter((address) => address.includes('CMCD'))).toEqual([])
    expectData([...first, ...second].map(parseCmcd))
    await expectNoViewer([first, second])
  }, 60_000)

  it('adds nothing to the presigned address to which a segment is redirected', async () => {
    const bucket = await openBucket()
    const { storage } = fixture.target
    const presign = async (key: string) => `${bucket.base}/${key}?X-Amz-Signature=0f0f`
    bucket.read = async (key) => Buffer.concat(await (await storage.get(key)).stream.toArray())
    fixture.restart({
      mediaBase: cdn.base,
      sendsCmcd: true,
      redirectOrigin: bucket.base,
      storage: { ...storage, presign },
    })
    cdn.empty()
    await watch()
    for (const address of cdn.taken().addresses) parseCmcd(address)
    expect(bucket.addresses.length).toBeGreaterThan(10)
    for (const address of bucket.addresses)
      expect(address).toMatch(/^\/videos\/[^?]+\?X-Amz-Signature=0f0f$/)
    await closeServer(bucket.server)
  }, 60_000)
})

/** Expects what the player knows about each request. */
function expectData(sent: readonly Cmcd[]): void {
  const ofAll = { cid: fixture.wideId, sf: token('d'), st: token('v') }
  for (const one of sent) expect(one).toMatchObject(ofAll)
  const of = (kind: string) => sent.filter(({ ot }) => ot === token(kind))
  expect(of('i').length + of('v').length + of('a').length).toBe(sent.length)
  expect(of('i').length).toBeGreaterThanOrEqual(3)
  for (const media of [...of('v'), ...of('a')])
    expect(Object.keys(media)).toEqual(expect.arrayContaining(['bl', 'br', 'd', 'tb']))
  expect(Math.max(...of('v').map(({ bl }) => Number(bl)))).toBeGreaterThan(1000)
  const rates = of('v').map(({ br }) => Number(br))
  expect(new Set(rates).size).toBe(2)
  expect(of('v').every(({ tb }) => tb === Math.max(...rates))).toBe(true)
  expect(sent[0]?.su).toBe(true)
  expect(sent.some(({ su }) => su === undefined)).toBe(true)
}

/** Expects a random id for each view, which is that of no session, and no word about the viewer. */
async function expectNoViewer(views: readonly string[][]): Promise<void> {
  const ids = views.map((view) => [...new Set(view.map((address) => parseCmcd(address).sid))])
  expect(ids.map(({ length }) => length)).toEqual([1, 1])
  const [first, second] = ids.flat()
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(second).not.toBe(first)
  const of = [first, second]
  const em = fixture.db.em.fork()
  expect(await em.execute('select id from playback_record where id::text in (?, ?)', of)).toEqual(
    [],
  )
  expect(views.flat().filter((address) => address.includes(VIEWER))).toEqual([])
}

interface Bucket {
  server: Server
  base: string
  addresses: string[]
  read: (key: string) => Promise<Buffer>
}

/** A server of objects for pages of any site, as S3 is with a rule for CORS. */
async function openBucket(): Promise<Bucket> {
  const addresses: string[] = []
  const server = createServer((request, response) => {
    const address = request.url ?? '/'
    addresses.push(address)
    bucket.read(new URL(address, bucket.base).pathname.slice(1)).then(
      (body) => response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end(body),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bucket: Bucket = { server, base, addresses, read: async () => Buffer.alloc(0) }
  return bucket
}
