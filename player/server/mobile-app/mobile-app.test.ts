import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeViewer } from '../../../commands/viewers/revoke-viewer.ts'
import { RevokedViewer } from '../../../db/entities/account.ts'
import { SecurityEvent } from '../../../db/entities/event.ts'
import { AppAttestKey, RedeemedChallenge } from '../../../db/entities/mobile-app.ts'
import { insertRedeemedChallenge } from '../../../db/playback/write-mobile-app.ts'
import { decodeFailureCode } from '../../../domain/playback-reports/failure-code.ts'
import { deepLink } from '../../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { createAttestationAuthority } from '../../../test/fixtures/app-attest.ts'
import { createMobileApp, type Attest } from '../../../test/fixtures/mobile-app.ts'
import { createPlayIntegrity } from '../../../test/fixtures/play-integrity.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import type { MobileApp } from '../deps.ts'
import { paths } from '../paths.ts'

const APP_ID = '1234567890.com.example.player'
const WATERMARK = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
const google = createPlayIntegrity()
let apple: Awaited<ReturnType<typeof createAttestationAuthority>>
let fixture: PlayerFixture
/** The app of the host; tests replace it. */
let used: MobileApp
let attested: MobileApp
const OPEN: MobileApp = { mustAttest: false, apps: { android: null, ios: null } }

beforeAll(async () => {
  apple = await createAttestationAuthority(APP_ID)
  const ios = { appId: APP_ID, environment: 'production', rootPem: apple.rootPem } as const
  attested = { mustAttest: true, apps: { android: google.app, ios } }
  used = attested
  fixture = await openPlayerFixture(() => ({
    mobileApp: {
      get mustAttest() {
        return used.mustAttest
      },
      get apps() {
        return used.apps
      },
    },
  }))
})
afterAll(() => fixture?.close())

beforeEach(async () => {
  const em = fixture.db.em.fork()
  await em.nativeDelete(SecurityEvent, {})
  await em.nativeDelete(RevokedViewer, {})
  await fixture.setVideo({ protection: 'multi-drm', status: 'ready', deletedAt: null })
  await fixture.configure({ app_only_l3: true, watermark: WATERMARK })
  used = attested
})

/** The causes of errors whose name is not theirs. */
const CAUSES: Record<string, RegExp> = {
  video_not_found: /^not_found$/,
  viewer_token_required: /^(token_(missing|expired|forged)|exp_in_milliseconds)$/,
  too_many_requests: /^rate_limited$/,
  payload_too_large: /^invalid_request$/,
}

/** Returns the status of a response and the code of its error, whose report code must say the same. */
async function statusAndCode(response: Response): Promise<[number, string | undefined]> {
  const { error }: { error?: { code: string; report_code?: string } } = JSON.parse(
    await response.text(),
  )
  if (!error) return [response.status, undefined]
  const cause = CAUSES[error.code] ?? new RegExp(`^${error.code}$`)
  if (new URL(response.url).pathname.startsWith('/app/'))
    expect(decodeFailureCode(error.report_code ?? '')?.cause).toMatch(cause)
  else expect(error.report_code).toBeUndefined()
  return [response.status, error.code]
}

const linkFor = (vt = fixture.vtFor('ann')) => deepLink(fixture.videoId, fixture.accountId, vt)
const events = () => fixture.db.em.fork().find(SecurityEvent, {}, { orderBy: { id: 'asc' } })

const android: Attest = async (hash) => ({
  kind: 'play-integrity',
  token: await google.mint(google.verdict(hash, Date.now())),
})

/** An installation on iOS: attests its key first and asserts with it afterwards. */
async function openIphone() {
  const device = await apple.createDevice()
  const key = { kind: 'app-attest', key_id: device.keyId.toString('base64') }
  const newKey: Attest = async (hash) => ({
    ...key,
    attestation: (await device.attest(hash)).toString('base64'),
  })
  const knownKey =
    (counter?: number): Attest =>
    (hash) => ({ ...key, assertion: device.assert(hash, counter).toString('base64') })
  return { keyIdHex: device.keyId.toString('hex'), newKey, knownKey }
}

const createApp = (attest?: Attest) => createMobileApp(fixture.base, attest)

