import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../db/database.ts'
import { Account, RevokedViewer, StreamLease } from '../../db/entities/account.ts'
import { PlaybackSession } from '../../db/entities/event.ts'
import { Video } from '../../db/entities/video.ts'
import { endSession } from '../../db/playback/write-playback-sessions.ts'
import type { PlaybackSession as SessionClaims } from '../../domain/playback/playback-session.ts'
import {
  DEFAULT_PLAYER_SETTINGS,
  type PlayerSettings,
} from '../../domain/settings/player-settings.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openHeartbeats, type Heartbeats } from './heartbeats.ts'

let testDatabase: TestDatabase
/** The connections and batches of two processes. */
let databases: Database[]
let processes: Heartbeats[]
/** Two videos of two accounts. */
let videos: Awaited<ReturnType<typeof insertPublishedVideo>>[]

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const open = () => openDatabase({ url: testDatabase.url, poolSize: 4 })
  databases = [await open(), await open()]
  processes = databases.map(openHeartbeats)
  const secrets = {
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    signingSecret: randomBytes(32).toString('hex'),
  }
  const insert = (title: string) =>
    insertPublishedVideo(databases[0] as Database, secrets, { title, durationMs: 60_000 })
  videos = [await insert('one'), await insert('other')]
})
afterAll(async () => {
  await Promise.all((databases ?? []).map((db) => db.close(true)))
  await testDatabase?.drop()
})
beforeEach(async () => {
  await em().execute('truncate stream_lease, playback_record, revoked_viewer')
  await em().nativeUpdate(Video, {}, { status: 'ready' })
  await configure(0, {})
  await configure(1, {})
})

const em = () => (databases[0] as Database).em.fork()
const configure = (at: number, settings: Partial<PlayerSettings>) =>
  em().nativeUpdate(
    Account,
    { id: videos[at]?.accountId ?? 0 },
    { settings: { ...DEFAULT_PLAYER_SETTINGS, ...settings } },
  )
const limitPlays = (at: number, limit: number) =>
  configure(at, { concurrent_plays: { limit, winner: 'oldest' } })

const sessionOf = (at: number, change: Partial<SessionClaims> = {}): SessionClaims => ({
  sessionId: randomUUID(),
  videoId: videos[at]?.videoId ?? '',
  accountId: videos[at]?.accountId ?? 0,
  viewerId: 'ann',
  secretVersion: 1,
  refererHost: 'site.example',
  startedAtMs: Date.now() - 60_000,
  ...change,
})
const beat = (session: SessionClaims, more: object = {}, process = 0) =>
  (processes[process] as Heartbeats).record(session, 'test', {
    positionMs: 1_000,
    watchedMs: null,
    bytesLoaded: null,
    ...more,
  })
const recorded = async () => (await em().find(PlaybackSession, {})).map(({ id }) => id).toSorted()
/** How many transactions have written the rows. */
const transactions = async (): Promise<number> => {
  const rows = await em().execute('select distinct xmin::text from playback_record')
  return rows.length
}

