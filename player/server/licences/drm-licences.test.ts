import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changePlan } from '../../../commands/accounts/change-plan.ts'
import { restoreDevice, revokeDevice } from '../../../commands/devices/revoke-device.ts'
import { revokeViewer } from '../../../commands/viewers/revoke-viewer.ts'
import { DrmDevice, RevokedViewer, StreamLease } from '../../../db/entities/account.ts'
import { PlaybackSession, SecurityEvent } from '../../../db/entities/event.ts'
import { ContentKey } from '../../../db/entities/video.ts'
import { DRM_SYSTEM_NAMES, type DrmSystemName } from '../../../domain/drm/drm-system.ts'
import { DEFAULT_LICENCE_POLICY, type LicencePolicy } from '../../../domain/drm/licence-policy.ts'
import { deepLink } from '../../../domain/playback/embed-url.ts'
import type { LicenceProviderName } from '../../../drm/licences/open-licences.ts'
import { seal } from '../../../security/sealing/sealing.ts'
import { contentKeyContext } from '../../../security/sealing/secret-contexts.ts'
import {
  DEVICE,
  keysIn,
  startLicenceFixture,
  type LicenceFixture,
  type TestProvider,
} from '../../../test/fixtures/licences.ts'
import { createMobileApp } from '../../../test/fixtures/mobile-app.ts'
import { statusAndCode } from '../../../test/fixtures/playback-sessions.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { fakeChallenge } from '../../../test/infrastructure/fake-cdm-format.ts'
import type { PlayerDeps } from '../deps.ts'
import { paths } from '../paths.ts'

let licences: LicenceFixture
let fixture: PlayerFixture
/** The adapter that the player host uses; tests replace it. */
let used: NonNullable<PlayerDeps['licences']>
const KEYS = { SD: randomBytes(16), HD: randomBytes(16) }
let keyIds: Record<keyof typeof KEYS, string>

beforeAll(async () => {
  licences = await startLicenceFixture()
  fixture = await openPlayerFixture(() => ({
    mobileApp: { mustAttest: false, apps: { android: null, ios: null } },
    licences: {
      get adapter() {
        return used.adapter
      },
      get keyModel() {
        return used.keyModel
      },
      fairplayDelivery: 'dash',
    },
  }))
})
afterAll(async () => {
  await fixture?.close()
  await licences?.close()
})

beforeEach(async () => {
  const em = fixture.db.em.fork()
  for (const { server } of Object.values(licences.providers)) server.reset()
  await em.nativeDelete(PlaybackSession, {})
  await em.nativeDelete(SecurityEvent, {})
  await em.nativeDelete(DrmDevice, {})
  await em.nativeDelete(StreamLease, {})
  await em.nativeDelete(RevokedViewer, {})
  await em.nativeDelete(ContentKey, {})
  await fixture.setVideo({
    protection: 'multi-drm',
    keyModel: null,
    status: 'ready',
    deletedAt: null,
  })
  await changePlan(em, fixture.accountId, DEFAULT_LICENCE_POLICY)
  keyIds = { SD: randomBytes(16).toString('hex'), HD: randomBytes(16).toString('hex') }
  for (const name of ['SD', 'HD'] as const)
    await em.insert(ContentKey, {
      videoId: fixture.videoId,
      name,
      trackTypes: [name],
      keyId: keyIds[name],
      ivHex: '07'.repeat(16),
      systems: [],
      sealedKey: seal(fixture.masterKeys, KEYS[name], contentKeyContext(fixture.videoId, name)),
    })
  useProvider('axinom')
})

/** Makes the player host use this provider, with keys of ours. */
function useProvider(name: LicenceProviderName): TestProvider {
  used = licences.open(name, name === 'drmtoday' ? 'provider' : 'own')
  return licences.providers[name]
}

const challengeFor = (system: DrmSystemName, device: object = {}): Uint8Array =>
  fakeChallenge(system, { ...DEVICE, ...device, keyIdsHex: Object.values(keyIds) })

async function ask(
  system: DrmSystemName,
  { session, body = challengeFor(system) }: { session: string; body?: Uint8Array },
): Promise<Response> {
  return fetch(fixture.base + paths.drmLicence(system), {
    method: 'POST',
    headers: {
      'X-Playback-Session': session,
      ...(system === 'playready' && {
        'Content-Type': 'text/xml; charset=utf-8',
        SOAPAction: '"http://schemas.microsoft.com/DRM/2007/03/protocols/AcquireLicense"',
      }),
    },
    body: Buffer.from(body),
  })
}

const openSession = async (viewerId = 'ann') =>
  (await fixture.openPage({ vt: fixture.vtFor(viewerId) })).session