describe('the app', () => {
  it('gets everything to play, for the link that has opened it', async () => {
    const response = await createApp(android).play(linkFor())
    expect(response).toMatchObject({
      session_header: 'X-Playback-Session',
      video: { id: fixture.videoId, is_complete: true, duration_seconds: 120 },
      manifests: {
        dash_url: `https://play.example${paths.dashManifest(fixture.videoId)}`,
        hls_url: expect.stringMatching(/^https:\/\/play\.example\/hls\/[^/]+\/master\.m3u8$/),
      },
      licences: {
        widevine: { licence_url: `https://play.example${paths.drmLicence('widevine')}` },
        playready: { certificate_url: null },
      },
      watermark: { text: 'ann' },
      policy: { block_screen_capture: true, allow_offline: false },
    })
  })

  it('plays HLS without a header until the viewer is revoked', async () => {
    const { manifests } = await createApp(android).play(linkFor())
    const { pathname } = new URL(manifests.hls_url)
    // The signalling of the key row is not complete: the ticket was accepted, and the playlist cannot be written.
    expect(await statusAndCode(await fixture.ask(pathname))).toEqual([
      500,
      'drm_signalling_missing',
    ])
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')
    expect(await statusAndCode(await fixture.ask(pathname))).toEqual([403, 'viewer_revoked'])
  })

  it('has a session like that of a page, without a site', async () => {
    const { session } = await createApp(android).play(linkFor())
    const beat = await fixture.ask(paths.heartbeat, { method: 'POST', session, body: {} })
    expect(beat.status).toBe(200)
    const [row] = await fixture.db.em
      .fork()
      .execute(
        'select viewer_id, referer_host from playback_record order by started_at desc limit 1',
      )
    expect(row).toEqual({ viewer_id: 'ann', referer_host: null })
  })

  it('plays whatever the domain rules are', async () => {
    await fixture.configure({ allowed_domains: ['site.example'], blocked_domains: ['*.example'] })
    await expect(createApp(android).play(linkFor())).resolves.toBeDefined()
  })

  it('need not attest if the operator asks for a link alone', async () => {
    used = OPEN
    await expect(createApp().play(linkFor())).resolves.toBeDefined()
    expect(await statusAndCode(await createApp(android).open(linkFor()))).toEqual([
      403,
      'attestation_refused',
    ])
  })

  it('does not exist unless the operator has one', async () => {
    await fixture.restart({ mobileApp: undefined })
    for (const path of [paths.appChallenges, paths.appSessions])
      expect(await statusAndCode(await createApp().post(path, { link: linkFor() }))).toEqual([
        404,
        'app_playback_off',
      ])
    await fixture.restart()
  })
})

describe('the viewer token of the link', () => {
  const refusalOf = async (link: string) => statusAndCode(await createApp(android).open(link))

  it.each<[string, () => string, string]>([
    ['missing', () => linkFor(''), 'missing'],
    ['expired', () => linkFor(fixture.vtFor('ann', -1)), 'expired'],
    ['forged', () => linkFor(fixture.vtFor('ann', 60, 'f'.repeat(64))), 'forged'],
  ])('is verified again: %s', async (_name, link, reason) => {
    expect(await refusalOf(link())).toEqual([403, 'viewer_token_required'])
    expect(await events()).toMatchObject([
      { eventType: 'viewer_token_required', details: { reason } },
    ])
  })

  it('of a revoked viewer is refused', async () => {
    await revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')
    expect(await refusalOf(linkFor())).toEqual([403, 'viewer_revoked'])
  })

  it('may be missing if the account requires none', async () => {
    await fixture.configure({})
    expect((await createApp(android).play(linkFor(''))).watermark).toBeNull()
  })
})

describe('the video of the link', () => {
  it.each<[object, number, string]>([
    [{ status: 'queued' }, 409, 'video_not_ready'],
    [{ status: 'failed' }, 409, 'video_failed'],
    [{ protection: 'clearkey' }, 403, 'multi_drm_required'],
    [{ deletedAt: new Date() }, 404, 'video_not_found'],
  ])('with %j is refused', async (change, ...refusal) => {
    await fixture.setVideo(change)
    expect(await statusAndCode(await createApp(android).open(linkFor()))).toEqual(refusal)
  })
})

describe('a challenge', () => {
  it('is for one session, also of two requests at once', async () => {
    const app = createApp(android)
    const link = linkFor()
    const challenge = await app.challengeFor(link)
    const responses = await Promise.all([1, 2, 3].map(() => app.redeem(link, challenge)))
    const codes = await Promise.all(responses.map(statusAndCode))
    expect(codes.map(([status]) => status).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      200, 403, 403,
    ])
    expect(await statusAndCode(await app.redeem(link, challenge))).toEqual([
      403,
      'invalid_challenge',
    ])
  })

  it('is for one link', async () => {
    const app = createApp(android)
    const challenge = await app.challengeFor(linkFor(fixture.vtFor('bob')))
    expect(await statusAndCode(await app.redeem(linkFor(), challenge))).toEqual([
      403,
      'invalid_challenge',
    ])
  })

  it('is not used up by a refusal that the app can fix', async () => {
    const link = linkFor()
    const challenge = await createApp().challengeFor(link)
    const refused = await createApp().redeem(link, challenge)
    expect(await statusAndCode(refused)).toEqual([403, 'attestation_required'])
    expect((await createApp(android).redeem(link, challenge)).status).toBe(200)
  })

  it('leaves no row once it has expired', async () => {
    const em = fixture.db.em.fork()
    const id = randomUUID()
    await insertRedeemedChallenge(em, id, new Date(Date.now() - 3_600_000))
    await createApp(android).play(linkFor())
    expect(await em.count(RedeemedChallenge, { id })).toBe(0)
  })
})

