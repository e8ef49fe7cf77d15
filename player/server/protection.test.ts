import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Plan } from '../../db/entities/account.ts'
import { ContentKey, Video } from '../../db/entities/video.ts'
import type { Protection } from '../../domain/accounts/plan.ts'
import { DRM_SYSTEM_IDS, type DrmSystem } from '../../domain/drm/drm-system.ts'
import { ownSignalling } from '../../drm/own-signalling.ts'
import { openPlayerFixture, type PlayerFixture } from '../../test/fixtures/player.ts'

const CLEARKEY_SYSTEM = 'e2719d58-a985-b3c9-781a-b030af78d30e'
const { fairplay } = DRM_SYSTEM_IDS
const SYSTEMS = ownSignalling(Buffer.alloc(16, 1), Buffer.alloc(16, 2))
/** Key rows that were stored before signalling was complete. */
const OLD_SYSTEMS = SYSTEMS.map(({ hlsMedia: _media, hlsMaster: _master, ...system }) => system)

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture()
})
afterAll(() => fixture.close())
beforeEach(() => protect('multi-drm', SYSTEMS))

/** Sets the video's protection and the signalling of its key row. */
async function protect(protection: Protection, systems: DrmSystem[]): Promise<void> {
  const em = fixture.db.em.fork()
  await em.nativeUpdate(Video, fixture.videoId, { protection })
  await em.nativeUpdate(ContentKey, { videoId: fixture.videoId }, { systems })
}

const openSession = async () => (await fixture.openPage()).session
const media = async (name: string) =>
  fixture.ask(`/media/${fixture.videoId}/${name}`, { session: await openSession() })

describe('a Multi-DRM video', () => {
  it('has a DASH manifest with cbcs and its DRM systems, without ClearKey', async () => {
    const mpd = await (await media('manifest.mpd')).text()
    expect(mpd).toContain('value="cbcs"')
    for (const { psshBase64 } of SYSTEMS)
      if (psshBase64 !== undefined) expect(mpd).toContain(`<cenc:pssh>${psshBase64}</cenc:pssh>`)
    expect(mpd).toContain(`<mspr:pro>${SYSTEMS[1]?.proBase64}</mspr:pro>`)
    expect(mpd).toContain(`urn:uuid:${fairplay}`)
    expect(mpd).not.toContain(CLEARKEY_SYSTEM)
  })

  it('has HLS playlists with the key of each DRM system, without a ClearKey licence', async () => {
    const playlist = await (await media('360p.m3u8')).text()
    expect(playlist.match(/#EXT-X-KEY:METHOD=SAMPLE-AES,/g)).toHaveLength(3)
    const { uri } = SYSTEMS[2]?.hlsMedia ?? {}
    expect(playlist).toContain(`URI="${uri}",KEYFORMAT="com.apple.streamingkeydelivery"`)
    expect(playlist).not.toMatch(/licence|identity/)
  })

  it('has the HDCP level of the plan’s licence policy in its master playlist', async () => {
    const { accountId, db } = fixture
    await db.em
      .fork()
      .nativeUpdate(ContentKey, { videoId: fixture.videoId }, { trackTypes: ['SD', 'HD'] })
    const levels: (string | undefined)[] = []
    for (const outputProtection of ['required', 'none'] as const) {
      await db.em.fork().nativeUpdate(Plan, { accountId }, { outputProtection })
      const master = await (await media('master.m3u8')).text()
      expect(master.match(/#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,/g)).toHaveLength(3)
      levels.push(/HDCP-LEVEL=([^,]*)/.exec(master)?.[1])
    }
    await db.em
      .fork()
      .nativeUpdate(ContentKey, { videoId: fixture.videoId }, { trackTypes: ['SD'] })
    expect(levels).toEqual(['TYPE-0', 'NONE'])
  })

  it.each([
    ['without any signalling', []],
    ['from before signalling was complete', OLD_SYSTEMS],
  ])('has neither kind of manifest with key rows %s', async (_title, systems) => {
    await protect('multi-drm', systems)
    for (const name of ['manifest.mpd', 'master.m3u8', '360p.m3u8']) {
      const response = await media(name)
      expect(response.status).toBe(500)
      expect(await response.text()).toContain('"code":"drm_signalling_missing"')
    }
  })

  it.each([
    ['with DRM signalling', SYSTEMS],
    ['without any', []],
  ])('never returns a ClearKey key, with key rows %s', async (_title, systems) => {
    await protect('multi-drm', systems)
    const session = await openSession()
    const body = { kids: [fixture.keyId.toString('base64url')] }
    const responses = [
      await fixture.ask('/licence/clearkey', { method: 'POST', session, body }),
      await fixture.ask(`/licence/clearkey/${fixture.keyId.toString('hex')}`, { session }),
    ]
    for (const reply of responses) {
      expect(reply.status).toBe(403)
      expect(await reply.json()).toMatchObject({ error: { code: 'clearkey_not_allowed' } })
    }
  })

  it('has no licences and no certificates if the operator has configured no provider', async () => {
    const session = await openSession()
    const licence = await fixture.ask('/licences/widevine', { method: 'POST', session, body: 'x' })
    expect(licence.status).toBe(503)
    expect(await licence.json()).toMatchObject({ error: { code: 'drm_unavailable' } })
    const certificate = await fixture.ask('/licences/fairplay/certificate', { session })
    expect(await certificate.json()).toMatchObject({ error: { code: 'no_certificate' } })
  })

  it('has an embed page without a ClearKey licence address', async () => {
    expect(await fixture.openPage()).toMatchObject({ licenceUrl: null })
  })
})

describe('a ClearKey video', () => {
  it('uses cenc and gets its key even if its key row has signalling', async () => {
    await protect('clearkey', SYSTEMS)
    const { session, licenceUrl } = await fixture.openPage()
    const mpd = await (await media('manifest.mpd')).text()
    expect(mpd).toContain('value="cenc"')
    expect(mpd).toContain(CLEARKEY_SYSTEM)
    expect(await (await media('360p.m3u8')).text()).toContain('METHOD=SAMPLE-AES-CTR')
    const body = { kids: [fixture.keyId.toString('base64url')] }
    const licence = await fixture.ask(licenceUrl ?? '', { method: 'POST', session, body })
    expect(await licence.json()).toMatchObject({
      keys: [{ k: fixture.contentKey.toString('base64url') }],
    })
  })
})