const licenceOf = async (system: DrmSystemName, response: Response) => {
  expect(response.status).toBe(200)
  return keysIn(system, Buffer.from(await response.arrayBuffer()))
}
const bothKeys = () => ({
  [keyIds.SD]: KEYS.SD.toString('hex'),
  [keyIds.HD]: KEYS.HD.toString('hex'),
})
const sessions = () => fixture.db.em.fork().find(PlaybackSession, {})
const events = () => fixture.db.em.fork().find(SecurityEvent, {}, { orderBy: { id: 'asc' } })
const setPolicy = (policy: Partial<LicencePolicy>) =>
  changePlan(fixture.db.em.fork(), fixture.accountId, policy)

describe('a licence of a Multi-DRM video', () => {
  it.each(DRM_SYSTEM_NAMES)('is what the CDM reads, for %s, and is recorded', async (system) => {
    const session = await openSession()
    const response = await ask(system, { session })
    expect(response.headers.get('content-type')).toContain('application/octet-stream')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(await licenceOf(system, response)).toEqual(bothKeys())
    expect(await sessions()).toMatchObject([{ viewerId: 'ann', keyGrants: 1 }])
    await ask(system, { session })
    expect(await sessions()).toMatchObject([{ keyGrants: 2 }])
  })

  it('is for a session of the mobile app as for one of a page', async () => {
    const link = deepLink(fixture.videoId, fixture.accountId, fixture.vtFor('ann'))
    const response = await createMobileApp(fixture.base).play(link)
    const licenceOfApp = async (system: DrmSystemName) => {
      const { pathname } = new URL(response.licences[system].licence_url)
      return fetch(fixture.base + pathname, {
        method: 'POST',
        headers: { [response.session_header]: response.session },
        body: Buffer.from(challengeFor(system)),
      })
    }
    for (const system of DRM_SYSTEM_NAMES)
      expect(await licenceOf(system, await licenceOfApp(system))).toEqual(bothKeys())
    expect(await sessions()).toMatchObject([{ viewerId: 'ann', refererHost: null, keyGrants: 3 }])
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')
    expect(await statusAndCode(await licenceOfApp('widevine'))).toEqual([403, 'viewer_revoked'])
  })

  it('is the same after a change of the provider, without encoding anything again', async () => {
    const session = await openSession()
    for (const name of ['axinom', 'doverunner', 'generic'] as const) {
      useProvider(name)
      expect(await licenceOf('widevine', await ask('widevine', { session }))).toEqual(bothKeys())
    }
  })

  it('contains keys that were made here also after new videos take those of the provider', async () => {
    used = licences.open('axinom', 'provider')
    await fixture.setVideo({ keyModel: 'own' })
    const session = await openSession()
    expect(await licenceOf('widevine', await ask('widevine', { session }))).toEqual(bothKeys())
  })

  it('comes from keys of the provider, which is handed none, if that is its model', async () => {
    const { server } = useProvider('drmtoday')
    server.videos.push({
      videoId: fixture.videoId,
      keys: [{ keyIdHex: keyIds.SD, keyHex: 'ab'.repeat(16), trackTypes: ['SD'] }],
    })
    const response = await ask('playready', { session: await openSession() })
    expect(await licenceOf('playready', response)).toEqual({ [keyIds.SD]: 'ab'.repeat(16) })
  })

  it('has the policy of the plan, from the next request on', async () => {
    const session = await openSession()
    await setPolicy({ hdNeedsHardware: true, licenceSeconds: 900 })
    const body = challengeFor('widevine', { level: 'software' })
    expect(await licenceOf('widevine', await ask('widevine', { session, body }))).toEqual({
      [keyIds.SD]: KEYS.SD.toString('hex'),
    })
    expect(licences.providers.axinom.server.seen.at(-1)?.entitled?.claims).toMatchObject({
      message: { license: { duration: 900, allow_persistence: false } },
    })
  })

  it('is short, and only for as many sessions of a viewer as the account allows', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    const [first, second] = [await openSession(), await openSession()]
    expect((await ask('widevine', { session: first })).status).toBe(200)
    const { seen } = licences.providers.axinom.server
    expect(seen.at(-1)?.entitled?.claims).toMatchObject({ message: { license: { duration: 120 } } })
    const asked = seen.length
    for (const system of DRM_SYSTEM_NAMES)
      expect(await statusAndCode(await ask(system, { session: second }))).toEqual([
        403,
        'too_many_streams',
      ])
    expect(seen).toHaveLength(asked)
    expect(await events()).toMatchObject([{ eventType: 'session_over_limit', details: {} }])
    await fixture.configure({})
  })

  it('does not keep another play away if the provider refuses it', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    const { server } = useProvider('doverunner')
    server.misbehave('json-error')
    expect((await ask('widevine', { session: await openSession() })).status).toBe(403)
    server.reset()
    expect((await ask('widevine', { session: await openSession() })).status).toBe(200)
    await fixture.configure({})
  })

  it('is for live sessions only, and each reason is recorded once', async () => {
    const session = await openSession()
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')
    for (const system of DRM_SYSTEM_NAMES)
      expect(await statusAndCode(await ask(system, { session }))).toEqual([403, 'viewer_revoked'])
    expect((await ask('widevine', { session: 'forged' })).status).toBe(403)
    expect(await events()).toMatchObject([
      { eventType: 'licence_refused', severity: 'medium', details: { reason: 'viewer_revoked' } },
    ])
    expect(licences.providers.axinom.server.seen).toHaveLength(0)
    expect(await sessions()).toMatchObject([{ keyGrants: 0 }])
  })

  it('does not leave if the session ends while the provider responds', async () => {
    const session = await openSession()
    const opened = licences.open('axinom', 'own')
    const { adapter } = opened
    used = {
      ...opened,
      adapter: {
        ...adapter,
        requestLicence: async (request) => {
          const response = await adapter.requestLicence(request)
          await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')
          return response
        },
      },
    }
    expect(await statusAndCode(await ask('widevine', { session }))).toEqual([403, 'viewer_revoked'])
    expect(await sessions()).toMatchObject([{ keyGrants: 0 }])
  })

  it('does not exist for a ClearKey video', async () => {
    await fixture.setVideo({ protection: 'clearkey' })
    const response = await ask('widevine', { session: await openSession() })
    expect(await statusAndCode(response)).toEqual([403, 'multi_drm_not_used'])
    expect(licences.providers.axinom.server.seen).toHaveLength(0)
  })
})