describe('heartbeats of the same moment', () => {
  it('share a transaction, and each gets the facts of its own video and account', async () => {
    await configure(1, { blocked_domains: ['other.example'] })
    await em().nativeUpdate(Video, { id: videos[1]?.videoId ?? '' }, { status: 'playable' })
    const sessions = Array.from({ length: 60 }, (_, at) => sessionOf(at % 2, { viewerId: null }))
    const responses = await Promise.all(sessions.map((session) => beat(session)))
    expect(await transactions()).toBe(1)
    for (const [at, response] of responses.entries())
      expect(response).toMatchObject(
        at % 2 === 0
          ? { status: 'ready', renditions: 1, settings: { blocked_domains: [] } }
          : { status: 'playable', renditions: 1, settings: { blocked_domains: ['other.example'] } },
      )
    expect(await recorded()).toEqual(sessions.map(({ sessionId }) => sessionId).toSorted())
  })

  it('of the same session are both recorded, and totals never decrease', async () => {
    const session = sessionOf(0)
    const reports = [{ watchedMs: 9_000, positionMs: 2_000 }, { watchedMs: 8_000 }]
    await Promise.all(reports.map((report) => beat(session, report)))
    expect(await em().find(PlaybackSession, {})).toMatchObject([
      { positionMs: 1_000, watchedMs: 9_000 },
    ])
  })

  it('are refused for those that may not continue, and recorded for the others', async () => {
    await em().insert(RevokedViewer, { accountId: videos[0]?.accountId ?? 0, viewerId: 'eve' })
    const ended = sessionOf(0)
    await beat(ended)
    await endSession(em(), ended.sessionId)
    const good = [sessionOf(0), sessionOf(1, { viewerId: 'eve' })]
    const bad = [
      sessionOf(0, { viewerId: 'eve' }),
      sessionOf(0, { secretVersion: 2 }),
      sessionOf(0, { videoId: videos[1]?.videoId ?? '' }),
      sessionOf(0, { startedAtMs: Date.now() - 86_500_000 }),
      sessionOf(0, { isMember: true }),
      ended,
    ]
    const responses = await Promise.all([...good, ...bad].map((session) => beat(session)))
    expect(responses.map((response) => response !== null)).toEqual([
      ...good.map(() => true),
      ...bad.map(() => false),
    ])
  })

  it('fail alone if PostgreSQL refuses the value of one', async () => {
    const sessions = [sessionOf(0), sessionOf(0, { sessionId: 'no uuid' }), sessionOf(1)]
    const responses = await Promise.allSettled(sessions.map((session) => beat(session)))
    expect(responses.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('of two processes for the same sessions never wait for each other in a circle', async () => {
    await limitPlays(0, 20)
    const sessions = Array.from({ length: 40 }, (_, at) =>
      sessionOf(at % 2, { viewerId: `viewer ${at % 7}` }),
    )
    for (let round = 0; round < 10; round += 1) {
      const order = sessions.toSorted(() => Math.random() - 0.5)
      const both = order.flatMap((session) => [beat(session, {}, 0), beat(session, {}, 1)])
      expect((await Promise.all(both)).every((response) => response !== null)).toBe(true)
    }
  })
})

describe('with one place for a viewer', () => {
  it.each([
    ['the same batch', [0, 0]],
    ['two processes', [0, 1]],
  ])('one of two devices plays, in %s', async (_, [one = 0, other = 0]) => {
    await limitPlays(0, 1)
    for (let round = 0; round < 10; round += 1) {
      await em().nativeDelete(StreamLease, {})
      const sessions = [sessionOf(0), sessionOf(0), sessionOf(0, { viewerId: null })]
      const responses = await Promise.all(
        sessions.map((session, at) => beat(session, {}, [one, other, one][at])),
      )
      expect(responses.filter((response) => response !== null)).toHaveLength(2)
      expect(responses[2]).not.toBeNull()
      const [row, ...others] = await em().find(StreamLease, {})
      expect([row?.leases.length, others]).toEqual([1, []])
    }
  })

  it('a device that leaves gives its place to one that asks in the same moment', async () => {
    await limitPlays(0, 1)
    const [first, second] = [sessionOf(0), sessionOf(0)]
    await beat(first)
    expect(await beat(second)).toBeNull()
    const responses = await Promise.all([beat(first, { isLeaving: true }), beat(second)])
    expect(responses.every((response) => response !== null)).toBe(true)
  })
})

describe('a viewer who waits for a video', () => {
  it('has no row and no lease, and still hears that the session may not continue', async () => {
    await limitPlays(0, 1)
    await em().nativeUpdate(Video, {}, { status: 'processing' })
    const [plays, waits] = [sessionOf(0), sessionOf(0)]
    await beat(plays)
    for (const more of [{}, { isLeaving: true }])
      expect(await beat(waits, { isWaiting: true, ...more })).toMatchObject({
        status: 'processing',
      })
    expect(await recorded()).toEqual([plays.sessionId])
    await em().insert(RevokedViewer, { accountId: videos[0]?.accountId ?? 0, viewerId: 'ann' })
    expect(await beat(waits, { isWaiting: true })).toBeNull()
  })

  it('needs a place once the video plays, or the session has got a key, whatever the player says', async () => {
    await limitPlays(0, 1)
    const [plays, other] = [sessionOf(0), sessionOf(0)]
    await beat(plays)
    expect(await beat(other, { isWaiting: true })).toBeNull()
    await em().nativeUpdate(Video, {}, { status: 'processing' })
    await em().nativeUpdate(StreamLease, {}, { leases: [] })
    await beat(other)
    expect(await beat(plays, { isWaiting: true })).toBeNull()
  })
})
