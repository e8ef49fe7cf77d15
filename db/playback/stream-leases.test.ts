import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  noteIncident,
  noteSessionEvent,
  OVER_LIMIT,
} from '../../commands/security-events/note-session-event.ts'
import { endPlayback } from '../../commands/viewers/end-playback.ts'
import { STREAM_LEASE_MS } from '../../domain/playback/concurrent-plays.ts'
import type { PlaybackSession as SessionClaims } from '../../domain/playback/playback-session.ts'
import {
  DEFAULT_PLAYER_SETTINGS,
  type PlayerSettings,
} from '../../domain/settings/player-settings.ts'
import { dashboardViewerId } from '../../domain/settings/preview-look.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { insertMembersFixture } from '../../test/fixtures/members.ts'
import { insertPublishedVideo } from '../../test/fixtures/published-video.ts'
import { recordHeartbeat } from '../../test/fixtures/record-heartbeat.ts'
import { runs } from '../../test/infrastructure/every-case.ts'
import { createTestDatabase, type TestDatabase } from '../../test/infrastructure/services.ts'
import { openDatabase, type Database } from '../database.ts'
import { Account, StreamLease } from '../entities/account.ts'
import { PlaybackSession } from '../entities/event.ts'
import { findSessionEnd } from './playback-sessions.ts'
import { listPlayingSessions } from './playing-sessions.ts'
import { grantKeys } from './write-playback-sessions.ts'
import { deleteExpiredLeases, giveUpLease } from './write-stream-leases.ts'

let testDatabase: TestDatabase
/** The connections of two processes. */
let databases: [Database, Database]
let video: Awaited<ReturnType<typeof insertPublishedVideo>>

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const { url } = testDatabase
  databases = await Promise.all([
    openDatabase({ url, poolSize: 6 }),
    openDatabase({ url, poolSize: 6 }),
  ])
  const secrets = {
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    signingSecret: randomBytes(32).toString('hex'),
  }
  video = await insertPublishedVideo(databases[0], secrets, { title: 'lesson', durationMs: 60_000 })
})
afterAll(async () => {
  await Promise.all(databases.map((db) => db.close(true)))
  await testDatabase.drop()
})
beforeEach(async () => {
  await em().nativeDelete(StreamLease, {})
  await em().nativeDelete(PlaybackSession, {})
})

const em = () => databases[0].em.fork()
const limitPlays = (concurrent_plays: PlayerSettings['concurrent_plays']) =>
  em().nativeUpdate(Account, video.accountId, {
    settings: { ...DEFAULT_PLAYER_SETTINGS, concurrent_plays },
  })

const STARTED_MS = Date.now() - 3_600_000
/** A session whose page was sent `at` seconds after the first one. */
const sessionAt = (at: number, viewerId: string | null = 'ann'): SessionClaims => ({
  sessionId: randomUUID(),
  videoId: video.videoId,
  accountId: video.accountId,
  viewerId,
  secretVersion: 1,
  refererHost: 'site.example',
  startedAtMs: STARTED_MS + at * 1000,
})
const sessionsOf = (count: number) => Array.from({ length: count }, (_, at) => sessionAt(at))

const hasKey = async (session: SessionClaims, at = 0): Promise<boolean> => {
  const keys = [video.keyId.toString('hex')]
  return (await grantKeys(databases[at] ?? databases[0], session, 'test', keys)) !== null
}
const NOTHING = { positionMs: null, watchedMs: null, bytesLoaded: null }
const beats = async (session: SessionClaims, at = 0, isLeaving = false): Promise<boolean> => {
  const db = databases[at] ?? databases[0]
  return (await recordHeartbeat(db, session, 'test', { ...NOTHING, isLeaving })) !== null
}
const leased = async (viewerId = 'ann'): Promise<string[]> => {
  const row = await em().findOne(StreamLease, { accountId: video.accountId, viewerId })
  return (row?.leases ?? []).map(({ session }) => session)
}
const playing = async (): Promise<string[]> => {
  const { rows } = await listPlayingSessions(em(), video.accountId, {}, 10)
  return rows.map(({ id }) => id).toSorted()
}
const TAMPERED = { kind: 'watermark_tampered', how: 'hidden', stopped: true } as const
const idsOf = (sessions: readonly SessionClaims[]) =>
  sessions.map(({ sessionId }) => sessionId).toSorted()
