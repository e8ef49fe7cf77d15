import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DRM_SYSTEM_NAMES, type DrmSystemName } from '../../domain/drm/drm-system.ts'
import { DEFAULT_LICENCE_POLICY } from '../../domain/drm/licence-policy.ts'
import {
  DEVICE,
  keysIn,
  licenceRequest,
  startLicenceFixture,
  teachProvider,
  videoKeys,
  type LicenceFixture,
} from '../../test/fixtures/licences.ts'
import type { Misbehaviour } from '../../test/infrastructure/licence-servers/licence-server.ts'
import type { LicenceKey, LicenceResponse } from './licence-adapter.ts'
import type { LicenceProviderName } from './open-licences.ts'

const NAMES = ['axinom', 'doverunner', 'drmtoday', 'generic'] as const
const VIDEO = 'f1'.repeat(10)

let fixture: LicenceFixture

beforeAll(async () => {
  fixture = await startLicenceFixture()
})
afterAll(() => fixture?.close())
beforeEach(() => {
  for (const { server } of Object.values(fixture.providers)) server.reset()
})

const withoutKeys = (keys: LicenceKey[]): LicenceKey[] => keys.map((key) => ({ ...key, key: null }))

/** The keys of a granted licence. Throws with the reason if there is none. */
function granted(system: DrmSystemName, response: LicenceResponse): Record<string, string> {
  if (response.outcome !== 'granted') throw new Error(JSON.stringify(response))
  return keysIn(system, response.licence)
}

const plain = (keys: { keyIdHex: string; key: Buffer }[]): Record<string, string> =>
  Object.fromEntries(keys.map(({ keyIdHex, key }) => [keyIdHex, key.toString('hex')]))

const lastSeen = (name: LicenceProviderName) => fixture.providers[name].server.seen.at(-1)

describe.each(NAMES)('a licence of %s', (name) => {
  it.each(DRM_SYSTEM_NAMES)(
    'has all keys of the session for %s, which the provider has',
    async (system) => {
      const keys = videoKeys('AUDIO', 'SD', 'HD', 'UHD')
      teachProvider(fixture.providers[name], VIDEO, keys)
      const { adapter } = fixture.open(name)
      const response = await adapter.requestLicence(licenceRequest(system, withoutKeys(keys)))
      expect(granted(system, response)).toEqual(plain(keys))
      expect(fixture.providers[name].server.seen).toHaveLength(1)
    },
  )

  it('never allows offline use, and names neither the viewer nor a key of the other model', async () => {
    const keys = videoKeys('AUDIO', 'SD')
    teachProvider(fixture.providers[name], VIDEO, keys)
    const { adapter } = fixture.open(name)
    await adapter.requestLicence(licenceRequest('widevine', withoutKeys(keys)))
    // The servers accept only entitlements with `false` for persistence.
    const claims = JSON.stringify(lastSeen(name)?.entitled?.claims)
    expect(claims).toMatch(/"(allow_persistence|persistent|storeLicense)":false/)
    expect(claims).not.toContain('ann@example.com')
    for (const { key } of keys) expect(claims).not.toContain(key.toString('hex'))
  })

  it.each<[string, number, string | RegExp]>([
    ['from the future', -3_600_000, /future|not valid/],
    ['too old', 3_600_000, /expired|too old|not valid/],
  ])('is refused if the entitlement is %s', async (_title, offsetMs, denial) => {
    fixture.providers[name].server.moveClock(offsetMs)
    const keys = videoKeys('SD')
    teachProvider(fixture.providers[name], VIDEO, keys)
    const { adapter } = fixture.open(name)
    const response = await adapter.requestLicence(licenceRequest('widevine', withoutKeys(keys)))
    expect(response).toMatchObject({ outcome: 'refused', code: 'licence_refused' })
    expect(lastSeen(name)?.denial).toMatch(denial)
  })

  it('is refused for a video that the provider does not know', async () => {
    const { adapter } = fixture.open(name)
    const request = licenceRequest('fairplay', withoutKeys(videoKeys('SD')))
    expect(await adapter.requestLicence(request)).toMatchObject({
      outcome: 'refused',
      code: 'licence_refused',
    })
  })

  it.each<[Misbehaviour, DrmSystemName, object]>([
    ['revoked', 'widevine', { code: 'drm_device_revoked' }],
    ['fault', 'playready', { code: 'licence_refused', providerCode: '0x8004c604' }],
    ['outage', 'playready', { code: 'drm_unavailable', providerCode: 'http_502' }],
    ['outage', 'widevine', { code: 'drm_unavailable', providerCode: 'http_502' }],
    ['busy', 'widevine', { code: 'drm_unavailable', providerCode: 'http_429' }],
    ['empty', 'widevine', { code: 'drm_unavailable', providerCode: 'not_a_licence' }],
    ['empty', 'fairplay', { code: 'drm_unavailable', providerCode: 'not_a_licence' }],
    ['html', 'widevine', { code: 'drm_unavailable', providerCode: 'not_a_licence' }],
    ['html', 'playready', { code: 'drm_unavailable', providerCode: 'not_a_licence' }],
    ['html', 'fairplay', { code: 'drm_unavailable', providerCode: 'not_a_licence' }],
    ['cut', 'widevine', { code: 'drm_unavailable', providerCode: 'connection_reset' }],
  ])('is not the response %s for %s', async (how, system, expected) => {
    const { server } = fixture.providers[name]
    server.misbehave(how)
    const { adapter } = fixture.open(name)
    const response = await adapter.requestLicence(
      licenceRequest(system, withoutKeys(videoKeys('SD'))),
    )
    expect(response).toMatchObject({ outcome: 'refused', ...expected })
    expect(JSON.stringify(response)).not.toContain('secret')
    // Only a request that got no response at all is repeated.
    if (how === 'cut') expect(server.seen).toHaveLength(2)
  })

  it('is not a JSON error with the status of a licence', async () => {
    fixture.providers[name].server.misbehave('json-error')
    const { adapter } = fixture.open(name)
    const response = await adapter.requestLicence(
      licenceRequest('widevine', withoutKeys(videoKeys('SD'))),
    )
    // Only some providers refuse like this; from others it is not a response at all.
    const knowsCode = name === 'doverunner' || name === 'generic'
    expect(response).toMatchObject(
      knowsCode
        ? { code: 'licence_refused', providerCode: '7001' }
        : { code: 'drm_unavailable', providerCode: 'not_a_licence' },
    )
  })

  it('is requested once more, with a new entitlement, if nothing came back', async () => {
    const keys = videoKeys('SD')
    teachProvider(fixture.providers[name], VIDEO, keys)
    const { server } = fixture.providers[name]
    server.misbehave('cut-once')
    const { adapter } = fixture.open(name)
    const response = await adapter.requestLicence(licenceRequest('widevine', withoutKeys(keys)))
    expect(granted('widevine', response)).toEqual(plain(keys))
    expect(server.seen).toHaveLength(2)
  })
})