describe('a licence request', () => {
  it('may be of any type and up to 128 KiB', async () => {
    const session = await openSession()
    const send = (bytes: Buffer) => ask('widevine', { session, body: bytes })
    expect(await statusAndCode(await send(Buffer.alloc(0)))).toEqual([
      400,
      'invalid_licence_request',
    ])
    expect(await statusAndCode(await send(Buffer.alloc(128 * 1024 + 1)))).toEqual([
      413,
      'payload_too_large',
    ])
    expect(licences.providers.axinom.server.seen).toHaveLength(0)
    await send(Buffer.alloc(128 * 1024))
    expect(licences.providers.axinom.server.seen[0]?.body).toHaveLength(128 * 1024)
  })

  it('for the Widevine certificate counts no grant and is served from memory', async () => {
    const session = await openSession()
    const body = Uint8Array.from([8, 4])
    for (let count = 0; count < 3; count += 1)
      expect((await ask('widevine', { session, body })).status).toBe(200)
    expect(await sessions()).toEqual([])
    const { seen } = licences.providers.axinom.server
    expect(seen).toHaveLength(1)
    expect(seen[0]?.entitled?.keys).toEqual([])
  })
})

describe('a refusal of the provider', () => {
  it('reaches the player as our code and the log with the provider’s', async () => {
    useProvider('doverunner')
    const { server } = licences.providers.doverunner
    const session = await openSession()
    server.misbehave('json-error')
    for (let count = 0; count < 2; count += 1)
      expect(await statusAndCode(await ask('widevine', { session }))).toEqual([
        403,
        'licence_refused',
      ])
    expect(await events()).toMatchObject([
      { eventType: 'licence_refused', severity: 'medium', details: { reason: 'licence_refused' } },
    ])
    expect(fixture.warnings().join()).toContain('"providerCode":"7001"')
    expect(fixture.warnings().join()).toContain('"providerRequestId":"request-of-provider-17"')
    expect(await sessions()).toMatchObject([{ keyGrants: 0 }])
  })

  it('because the device is revoked is one security event of its own', async () => {
    licences.providers.axinom.server.misbehave('revoked')
    const session = await openSession()
    for (const system of DRM_SYSTEM_NAMES)
      expect(await statusAndCode(await ask(system, { session }))).toEqual([
        403,
        'drm_device_revoked',
      ])
    expect(await events()).toMatchObject([
      { eventType: 'drm_device_revoked', severity: 'high', details: { revoked_by: 'provider' } },
    ])
  })

  it('because the provider is away is 503 and no security event', async () => {
    licences.providers.axinom.server.misbehave('outage')
    const response = await ask('widevine', { session: await openSession() })
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await statusAndCode(response)).toEqual([503, 'drm_unavailable'])
    expect(await events()).toEqual([])
  })
})