/** Makes every lease, or those of these sessions, older. */
const age = (ms: number, sessions: readonly SessionClaims[] | null = null) =>
  em().execute(
    `update stream_lease set renewed_at = renewed_at - ?::int * interval '1 ms',
       leases = (select coalesce(jsonb_agg(case when ? or e->>'session' = any(?::text[])
         then jsonb_set(e, '{renewed}', to_jsonb((e->>'renewed')::float8 - ?)) else e end), '[]')
       from jsonb_array_elements(leases) e)`,
    [ms, sessions === null, `{${idsOf(sessions ?? []).join(',')}}`, ms],
  )

describe('without a limit', () => {
  it('every session gets its keys, and no lease is written', async () => {
    await limitPlays({ limit: null, winner: 'newest' })
    for (const session of sessionsOf(5)) {
      expect(await hasKey(session)).toBe(true)
      expect(await beats(session)).toBe(true)
    }
    expect(await em().count(StreamLease)).toBe(0)
  })
})

describe('with a limit of two', () => {
  it('the newest pages play, and the others end at their next heartbeat', async () => {
    await limitPlays({ limit: 2, winner: 'newest' })
    const [first, second, third] = [sessionAt(1), sessionAt(2), sessionAt(3)]
    for (const session of [first, second, third]) expect(await hasKey(session)).toBe(true)
    expect(await beats(first)).toBe(false)
    expect(await findSessionEnd(em(), first)).toBe('too_many_streams')
    expect(await hasKey(first)).toBe(false)
    expect([await beats(second), await beats(third)]).toEqual([true, true])
    expect((await leased()).toSorted()).toEqual(idsOf([second, third]))
  })

  it('the oldest plays go on, whenever their pages were loaded', async () => {
    await limitPlays({ limit: 2, winner: 'oldest' })
    const [late, later, early] = [sessionAt(2), sessionAt(3), sessionAt(1)]
    expect([await hasKey(late), await hasKey(later)]).toEqual([true, true])
    expect(await hasKey(early)).toBe(false)
    expect(await findSessionEnd(em(), early)).toBe('too_many_streams')
    expect(await beats(late, 0, true)).toBe(true)
    expect(await hasKey(early)).toBe(true)
  })

  it('a refused session changes nothing of its row', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    const [plays, refused] = [sessionAt(1), sessionAt(2)]
    await hasKey(plays)
    expect([await hasKey(refused), await beats(refused)]).toEqual([false, false])
    expect(await em().find(PlaybackSession, {})).toMatchObject([{ id: plays.sessionId }])
  })

  it('a lease ends when heartbeats stop, and one heartbeat late does not end it', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    const [gone, waiting] = [sessionAt(1), sessionAt(2)]
    await hasKey(gone)
    await age(STREAM_LEASE_MS - 10_000)
    expect(await hasKey(waiting)).toBe(false)
    await age(20_000)
    expect(await hasKey(waiting)).toBe(true)
    expect(await beats(gone)).toBe(false)
  })

  it('a heartbeat renews one lease and lets the others of the viewer expire', async () => {
    await limitPlays({ limit: 2, winner: 'oldest' })
    const [beating, silent, waiting] = [sessionAt(1), sessionAt(2), sessionAt(3)]
    await hasKey(beating)
    await hasKey(silent)
    await age(STREAM_LEASE_MS - 1000)
    expect(await beats(beating)).toBe(true)
    await age(2000)
    expect(await hasKey(waiting)).toBe(true)
    expect((await leased()).toSorted()).toEqual(idsOf([beating, waiting]))
  })

  it('a lower limit counts from the next request on', async () => {
    await limitPlays({ limit: 3, winner: 'newest' })
    const sessions = sessionsOf(3)
    for (const session of sessions) await hasKey(session)
    await limitPlays({ limit: 1, winner: 'newest' })
    expect(await beats(sessions[0] ?? sessionAt(0))).toBe(false)
    expect(await leased()).toEqual(idsOf(sessions.slice(2)))
  })

  it('each viewer has an own limit, and viewers without a token have none', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    for (const viewerId of ['ann', 'eve']) expect(await hasKey(sessionAt(1, viewerId))).toBe(true)
    for (let count = 0; count < 3; count += 1)
      expect(await hasKey(sessionAt(count, null))).toBe(true)
    expect(await hasKey(sessionAt(2, 'eve'))).toBe(false)
  })

  it('members who watch in the dashboard have none', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    const [memberId = 0] = await insertMembersFixture(databases[0], video.accountId, 1)
    for (let count = 0; count < 3; count += 1) {
      const preview = { ...sessionAt(count, dashboardViewerId(memberId)), isMember: true }
      expect([await hasKey(preview), await beats(preview)]).toEqual([true, true])
      expect(await findSessionEnd(em(), preview)).toBe(null)
    }
    expect(await em().count(StreamLease)).toBe(0)
  })

  it('a site’s own viewer whose id looks like that of a member has one', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    const [first, second] = [sessionAt(1, dashboardViewerId(7)), sessionAt(2, dashboardViewerId(7))]
    expect([await hasKey(first), await hasKey(second), await beats(second)]).toEqual([
      true,
      false,
      false,
    ])
    expect(await findSessionEnd(em(), second)).toBe('too_many_streams')
  })

  it('a session over the limit is not among those that play, until it plays', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    const [plays, waits] = [sessionAt(1), sessionAt(2)]
    await hasKey(plays)
    await noteSessionEvent(em(), waits, 'test', OVER_LIMIT)
    expect(await playing()).toEqual(idsOf([plays]))
    await beats(plays, 0, true)
    await beats(waits)
    expect(await playing()).toContain(waits.sessionId)
    await limitPlays({ limit: null, winner: 'oldest' })
    expect(await playing()).toEqual(idsOf([plays, waits]))
  })

  it('a session that was ended gives its lease up and takes none', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    const [ended, next] = [sessionAt(1), sessionAt(2)]
    await hasKey(ended)
    await endPlayback(em(), video.accountId, ended.sessionId)
    expect(await hasKey(ended)).toBe(false)
    expect(await findSessionEnd(em(), ended)).toBe('session_ended')
    expect(await hasKey(next)).toBe(true)
  })

  it('a lease can be given up twice', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    const session = sessionAt(1)
    await hasKey(session)
    for (let count = 0; count < 2; count += 1) await giveUpLease(em(), session)
    expect(await leased()).toEqual([])
  })

  it('rows without a live lease are deleted, others are kept', async () => {
    await limitPlays({ limit: 1, winner: 'oldest' })
    await hasKey(sessionAt(1))
    await deleteExpiredLeases(em())
    expect(await leased()).toHaveLength(1)
    await age(2 * STREAM_LEASE_MS + 1000)
    await deleteExpiredLeases(em())
    expect(await em().count(StreamLease)).toBe(0)
  })
})

