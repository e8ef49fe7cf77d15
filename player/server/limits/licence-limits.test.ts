import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ContentKey, Video } from '../../../db/entities/video.ts'
import { LICENCE_LIMITS } from '../../../domain/limits.ts'
import { encodeAccountId } from '../../../domain/playback/embed-url.ts'
import {
  DEVICE,
  startLicenceFixture,
  type LicenceFixture,
} from '../../../test/fixtures/licences.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../../test/fixtures/playback-sessions.ts'
import { insertPublishedVideo } from '../../../test/fixtures/published-video.ts'
import { playerDataOf, SITE } from '../../../test/fixtures/viewer.ts'
import { HAS_EVERY_CASE } from '../../../test/infrastructure/every-case.ts'
import { fakeChallenge } from '../../../test/infrastructure/fake-cdm-format.ts'
import { paths } from '../paths.ts'
import type { LicenceRates } from './licence-limits.ts'

let licences: LicenceFixture
let fixture: SessionFixture
let keyId: string
/** The embed page of another account, and the key of its video. */
let other: { page: string; keyId: string }

beforeAll(async () => {
  licences = await startLicenceFixture()
  fixture = await openSessionFixture(() => ({
    trustedProxies: 1,
    licences: { ...licences.open('axinom', 'own'), fairplayDelivery: 'dash' },
  }))
  const video = await insertPublishedVideo(fixture.db, fixture, { title: 'Other' })
  const page = `${fixture.base}/${video.videoId}/${encodeAccountId(video.accountId)}`
  other = { page, keyId: video.keyId.toString('hex') }
  const em = fixture.db.em.fork()
  await em.nativeUpdate(Video, {}, { protection: 'multi-drm', keyModel: 'own' })
  await em.nativeUpdate(ContentKey, {}, { ivHex: '07'.repeat(16) })
  keyId = fixture.keyId.toString('hex')
})
afterAll(async () => {
  await fixture?.close()
  await licences?.close()
})
beforeEach(() => licences.providers.axinom.server.reset())

const REQUESTS = HAS_EVERY_CASE ? 1000 : 200
/** Slow, so that a test has time. */
const SLOW = 0.001
const limitTo = (licenceRates: Partial<LicenceRates>) => fixture.restart({ licenceRates })
const openSession = async (viewerId?: string): Promise<string> =>
  (await fixture.openPage(viewerId === undefined ? {} : { vt: fixture.vtFor(viewerId) })).session
const askOther = async (): Promise<Response> => {
  const response = await fetch(other.page, { headers: { Referer: SITE } })
  return ask(playerDataOf(await response.text()).session, '192.0.2.1', other.keyId)
}

/** Asks for a licence, from an address. */
const ask = (session: string, ip = '192.0.2.1', kid = keyId): Promise<Response> =>
  fetch(fixture.base + paths.drmLicence('widevine'), {
    method: 'POST',
    headers: { 'X-Playback-Session': session, 'X-Forwarded-For': ip },
    body: Buffer.from(fakeChallenge('widevine', { ...DEVICE, keyIdsHex: [kid] })),
  })
const responseStatus = async (response: Promise<Response>): Promise<number> =>
  (await response).status
const seen = () => licences.providers.axinom.server.seen.length

describe('licence requests', () => {
  it('of one session reach the provider as often as its limit allows, whatever their number', async () => {
    await limitTo({})
    const { burst, perSecond } = LICENCE_LIMITS.session
    const session = await openSession('ann')
    const startedMs = performance.now()
    const statuses: Record<number, number> = {}
    const askInTurn = async (): Promise<void> => {
      for (let n = 0; n < REQUESTS / 10; n += 1) {
        const { status } = await ask(session)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 10 }, askInTurn))
    const refilled = Math.floor(((performance.now() - startedMs) / 1000) * perSecond)
    expect(seen()).toBeGreaterThanOrEqual(burst)
    expect(seen()).toBeLessThanOrEqual(burst + refilled)
    expect(statuses).toEqual({ 200: seen(), 429: REQUESTS - seen() })
    const limited = await ask(session)
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(1 / perSecond)
    expect(await statusAndCode(limited)).toEqual([429, 'too_many_requests'])
    expect(await responseStatus(ask(await openSession('ann')))).toBe(200)
  }, 60_000)

  it('of sessions without a viewer are limited for a network, and those of a viewer in a network', async () => {
    await limitTo({ network: { burst: 2, perSecond: SLOW } })
    for (const viewerId of [undefined, 'ann', 'bob']) {
      const statuses: number[] = []
      for (let n = 0; n < 4; n += 1)
        statuses.push(await responseStatus(ask(await openSession(viewerId))))
      expect(statuses).toEqual([200, 200, 429, 429])
      expect(await responseStatus(ask(await openSession(viewerId), '198.51.100.7'))).toBe(200)
    }
    expect(seen()).toBe(9)
    expect(await responseStatus(askOther())).toBe(200)
  })

  it('of an account are limited: its viewers have a share of their own, and so has each account', async () => {
    await limitTo({ account: { burst: 2, perSecond: SLOW } })
    const statuses: number[] = []
    for (let n = 0; n < 4; n += 1)
      statuses.push(await responseStatus(ask(await openSession(), `192.0.${n}.1`)))
    expect(statuses).toEqual([200, 200, 429, 429])
    expect(await responseStatus(ask(await openSession('ann')))).toBe(200)
    expect(await responseStatus(askOther())).toBe(200)
    expect(seen()).toBe(4)
  })

  it('for ClearKey have the limit of the session', async () => {
    await limitTo({
      session: { burst: 2, perSecond: SLOW },
      network: { burst: 1, perSecond: SLOW },
      account: { burst: 1, perSecond: SLOW },
    })
    await fixture.setVideo({ protection: 'clearkey' })
    const session = await openSession('ann')
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1) statuses.push(await responseStatus(fixture.licence(session)))
    expect(statuses).toEqual([200, 200, 429])
    const key = await fixture.ask(paths.clearKey(keyId), { session })
    expect(await statusAndCode(key)).toEqual([429, 'too_many_requests'])
    await fixture.setVideo({ protection: 'multi-drm' })
  })
})
