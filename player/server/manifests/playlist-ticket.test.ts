import { randomBytes, randomUUID } from 'node:crypto'
import HLS from 'hls-parser'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeViewer } from '../../../commands/viewers/revoke-viewer.ts'
import { Account, StreamLease } from '../../../db/entities/account.ts'
import { ContentKey, Video } from '../../../db/entities/video.ts'
import { endSession } from '../../../db/playback/write-playback-sessions.ts'
import type { FairplayDelivery } from '../../../domain/drm/fairplay-delivery.ts'
import { openLicences } from '../../../drm/licences/open-licences.ts'
import { ownSignalling } from '../../../drm/own-signalling.ts'
import { createEgress } from '../../../egress/egress.ts'
import { parseMasterKeys, sealTicket } from '../../../security/sealing/sealing.ts'
import { sealPlaylistTicket } from '../../../security/tokens/playlist-ticket.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../../test/fixtures/playback-sessions.ts'
import { paths } from '../paths.ts'
import { SESSION_HEADER } from '../session.ts'
import { signedMasterPath } from './playlist-ticket.ts'

const SYSTEMS = ownSignalling(Buffer.alloc(16, 1), Buffer.alloc(16, 2))
const MINUTE_MS = 60_000
let fixture: SessionFixture

beforeAll(async () => {
  fixture = await openSessionFixture()
  const em = fixture.db.em.fork()
  await em.nativeUpdate(ContentKey, { videoId: fixture.videoId }, { systems: SYSTEMS })
  await fixture.setVideo({ protection: 'multi-drm' })
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  await fixture.reset()
  await fixture.db.em.fork().nativeDelete(StreamLease, {})
  await fixture.configure({})
})

const openSession = async () => (await fixture.openPage({ vt: fixture.vtFor('ann') })).session
const masterOf = (session: string): string => signedMasterPath(fixture.masterKeys, session)
const get = (path: string): Promise<Response> => fetch(fixture.base + path)
const responseTo = async (session: string) => statusAndCode(await get(masterOf(session)))
const OPEN = [200, undefined]
const REQUIRED = [403, 'session_required']
/** `statusAndCode` for playlists, which are no JSON. */
const statusOf = async (session: string): Promise<(number | string | undefined)[]> => {
  const response = await get(masterOf(session))
  return response.ok ? OPEN : statusAndCode(response)
}

describe('the playlists of a session', () => {
  it('are read without a header by another reader, from the master to the segments', async () => {
    HLS.setOptions({ strictMode: true })
    const session = await openSession()
    const url = new URL(masterOf(session), fixture.base)
    const master = HLS.parse(await (await fetch(url)).text())
    if (!(master instanceof HLS.types.MasterPlaylist)) throw new Error('this is no master playlist')
    const [variant] = master.variants
    const media = new URL(variant?.uri ?? '', url)
    expect(media.pathname).toMatch(/^\/hls\/[^/]+\/360p\.m3u8$/)
    const playlist = HLS.parse(await (await fetch(media)).text())
    if (!(playlist instanceof HLS.types.MediaPlaylist)) throw new Error('this is no media playlist')
    expect(playlist.segments[0]?.uri).toBe(
      `https://cdn.example${paths.rendition(fixture.videoId, '360p')}/1.m4s`,
    )
    expect(master.sessionKeyList.map(({ uri }) => uri)).toContain(SYSTEMS[2]?.hlsMaster?.uri)
  })

  it('are those of the addresses that need the header, with the same headers', async () => {
    const session = await openSession()
    const folder = masterOf(session).replace('master.m3u8', '')
    for (const file of ['master.m3u8', '360p.m3u8']) {
      const signed = await get(folder + file)
      const ordinary = await fixture.ask(`/media/${fixture.videoId}/${file}`, { session })
      expect(await signed.text()).toBe(await ordinary.text())
      for (const name of ['cache-control', 'content-type', 'x-content-type-options'])
        expect(signed.headers.get(name)).toBe(ordinary.headers.get(name))
      expect(signed.headers.get('cache-control')).toBe('private, no-store')
    }
    expect(await statusAndCode(await get(`${folder}999p.m3u8`))).toEqual([
      404,
      'rendition_not_found',
    ])
  })

  it('are never in the log with their ticket', async () => {
    const path = masterOf(await openSession())
    await get(path)
    await get(path.replace('master', 'x'))
    const [, , ticket = ''] = path.split('/')
    expect(fixture.logged()).toContain('/hls/:ticket/master.m3u8')
    expect(fixture.logged()).not.toContain(ticket.slice(3, 40))
    expect(fixture.logged()).not.toContain(ticket.slice(-40))
  })
})