describe('60 sessions of one viewer at the same time', () => {
  it.each(['newest', 'oldest'] as const)(
    'have at most two leases at every moment, and the %s win',
    async (winner) => {
      await limitPlays({ limit: 2, winner })
      const sessions = sessionsOf(60)
      const shuffled = sessions.toSorted((a, b) => a.sessionId.localeCompare(b.sessionId))
      let most = 0
      const watch = async () => {
        most = Math.max(most, (await leased()).length)
      }
      const granted = await Promise.all(
        shuffled.map(async (session, at) => {
          const isGranted = await hasKey(session, at % 2)
          await watch()
          return isGranted ? session : null
        }),
      )
      expect(most).toBe(2)
      const playing = (
        await Promise.all(
          shuffled.map(async (session, at) => ((await beats(session, at % 2)) ? session : null)),
        )
      ).flatMap((session) => session ?? [])
      expect((await leased()).toSorted()).toEqual(idsOf(playing))
      expect(playing).toHaveLength(2)
      const winners = winner === 'newest' ? sessions.slice(-2) : granted.flatMap((one) => one ?? [])
      expect(idsOf(playing)).toEqual(idsOf(winners))
    },
  )

  it('never have more leases than the limit, whatever they do in which order', async () => {
    const act = fc.record({
      session: fc.nat(7),
      process: fc.nat(1),
      what: fc.constantFrom('key', 'beat', 'leave', 'expire', 'stop'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('newest' as const, 'oldest' as const),
        fc.array(fc.array(act, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        async (limit, winner, rounds) => {
          await em().nativeDelete(StreamLease, {})
          await limitPlays({ limit, winner })
          const sessions = sessionsOf(8)
          for (const round of rounds) {
            await Promise.all(
              round.map(async ({ session: at, process, what }) => {
                const session = sessions[at] ?? sessionAt(at)
                if (what === 'key') await hasKey(session, process)
                else if (what === 'expire') await age(STREAM_LEASE_MS + 1, [session])
                else if (what === 'stop')
                  await em().transactional((tx) => noteIncident(tx, session, 'test', TAMPERED))
                else await beats(session, process, what === 'leave')
              }),
            )
            const ids = await leased()
            expect(ids.length).toBeLessThanOrEqual(limit)
            expect(new Set(ids).size).toBe(ids.length)
          }
        },
      ),
      runs(10, 100),
    )
  })
})