describe.each(['axinom', 'doverunner', 'generic'] as const)('keys of ours at %s', (name) => {
  it.each(DRM_SYSTEM_NAMES)('are handed over inside the entitlement for %s', async (system) => {
    const keys = videoKeys('AUDIO', 'SD', 'HD', 'UHD')
    // FairPlay's external keys of DoveRunner name no key ids: the provider knows those of the asset.
    if (name === 'doverunner' && system === 'fairplay')
      teachProvider(
        fixture.providers[name],
        VIDEO,
        keys.map((key) => ({ ...key, key: Buffer.alloc(16) })),
      )
    const { adapter } = fixture.open(name, 'own')
    const response = await adapter.requestLicence(licenceRequest(system, keys))
    expect(granted(system, response)).toEqual(plain(keys))
  })
})

describe('a provider that has its own keys only', () => {
  it('cannot be configured with keys of ours', () => {
    expect(() => fixture.open('drmtoday', 'own')).toThrow('DRM_KEY_MODEL: drmtoday takes no keys')
    const claims = JSON.stringify({ sub: '{video_id}', kid: '{key_ids}' })
    expect(() => fixture.open('generic', 'own', { DRM_GENERIC_CLAIMS: claims })).toThrow(
      '{key_hex}',
    )
  })
})

