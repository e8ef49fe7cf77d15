import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changePlan } from '../../commands/accounts/change-plan.ts'
import { ContentKey, Rendition } from '../../db/entities/video.ts'
import { DRM_SYSTEM_IDS, type DrmSystem } from '../../domain/drm/drm-system.ts'
import { DEFAULT_LICENCE_POLICY } from '../../domain/drm/licence-policy.ts'
import { LANGUAGES } from '../../domain/language.ts'
import type { LicenceProviderName } from '../../drm/licences/open-licences.ts'
import { parsePssh, writePssh } from '../../drm/pssh.ts'
import type { PlayerDeps } from '../../player/server/deps.ts'
import { ingestVideo } from '../fixtures/ingest-video.ts'
import { startLicenceFixture, type LicenceFixture } from '../fixtures/licences.ts'
import { makeSource } from '../fixtures/sources.ts'
import { HAS_EVERY_CASE, itOfAll, someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import {
  openEmbeddedPlayerFixture,
  PREPARED_WITHIN_MS,
  type EmbeddedPlayerFixture,
} from './embedded-player.ts'
import { EDGE, pretendEme, WORLDS, type EmeWorld } from './fake-eme.ts'
import { untilPreparing, untilTime } from './growing-page.ts'
import { openGrowingVideo, type GrowingVideoFixture } from './growing-video.ts'
import { leave } from './idle-pages.ts'
import { lastReport, wrongParts } from './last-report.ts'
import { expectWholeSeams } from './seams.ts'
import {
  choose,
  hastenHeartbeats,
  openBlank,
  play,
  playAtRate,
  position,
  shownError,
  untilHeight,
  untilMenus,
  untilMessage,
  untilPlays,
  visitEmbed,
} from './viewer.ts'

let licences: LicenceFixture
let fixture: EmbeddedPlayerFixture
/** A video with keys of ours for audio, SD and HD. */
let protectedId: string
/** The adapter of the player host; tests replace it. */
let used: NonNullable<PlayerDeps['licences']>

beforeAll(async () => {
  licences = await startLicenceFixture()
  fixture = await openEmbeddedPlayerFixture({
    get adapter() {
      return used.adapter
    },
    get keyModel() {
      return used.keyModel
    },
    get fairplayDelivery() {
      return used.fairplayDelivery
    },
  })
  const { target } = fixture
  await mkdir(target.workDir, { recursive: true })
  const source = join(target.workDir, 'film.mp4')
  await makeSource(source, { seconds: 24, size: '720x720', rate: 6, grain: false })
  // A rung for each key of the picture.
  await fixture.configure({ available_resolutions: [360, 720] })
  const inChunks = { protection: 'multi-drm', keyModel: 'own', chunkSeconds: 8 } as const
  protectedId = await ingestVideo(source, { ...target, ...inChunks })
  await fixture.configure({})
}, PREPARED_WITHIN_MS)

afterAll(async () => {
  await fixture?.close()
  await licences?.close()
})

beforeEach(async () => {
  for (const { server } of Object.values(licences.providers)) server.reset()
  await changePlan(fixture.db.em.fork(), fixture.accountId, DEFAULT_LICENCE_POLICY)
  useProvider('axinom')
})

const overHls = () => (used = { ...used, fairplayDelivery: 'hls' })
const useProvider = (name: LicenceProviderName) => (used = licences.open(name, 'own'))
const licencesSeen = (name: LicenceProviderName = 'axinom') =>
  licences.providers[name].server.seen.filter(({ body }) => !body.equals(Buffer.from([8, 4])))

/** The size of a page that HD fits. */
const LARGE = { width: 1280, height: 720 }

interface OpenOptions extends BrowserContextOptions {
  /** With hastened heartbeats and retries. */
  isHastened?: boolean
  isLoop?: boolean
}

/** Opens the video in a browser that pretends to have the DRM of `world`. */
async function openVideo(
  world: EmeWorld,
  { isHastened = false, isLoop = false, ...options }: OpenOptions = {},
) {
  const page = await openBlank(fixture, {
    ...(world.isWindows && { userAgent: EDGE }),
    ...options,
  })
  if (isHastened) await hastenHeartbeats(page)
  await pretendEme(page, world)
  const query = `autoplay=1&muted=1${isLoop ? '&loop=1' : ''}`
  await visitEmbed(fixture, page, protectedId, { query })
  return page
}

/** The box of Widevine with the name of a provider and an id of the video. */
const withVideo = ({ systemId, psshBase64 = '' }: DrmSystem): Partial<DrmSystem> => {
  const data = parsePssh(psshBase64)?.data
  if (systemId !== DRM_SYSTEM_IDS.widevine || !data) return {}
  const box = writePssh(systemId, Buffer.concat([data, Buffer.from('\x1a\x04prov\x22\x04film')]))
  return { psshBase64: box.toString('base64') }
}

const SHOWN_LANGUAGES = someOf(LANGUAGES, LANGUAGES.length)

const seenBy = (page: Page) => page.evaluate(() => window.fakeEme.seen())
const framesOf = (page: Page) =>
  page.evaluate(
    () => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
  )
const keyIdOf = async (name: 'SD' | 'HD' | 'AUDIO') =>
  (await fixture.db.em.fork().findOneOrFail(ContentKey, { videoId: protectedId, name })).keyId
const messageText = (page: Page) =>
  page.waitForSelector('#message p').then((element) => element.textContent())

/** What a page and the licence server have seen when the video plays. */
async function start(world: EmeWorld) {
  const page = await openVideo(world, { isLoop: true })
  await untilPlays(page)
  await waitFor('three frames', async () => (await framesOf(page)) > 2)
  return { page, seen: await seenBy(page), licences: licencesSeen() }
}

type Started = Awaited<ReturnType<typeof start>>

/** Returns a function that opens the video at its first call: the tests of a describe go on with the same page. */
function startOnce(world: EmeWorld): () => Promise<Started> {
  let started: Promise<Started> | undefined
  return () => (started ??= start(world))
}

/** Expects one licence request of `system` for each key that the CDM has asked for. */
function expectLicenceForEachKey({ seen, licences: got }: Started, system: string): void {
  expect(new Set(got.map((one) => one.system))).toEqual(new Set([system]))
  expect(got).toHaveLength(seen.messages.length)
  // FairPlay's init data names one key; the boxes of the others name all.
  if (system === 'fairplay') {
    const keyIds = seen.messages.flatMap((message) => message.keyIds)
    expect(new Set(keyIds).size).toBe(seen.messages.length)
  } else expect(seen.messages).toHaveLength(1)
  expect(got.every(({ denial }) => denial === null)).toBe(true)
}

describe('a video by Widevine', () => {
  const started = startOnce(WORLDS.widevineHardware)

  afterAll(async () => leave((await started()).page))

  it('decodes, with one licence request for each key that the CDM has asked for', async () => {
    expectLicenceForEachKey(await started(), 'widevine')
  }, 60_000)

  it('asks the browser for hardware first, and gives it the certificate before the licence', async () => {
    const { asked, certificates } = (await started()).seen
    expect(asked[0]).toMatchObject({ video: 'HW_SECURE_ALL', audio: 'HW_SECURE_ALL' })
    expect(certificates).toMatchObject([{ system: 'widevine' }])
  }, 60_000)

  it('renews its licence when the CDM asks, without a pause', async () => {
    const { page } = await started()
    const before = licencesSeen().length
    await page.evaluate(() => window.fakeEme.renew())
    await waitFor('the next licence', async () => licencesSeen().length === before + 1)
    await untilPlays(page)
  }, 60_000)

  it('keeps a valid licence while the provider does not respond to a renewal', async () => {
    const { page } = await started()
    licences.providers.axinom.server.misbehave('outage')
    const responded = page.waitForResponse('**/licences/widevine')
    await page.evaluate(() => window.fakeEme.renew())
    expect((await responded).status()).toBe(503)
    await untilPlays(page)
    expect(await shownError(page)).toBeNull()
    licences.providers.axinom.server.misbehave(null)
    const granted = page.waitForResponse(
      (response) => response.url().endsWith('/licences/widevine') && response.ok(),
    )
    await page.evaluate(() => window.fakeEme.renew())
    await granted
    const { sessions } = await seenBy(page)
    expect(sessions).toBe(1)
  }, 60_000)

  it('shows that its licence has expired, and reports it with what was shown', async () => {
    const { page } = await started()
    await page.evaluate(() => window.fakeEme.expire())
    await untilMessage(page, 'drm_expired')
    const { error, media_seconds: media } = await lastReport(page)
    expect([error, (media ?? 0) > 0.5]).toEqual(['drm_expired', true])
  }, 60_000)
})

describe.each([
  ['PlayReady in Edge', WORLDS.playready, 'playready'],
  ['FairPlay', WORLDS.fairplay, 'fairplay'],
] as const)('the same video by %s', (_name, world, system) => {
  beforeEach(() =>
    changePlan(fixture.db.em.fork(), fixture.accountId, {
      ...DEFAULT_LICENCE_POLICY,
      renewalSeconds: 30,
    }),
  )

  const started = startOnce(world)

  afterAll(async () => leave((await started()).page))

  it('decodes, with one licence request for each key that the CDM has asked for', async () => {
    expectLicenceForEachKey(await started(), system)
  }, 60_000)

  it.runIf(HAS_EVERY_CASE || system === 'fairplay')(
    'renews its licences after the seconds of the plan',
    async () => {
      const { page } = await started()
      const before = (await started()).seen.messages.length
      const already = licencesSeen().length
      await page.evaluate(() => {
        const now = Date.now.bind(Date)
        Date.now = () => now() + 31_000
      })
      await waitFor('the next licences', async () => licencesSeen().length >= already + before)
      await untilPlays(page)
      expect(licencesSeen().every(({ denial }) => denial === null)).toBe(true)
      expect(await shownError(page)).toBeNull()
    },
    60_000,
  )
})

describe('the same video', () => {
  it('asks for one licence if the boxes have data of the provider, too', async () => {
    const em = fixture.db.em.fork()
    const keys = await em.find(ContentKey, { videoId: protectedId })
    const setSystems = async (change: (one: DrmSystem) => DrmSystem) => {
      for (const { videoId, name, systems } of keys)
        await em.nativeUpdate(ContentKey, { videoId, name }, { systems: systems.map(change) })
    }
    await setSystems((one) => ({ ...one, ...withVideo(one) }))
    const page = await openVideo(WORLDS.widevineHardware, { viewport: LARGE })
    await untilPlays(page)
    expect((await seenBy(page)).messages).toHaveLength(1)
    expect(licencesSeen()).toHaveLength(1)
    await leave(page)
    await setSystems((one) => one)
  }, 60_000)

  itOfAll(
    'has every frame where one chunk ends and the next begins, and no gap',
    async () => {
      const em = fixture.db.em.fork()
      const { facts } = await em.findOneOrFail(Rendition, { videoId: protectedId, name: '360p' })
      const page = await openVideo(WORLDS.widevineHardware)
      await untilPlays(page)
      await expectWholeSeams(page, facts)
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'plays the same segments after a change of the provider',
    async () => {
      for (const name of someOf(['doverunner', 'generic'] as const, 2)) {
        useProvider(name)
        const page = await openVideo(WORLDS.widevineHardware)
        await untilPlays(page)
        expect(licencesSeen(name)).toHaveLength(1)
        await leave(page)
      }
    },
    90_000,
  )
})

describe('a growing video', () => {
  let growing: GrowingVideoFixture

  beforeEach(async () => {
    growing = await openGrowingVideo(fixture, { videoId: protectedId, rung: '360p', rate: 6 })
    await growing.begin()
    await growing.publish(0)
  })

  afterEach(async () => {
    await growing.finish()
    await growing.addRungs()
  })

  const worlds = [
    ['FairPlay', WORLDS.fairplay, 2],
    ['Widevine in hardware', WORLDS.widevineHardware, 1],
    ['PlayReady in Edge', WORLDS.playready, 1],
  ] as const
  it.each(someOf(worlds, 3))(
    'plays by %s with the licences of its start, and joins a rung when it is complete',
    async (_name, world, licencesOfStart) => {
      const page = await openVideo(world, { viewport: LARGE })
      await untilTime(page, 1)
      await playAtRate(page, 4)
      await growing.publish(1)
      await untilTime(page, 9)
      await growing.publish(2)
      await growing.finish()
      await untilTime(page, 17)
      expect(licencesSeen()).toHaveLength(licencesOfStart)
      // Slowly: a busy machine may take long to add the rungs, and the end must not come first.
      await playAtRate(page, 0.1)
      await growing.addRungs()
      await untilHeight(page, 720)
      await playAtRate(page, 4)
      await page.waitForFunction(() => document.querySelector('video')?.ended)
      expect(await shownError(page)).toBeNull()
      await leave(page)
    },
    90_000,
  )

  itOfAll(
    'waits in Safari over HLS until the video is playable',
    async () => {
      overHls()
      const page = await openVideo(WORLDS.fairplay)
      await untilPreparing(page, 'start')
      await growing.publish(1, 2)
      await growing.finish()
      await untilTime(page, 1)
      await leave(page)
    },
    60_000,
  )
})

describe('FairPlay over HLS', () => {
  it('plays from the playlists at the signed address, with a licence for each key', async () => {
    overHls()
    const page = await openVideo(WORLDS.fairplay)
    await untilPlays(page)
    expect(await framesOf(page)).toBeGreaterThan(2)
    const { playlists, messages } = await seenBy(page)
    const [master = '', ...media] = playlists
    expect(master).toMatch(/^\/hls\/[^/]+\/master\.m3u8$/)
    const folder = master.replace('master.m3u8', '')
    expect(new Set(media)).toEqual(new Set([`${folder}360p.m3u8`, `${folder}audio-0.m3u8`]))
    const asked = messages.map(({ keyIds }) => keyIds)
    expect(new Set(asked.flat())).toEqual(new Set([await keyIdOf('SD'), await keyIdOf('AUDIO')]))
    const seen = licencesSeen()
    expect(seen).toHaveLength(asked.length)
    expect(seen.every(({ system, denial }) => system === 'fairplay' && denial === null)).toBe(true)
    expect(await shownError(page)).toBeNull()
    await page.evaluate(() => document.querySelector('video')?.pause())
    const last = await position(page)
    const report = await lastReport(page)
    expect(wrongParts(report.parts, [[0, last]], 24)).toEqual([])
    expect(report).toMatchObject({
      quality: 360,
      speed: 1,
      first_frame_seconds: expect.any(Number),
    })
    await leave(page)
  }, 60_000)

  itOfAll(
    'is asked for again while the connection is lost, and says why it is refused',
    async () => {
      overHls()
      const page = await openBlank(fixture)
      await pretendEme(page, WORLDS.fairplay)
      await page.route('**/hls/**', (route) => route.abort())
      await visitEmbed(fixture, page, protectedId, { query: 'autoplay=1&muted=1' })
      await untilMessage(page, 'network')
      await page.unroute('**/hls/**')
      await page.route('**/hls/**', (route) => route.fulfill({ status: 403 }))
      await untilMessage(page, 'licence_refused')
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'is for Safari alone: others play the DASH manifest',
    async () => {
      overHls()
      const page = await openVideo(WORLDS.widevineHardware)
      await untilPlays(page)
      expect(licencesSeen().map(({ system }) => system)).toEqual(['widevine'])
      await leave(page)
    },
    60_000,
  )
})

describe('the browser', () => {
  itOfAll(
    'steps down to software, level by level',
    async () => {
      const page = await openVideo(WORLDS.widevineLowest)
      await untilPlays(page)
      const { asked } = await seenBy(page)
      const levels = asked.map(({ video }) => video)
      expect([...new Set(levels)]).toEqual([
        'HW_SECURE_ALL',
        'SW_SECURE_DECODE',
        'SW_SECURE_CRYPTO',
      ])
      await leave(page)
    },
    60_000,
  )

  it('on Windows falls back to Widevine if PlayReady has no hardware', async () => {
    const systems = { widevine: ['SW_SECURE_DECODE', 'SW_SECURE_CRYPTO'] }
    const page = await openVideo({ ...WORLDS.playready, systems })
    await untilPlays(page)
    expect(licencesSeen().map(({ system }) => system)).toEqual(['widevine'])
    await leave(page)
  }, 60_000)
})

describe('App-Only mode', () => {
  beforeEach(() => fixture.configure({ app_only_l3: true }))
  afterEach(() => fixture.configure({ app_only_l3: false }))

  itOfAll(
    'plays in hardware, and does not ask the browser for software',
    async () => {
      const page = await openVideo(WORLDS.playready)
      await untilPlays(page)
      const { asked } = await seenBy(page)
      expect(new Set(asked.map(({ name, video }) => `${name} ${video}`))).toEqual(
        new Set(['com.microsoft.playready.recommendation 3000']),
      )
      await leave(page)
    },
    60_000,
  )

  it('shows in Edge without hardware, instead of the player, what the device lacks', async () => {
    const systems = { widevine: ['SW_SECURE_DECODE', 'SW_SECURE_CRYPTO'] }
    const page = await openVideo({ ...WORLDS.playready, systems }, { locale: 'de' })
    await page.waitForSelector('h1:text("Hardware-Schutz")')
    expect(await page.content()).not.toContain('<script')
    expect(licencesSeen()).toEqual([])
    // The page keeps its site, which the domain rules still check.
    await fixture.configure({ app_only_l3: true, allowed_domains: ['site.localhost'] })
    await page.reload()
    await page.waitForSelector('h1:text("Hardware-Schutz")')
    await leave(page)
  }, 60_000)
})

describe('a refusal', () => {
  it('without a CDM is shown in each language, with the remedy', async () => {
    const texts = new Set<string | null>()
    for (const locale of SHOWN_LANGUAGES) {
      const page = await openVideo(WORLDS.none, { locale })
      await untilMessage(page, 'drm_no_cdm')
      texts.add(await messageText(page))
      await leave(page)
    }
    expect(texts.size).toBe(SHOWN_LANGUAGES.length)
    for (const text of texts) expect(text).toContain('Edge')
  }, 120_000)

  it('because the provider is away ends by itself', async () => {
    licences.providers.axinom.server.misbehave('outage')
    const page = await openVideo(WORLDS.widevineHardware, { isHastened: true })
    await untilMessage(page, 'drm_unavailable')
    licences.providers.axinom.server.misbehave(null)
    await untilPlays(page)
    expect(await shownError(page)).toBeNull()
    await leave(page)
  }, 90_000)

  itOfAll(
    'because of the output of every key is shown as HDCP',
    async () => {
      const page = await openVideo(WORLDS.widevineHardware)
      await untilPlays(page)
      for (const id of [await keyIdOf('SD'), await keyIdOf('HD')])
        await page.evaluate((keyId) => window.fakeEme.setStatus(keyId, 'output-restricted'), id)
      await untilMessage(page, 'drm_output_blocked')
      await leave(page)
    },
    60_000,
  )
})

describe('the quality menu', () => {
  const obstacle = (page: Page) =>
    page.waitForSelector('#quality-menu [aria-disabled] .obstacle', { state: 'attached' })

  itOfAll(
    'greys HD and says that it needs hardware',
    async () => {
      await changePlan(fixture.db.em.fork(), fixture.accountId, { hdNeedsHardware: true })
      const page = await openVideo(WORLDS.widevineSoftware, { viewport: LARGE })
      await untilPlays(page)
      expect(await (await obstacle(page)).textContent()).toContain('hardware')
      await choose(page, 'quality', '720p', { isRefused: true })
      await untilPlays(page)
      expect(
        await page.evaluate(() => document.querySelector('video')?.videoHeight ?? 0),
      ).toBeLessThan(720)
      await leave(page)
    },
    60_000,
  )

  itOfAll(
    'follows a screen without HDCP, and its return',
    async () => {
      const page = await openVideo(WORLDS.widevineHardware, { viewport: LARGE })
      await untilPlays(page)
      const id = await keyIdOf('HD')
      await page.evaluate((keyId) => window.fakeEme.setStatus(keyId, 'output-restricted'), id)
      expect(await (await obstacle(page)).textContent()).toContain('HDCP')
      await page.evaluate((keyId) => window.fakeEme.setStatus(keyId, 'usable'), id)
      await page.waitForSelector('#quality-menu .obstacle', { state: 'detached' })
      // Automatic quality has returned to 720p, but the buffer is from before: a choice replaces it.
      await choose(page, 'quality', '360p')
      await choose(page, 'quality', '720p')
      await untilHeight(page, 720)
      await leave(page)
    },
    60_000,
  )
})

describe('licences', () => {
  it('are not asked again for a new rung during playback, until the video is ready', async () => {
    const publish = await withoutHd()
    const page = await openBlank(fixture)
    await hastenHeartbeats(page)
    await pretendEme(page, WORLDS.widevineHardware)
    await visitEmbed(fixture, page, protectedId, { query: 'muted=1' })
    await play(page)
    const beat = () => page.waitForResponse('**/sessions/heartbeat')
    await publish()
    await beat()
    await beat()
    expect(licencesSeen()).toHaveLength(1)
    await fixture.db.em
      .fork()
      .execute(`update video set status = 'ready' where id = ?`, [protectedId])
    await untilMenus(page)
    await page.waitForSelector('#quality-menu media-chrome-menu-item:has-text("720p")', {
      state: 'attached',
    })
    expect(licencesSeen()).toHaveLength(2)
    await leave(page)
  }, 60_000)

  const withoutHd = async () => {
    const { name } = await fixture.db.em
      .fork()
      .findOneOrFail(Rendition, { videoId: protectedId, name: '720p' })
    return fixture.withoutRung(protectedId, name)
  }
})