describe('a device that the provider names', () => {
  const devices = () => fixture.db.em.fork().find(DrmDevice, {})

  it('is recorded with its last viewer', async () => {
    await ask('widevine', { session: await openSession('ann') })
    await ask('playready', { session: await openSession('ben') })
    expect(await devices()).toMatchObject([
      { deviceId: 'device-1', system: 'playready', viewerId: 'ben', revokedAt: null },
    ])
  })

  it('gets no licence once the account has revoked it, which is recorded once', async () => {
    const em = fixture.db.em.fork()
    await revokeDevice(em, fixture.accountId, 'device-1')
    const session = await openSession()
    const responses = await Promise.all([1, 2, 3].map(() => ask('widevine', { session })))
    for (const response of responses)
      expect(await statusAndCode(response)).toEqual([403, 'drm_device_revoked'])
    expect(await events()).toMatchObject([
      {
        eventType: 'drm_device_revoked',
        severity: 'high',
        viewerId: 'ann',
        details: { revoked_by: 'account', device_id: 'device-1' },
      },
    ])
    expect((await sessions()).map(({ keyGrants }) => keyGrants)).toEqual([0])
    const other = challengeFor('widevine', { deviceId: 'device-2' })
    expect((await ask('widevine', { session, body: other })).status).toBe(200)
    await restoreDevice(em, fixture.accountId, 'device-1')
    expect((await ask('widevine', { session })).status).toBe(200)
  })

  it('of another account is not affected', async () => {
    const other = await fixture.db.em
      .fork()
      .execute<{ id: number }[]>(
        `insert into account (name, settings, sealed_signing_secret) values ('B', '{}', 'x') returning id`,
      )
    await revokeDevice(fixture.db.em.fork(), other[0]?.id ?? 0, 'device-1')
    expect((await ask('widevine', { session: await openSession() })).status).toBe(200)
  })

  it('has a name of any form', async () => {
    const body = challengeFor('widevine', { deviceId: `a b\n${'x'.repeat(999)}` })
    expect((await ask('widevine', { session: await openSession(), body })).status).toBe(200)
    expect((await devices())[0]?.deviceId).toMatch(/^sha256:[0-9a-f]{64}$/)
  })
})

describe('the certificate', () => {
  const get = (system: string) => fetch(fixture.base + paths.drmCertificate(system))

  it('of Widevine comes from the licence server once, for all viewers', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => get('widevine')))
    for (const response of responses) {
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
      expect(Buffer.from(await response.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([8, 5]))
    }
    expect(licences.providers.axinom.server.seen).toHaveLength(1)
  })

  it('that is not configured, or of another system, does not exist', async () => {
    expect(await statusAndCode(await get('fairplay'))).toEqual([404, 'no_certificate'])
    expect(await statusAndCode(await get('playready'))).toEqual([404, 'not_found'])
  })
})

describe('secrets', () => {
  it('are in no log line and no response, whatever the provider does', async () => {
    const sessions: string[] = []
    const responses: string[] = []
    for (const name of ['axinom', 'doverunner', 'drmtoday', 'generic'] as const) {
      const { server } = useProvider(name)
      const session = await openSession()
      sessions.push(session)
      for (const how of ['revoked', 'fault', 'json-error', 'html', 'cut', 'busy', null] as const) {
        server.misbehave(how)
        for (const system of DRM_SYSTEM_NAMES)
          responses.push(await (await ask(system, { session })).text())
      }
    }
    const log = fixture.logged() + licences.logged()
    const refused = responses.filter((text) => text.includes('"error"')).join()
    expect(log).toContain('the DRM provider gave no licence')
    const forbidden = [
      ...Object.values(licences.providers).flatMap(({ secrets }) => secrets),
      ...Object.values(KEYS).flatMap((key) => [key.toString('hex'), key.toString('base64')]),
      ...sessions.flatMap((session) => session.split('.')),
      'secret-of-theirs',
      'secret=in-url',
      'drm.test',
      'ann@',
    ]
    const tokens = Object.values(licences.providers).flatMap(({ server }) =>
      server.seen.flatMap(({ headers }) =>
        ['x-axdrm-message', 'pallycon-customdata-v2', 'x-dt-auth-token', 'authorization'].flatMap(
          (header) => headers[header] ?? [],
        ),
      ),
    )
    expect(tokens.length).toBeGreaterThan(20)
    for (const secret of [...forbidden, ...tokens.flatMap((token) => token.split('.'))]) {
      expect(log).not.toContain(secret)
      expect(refused).not.toContain(secret)
    }
  })
})