describe('keys with demands', () => {
  const policy = {
    ...DEFAULT_LICENCE_POLICY,
    hdNeedsHardware: true,
    uhdNeedsHardware: true,
    outputProtection: 'required',
  } as const
  const software = { ...DEVICE, level: 'software' } as const

  it.each([
    ['axinom', 'widevine'],
    ['axinom', 'playready'],
    ['doverunner', 'widevine'],
    ['doverunner', 'playready'],
    ['generic', 'widevine'],
  ] as const)(
    'are left out for a device of %s with %s that decrypts in software',
    async (name, system) => {
      const keys = videoKeys('AUDIO', 'SD', 'HD', 'UHD')
      teachProvider(fixture.providers[name], VIDEO, keys)
      const { adapter } = fixture.open(name)
      const asked = (device: typeof software | typeof DEVICE) =>
        adapter.requestLicence(licenceRequest(system, withoutKeys(keys), { policy, device }))
      expect(granted(system, await asked(DEVICE))).toEqual(plain(keys))
      expect(granted(system, await asked(software))).toEqual(plain(keys.slice(0, 2)))
    },
  )

  it('are never sent to a server that cannot judge the device', async () => {
    const keys = videoKeys('AUDIO', 'SD', 'HD', 'UHD')
    for (const [name, change] of [
      ['drmtoday', {}],
      ['generic', { DRM_GENERIC_ENFORCES_HARDWARE: 'false' }],
    ] as const) {
      teachProvider(fixture.providers[name], VIDEO, keys)
      const { adapter } = fixture.open(name, 'provider', change)
      const response = await adapter.requestLicence(
        licenceRequest('widevine', withoutKeys(keys), { policy }),
      )
      expect(granted('widevine', response)).toEqual(plain(keys.slice(0, 2)))
    }
  })

  it('refuse the licence with the cause if none is left', async () => {
    const keys = videoKeys('HD')
    const request = (change: object) =>
      licenceRequest('widevine', keys, { policy, device: { ...DEVICE, ...change } })
    const { adapter } = fixture.open('axinom', 'own')
    expect(await adapter.requestLicence(request({ level: 'software' }))).toMatchObject({
      code: 'drm_security_too_low',
      requestId: 'request-of-provider-17',
    })
    expect(await adapter.requestLicence(request({ hdcp: null }))).toMatchObject({
      code: 'drm_output_blocked',
    })
  })

  it('have the shape of each provider: HDCP 2.2 for UHD, hardware, life and renewal', async () => {
    const keys = videoKeys('UHD')
    const renewed = { ...policy, licenceSeconds: 600, renewalSeconds: 120 }
    for (const name of ['axinom', 'doverunner'] as const) {
      const { adapter } = fixture.open(name, 'own')
      await adapter.requestLicence(licenceRequest('widevine', keys, { policy: renewed }))
    }
    expect(lastSeen('axinom')?.entitled?.claims).toMatchObject({
      message: {
        license: { duration: 600, widevine: { allow_renewal: true, renewal_delay: 120 } },
        content_key_usage_policies: [
          {
            widevine: { device_security_level: 'HW_SECURE_ALL', hdcp: '2.2' },
            playready: { min_device_security_level: 3000, uncompressed_digital_video_opl: 300 },
            fairplay: { hdcp: 'TYPE1' },
          },
        ],
      },
    })
    expect(lastSeen('doverunner')?.entitled?.claims).toMatchObject({
      policy: {
        playback_policy: { license_duration: 600, renewal_duration: 120 },
        security_policy: [{ track_type: 'UHD1', widevine: { security_level: 5 } }, {}],
      },
    })
  })
})

describe('the device', () => {
  it.each(['axinom', 'doverunner'] as const)('is named by %s', async (name) => {
    const keys = videoKeys('SD')
    const { adapter } = fixture.open(name, 'own')
    const response = await adapter.requestLicence(licenceRequest('widevine', keys))
    expect(response).toMatchObject({ outcome: 'granted', deviceId: 'device-1' })
  })
})

describe('a licence server that does not respond', () => {
  it('is given five seconds, and is not asked for a while after five failures', async () => {
    const { server } = fixture.providers.axinom
    const { adapter } = fixture.open('axinom')
    const ask = () =>
      adapter.requestLicence(licenceRequest('widevine', withoutKeys(videoKeys('SD'))))
    server.misbehave('slow')
    const startedMs = performance.now()
    expect(await ask()).toMatchObject({ code: 'drm_unavailable', providerCode: 'timeout' })
    expect(performance.now() - startedMs).toBeLessThan(6500)
    server.misbehave('outage')
    for (let count = 2; count <= 5; count += 1) await ask()
    const asked = server.seen.length
    server.misbehave(null)
    expect(await ask()).toMatchObject({ code: 'drm_unavailable', providerCode: 'breaker_open' })
    expect(server.seen).toHaveLength(asked)
    // The other systems have servers of their own.
    const keys = videoKeys('SD')
    const { outcome } = await fixture
      .open('axinom', 'own')
      .adapter.requestLicence(licenceRequest('fairplay', keys))
    expect(outcome).toBe('granted')
  }, 20_000)
})

describe('a licence server that returns something other than a licence', () => {
  it('is asked again at once, so that no viewer can stop the others', async () => {
    const { server } = fixture.providers.axinom
    const { adapter } = fixture.open('axinom', 'own')
    server.misbehave('html')
    for (let count = 0; count < 6; count += 1)
      await adapter.requestLicence(licenceRequest('widevine', videoKeys('SD')))
    server.misbehave(null)
    const response = await adapter.requestLicence(licenceRequest('widevine', videoKeys('SD')))
    expect(response.outcome).toBe('granted')
  })
})

describe('a system without an address', () => {
  it('gets no licence, and the provider is not asked', async () => {
    const { DRM_WIDEVINE_URL: only } = fixture.providers.axinom.variables
    const { adapter } = fixture.open('axinom', 'own', {
      DRM_WIDEVINE_URL: only,
      DRM_PLAYREADY_URL: undefined,
      DRM_FAIRPLAY_URL: undefined,
    })
    const response = await adapter.requestLicence(licenceRequest('fairplay', videoKeys('SD')))
    expect(response).toMatchObject({
      code: 'licence_refused',
      providerCode: 'system_not_configured',
    })
    expect(fixture.providers.axinom.server.seen).toHaveLength(0)
  })
})