describe('an attestation', () => {
  it('of an iPhone is its key once, and assertions afterwards', async () => {
    const phone = await openIphone()
    await createApp(phone.newKey).play(linkFor())
    for (const counter of [1, 5]) await createApp(phone.knownKey(counter)).play(linkFor())
    const key = await fixture.db.em.fork().findOneOrFail(AppAttestKey, { keyId: phone.keyIdHex })
    expect(key.counter).toBe(5)
    await createApp(phone.newKey).play(linkFor())
    const again = await fixture.db.em.fork().findOneOrFail(AppAttestKey, { keyId: phone.keyIdHex })
    expect(again.counter).toBe(5)
  })

  it('with a counter that does not grow is refused and recorded', async () => {
    const phone = await openIphone()
    await createApp(phone.newKey).play(linkFor())
    await createApp(phone.knownKey(7)).play(linkFor())
    const refused = await createApp(phone.knownKey(7)).open(linkFor())
    expect(await statusAndCode(refused)).toEqual([403, 'attestation_refused'])
    expect(await events()).toMatchObject([
      { eventType: 'app_attestation_refused', viewerId: 'ann', details: { reason: 'counter' } },
    ])
  })

  it('that two requests at once send is admitted once', async () => {
    const phone = await openIphone()
    await createApp(phone.newKey).play(linkFor())
    const app = createApp(phone.knownKey(1))
    const responses = await Promise.all([app.open(linkFor()), app.open(linkFor())])
    const codes = await Promise.all(responses.map(statusAndCode))
    expect(codes.map(([status]) => status).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      200, 403,
    ])
  })

  it('by a key that is not known tells the app to attest a new one', async () => {
    const phone = await openIphone()
    const refused = await createApp(phone.knownKey()).open(linkFor())
    expect(await statusAndCode(refused)).toEqual([403, 'unknown_attestation_key'])
    expect(await events()).toEqual([])
  })

  it('by a key of the other environment is not known', async () => {
    const phone = await openIphone()
    await createApp(phone.newKey).play(linkFor())
    await fixture.db.em
      .fork()
      .nativeUpdate(AppAttestKey, { keyId: phone.keyIdHex }, { environment: 'development' })
    const refused = await createApp(phone.knownKey()).open(linkFor())
    expect(await statusAndCode(refused)).toEqual([403, 'unknown_attestation_key'])
  })

  it('that was made for another challenge is refused', async () => {
    const phone = await openIphone()
    for (const attest of [phone.newKey, android]) {
      const other: Attest = () => attest(Buffer.alloc(32))
      const refused = await createApp(other).open(linkFor())
      expect(await statusAndCode(refused)).toEqual([403, 'attestation_refused'])
    }
    expect(await events()).toMatchObject([
      { details: { kind: 'app-attest', reason: 'nonce' } },
      { details: { kind: 'play-integrity', reason: 'nonce' } },
    ])
  })
})

describe('a request', () => {
  it.each<[string, unknown, string]>([
    ['without a link', {}, 'invalid_request'],
    ['that is no object', 'x', 'invalid_request'],
    ['with an unknown field', { link: '', x: 1 }, 'invalid_request'],
    ['with an address instead of the link', { link: 'https://play.example/' }, 'invalid_link'],
    ['with the link of no account', { link: 'service://play/f1/MQ==/' }, 'invalid_link'],
  ])('for a challenge %s is refused', async (_name, body, code) => {
    const response = await fixture.ask(paths.appChallenges, { method: 'POST', body })
    expect(await statusAndCode(response)).toEqual([400, code])
  })

  it('for a session with something else than an attestation is refused', async () => {
    const link = linkFor()
    const challenge = await createApp().challengeFor(link)
    for (const attestation of [
      {},
      { kind: 'none' },
      { kind: 'app-attest', key_id: 'x', assertion: 'AAAA' },
      { kind: 'play-integrity', token: 'x'.repeat(12_001) },
    ]) {
      const response = await createApp(() => attestation).redeem(link, challenge)
      expect(await statusAndCode(response)).toEqual([400, 'invalid_request'])
    }
  })

  it('of more than 16 KiB is refused', async () => {
    for (const path of [paths.appChallenges, paths.appSessions]) {
      const response = await createApp().post(path, { link: 'x'.repeat(16_384) })
      expect(await statusAndCode(response)).toEqual([413, 'payload_too_large'])
    }
  })

  it('leaves neither link nor challenge nor statement in the log', async () => {
    const link = linkFor()
    const challenge = await createApp().challengeFor(link)
    const phone = await openIphone()
    await createApp(phone.newKey).redeem(link, challenge)
    await createApp(() => ({ kind: 'play-integrity', token: 'a.secret.token' })).redeem(
      link,
      challenge,
    )
    for (const secret of [link, challenge, 'secret.token', fixture.signingSecret])
      expect(fixture.logged()).not.toContain(secret)
  })
})