describe('a ticket', () => {
  it('that is not genuine is refused', async () => {
    const session = await openSession()
    const other = parseMasterKeys(randomBytes(32).toString('hex'))
    const genuine = sealPlaylistTicket(fixture.masterKeys, session)
    const forged = [
      session,
      'x',
      'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      sealPlaylistTicket(other, session),
      sealTicket(fixture.masterKeys, session, 'frame-ticket'),
      sealPlaylistTicket(fixture.masterKeys, `${session}x`),
      sealPlaylistTicket(fixture.masterKeys, 'text'),
      `${genuine.slice(0, -1)}${genuine.endsWith('A') ? 'B' : 'A'}`,
      genuine + 'A'.repeat(2000),
      '%00',
      '..%2f..',
    ]
    for (const ticket of forged)
      expect(await statusAndCode(await get(paths.signedHlsMaster(ticket)))).toEqual(REQUIRED)
  })

  it('opens nothing but playlists', async () => {
    const ticket = sealPlaylistTicket(fixture.masterKeys, await openSession())
    for (const path of [paths.hlsMaster(fixture.videoId), paths.extras]) {
      const response = await fetch(fixture.base + path, { headers: { [SESSION_HEADER]: ticket } })
      expect(await statusAndCode(response)).toEqual(REQUIRED)
    }
  })

  it('shows neither its session token nor the viewer', async () => {
    const session = await openSession()
    const ticket = Buffer.from(sealPlaylistTicket(fixture.masterKeys, session), 'base64url')
    expect(ticket.toString('latin1')).not.toContain(session.slice(0, 20))
    expect(ticket.toString('latin1')).not.toContain('ann')
  })

  it('is valid for five minutes, and from then on while heartbeats renew the session', async () => {
    const session = await openSession()
    const old = fixture.resign(session, {}, Date.now() - 5 * MINUTE_MS)
    expect(await statusOf(session)).toEqual(OPEN)
    expect(await responseTo(old)).toEqual(REQUIRED)
    expect((await fixture.beat(session)).status).toBe(200)
    expect(await statusOf(old)).toEqual(OPEN)
    await fixture.db.em
      .fork()
      .execute(`update playback_record set last_seen_at = now() - interval '301 seconds'`)
    expect(await responseTo(old)).toEqual(REQUIRED)
  })

  it('is over after a day, however fresh the session is', async () => {
    const startedAtMs = Date.now() - 24 * 60 * MINUTE_MS
    const session = fixture.resign(await openSession(), { startedAtMs })
    expect(await responseTo(session)).toEqual([403, 'session_ended'])
  })

  it.each<[string, (session: string) => Promise<unknown>]>([
    ['viewer_revoked', () => revokeViewer(fixture.db.em.fork(), fixture.accountId, 'ann')],
    [
      'secret_rotated',
      () =>
        fixture.db.em.fork().nativeUpdate(Account, fixture.accountId, { signingSecretVersion: 2 }),
    ],
    ['video_deleted', () => fixture.setVideo({ deletedAt: new Date() })],
    [
      'session_ended',
      async (session) => {
        await fixture.beat(session)
        await endSession(fixture.db.em.fork(), fixture.claimsOf(session).sessionId)
      },
    ],
  ])('ends at once with its session: %s', async (code, end) => {
    const session = await openSession()
    expect(await statusOf(session)).toEqual(OPEN)
    await end(session)
    expect(await responseTo(session)).toEqual([403, code])
  })

  it('ends for the play that has lost its place, and not for one that begins', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'newest' } })
    const session = await openSession()
    const { startedAtMs } = fixture.claimsOf(session)
    const loser = fixture.resign(session, {
      sessionId: randomUUID(),
      startedAtMs: startedAtMs - 1000,
    })
    expect(await statusOf(loser)).toEqual(OPEN)
    expect((await fixture.beat(loser)).status).toBe(200)
    expect(await statusOf(loser)).toEqual(OPEN)
    expect(await statusOf(session)).toEqual(OPEN)
    expect((await fixture.beat(session)).status).toBe(200)
    expect(await statusOf(session)).toEqual(OPEN)
    expect(await responseTo(loser)).toEqual([403, 'too_many_streams'])
  })

  it('of another video shows that video alone', async () => {
    const session = await openSession()
    const other = fixture.resign(session, { videoId: 'ab'.repeat(10) })
    expect(await responseTo(other)).toEqual([403, 'video_deleted'])
  })
})

describe('the page', () => {
  const openWith = async (fairplayDelivery: FairplayDelivery) => {
    const licences = openLicences({
      egress: createEgress(),
      logger: { warn: () => undefined },
      provider: 'axinom',
      keyModel: 'own',
      fairplayDelivery,
      variables: {
        DRM_FAIRPLAY_URL: 'https://drm.example/fairplay',
        DRM_AXINOM_COM_KEY_ID: randomUUID(),
        DRM_AXINOM_COM_KEY: randomBytes(32).toString('base64'),
      },
    })
    await fixture.restart({ licences })
    const policy = (await fixture.page()).headers.get('content-security-policy') ?? ''
    const { drm } = await fixture.openPage()
    return { url: drm?.fairplayHlsUrl ?? null, media: /media-src [^;]*/.exec(policy)?.[0] }
  }

  it('has the address for Safari only with the delivery over HLS', async () => {
    const { url, media } = await openWith('hls')
    expect((await get(url ?? '')).status).toBe(200)
    expect(media).toBe("media-src 'self' blob: https://cdn.example")
    expect(await openWith('dash')).toEqual({ url: null, media: "media-src 'self' blob:" })
  })

  it('of a ClearKey video is the same with either', async () => {
    await fixture.db.em.fork().nativeUpdate(Video, fixture.videoId, { protection: 'clearkey' })
    for (const delivery of ['hls', 'dash'] as const)
      expect(await openWith(delivery)).toEqual({ url: null, media: "media-src 'self' blob:" })
    await fixture.setVideo({ protection: 'multi-drm' })
  })
})
