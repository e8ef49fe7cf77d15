import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StreamLease } from '../../db/entities/account.ts'
import { SecurityEvent } from '../../db/entities/event.ts'
import { endSession } from '../../db/playback/write-playback-sessions.ts'
import { STREAM_LEASE_MS } from '../../domain/playback/concurrent-plays.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { signMemberToken } from '../../security/tokens/member-token.ts'
import { insertMembersFixture } from '../../test/fixtures/members.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../test/fixtures/playback-sessions.ts'
import { startServerProcess, type ServerProcess } from '../../test/infrastructure/server-process.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { paths } from './paths.ts'
import { SESSION_HEADER } from './session.ts'

let fixture: SessionFixture
let folder: string
let players: [ServerProcess, ServerProcess]

beforeAll(async () => {
  fixture = await openSessionFixture()
  folder = await mkdtemp(join(tmpdir(), 'reelgate-plays-'))
  players = await Promise.all([startPlayer(), startPlayer()])
})
afterAll(async () => {
  await Promise.all((players ?? []).map((player) => player.stop()))
  await fixture?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await fixture.reset()
  const em = fixture.db.em.fork()
  await em.nativeDelete(StreamLease, {})
  await em.nativeDelete(SecurityEvent, {})
})

/** Starts a player process that shares the database of the fixture. */
async function startPlayer(): Promise<ServerProcess> {
  const port = await freePort()
  return startServerProcess({
    script: 'player/server/main.ts',
    baseUrl: `http://127.0.0.1:${port}`,
    env: {
      DATABASE_URL: fixture.databaseUrl,
      MASTER_KEY: fixture.masterKey,
      STORAGE_DIR: folder,
      PLAYER_HOST: '127.0.0.1',
      PLAYER_PORT: String(port),
    },
    logFile: join(folder, `player-${port}.log`),
  })
}

/** Sessions of the viewer `ann`, whose pages were sent one second after another. */
async function openSessions(count: number): Promise<string[]> {
  const { session } = await fixture.openPage({ vt: fixture.vtFor('ann') })
  const { startedAtMs } = fixture.claimsOf(session)
  return Array.from({ length: count }, (_, at) =>
    fixture.resign(session, {
      sessionId: randomUUID(),
      startedAtMs: startedAtMs - (count - at) * 1000,
    }),
  )
}

const post = (player: ServerProcess, path: string, session: string, body: unknown = {}) =>
  fetch(player.baseUrl + path, {
    method: 'POST',
    headers: { [SESSION_HEADER]: session },
    body: JSON.stringify(body),
  })
const kids = () => ({ kids: [fixture.keyId.toString('base64url')] })
const licence = (player: ServerProcess, session: string) =>
  post(player, paths.clearKeyLicence, session, kids())
const idOf = (session: string) => fixture.claimsOf(session).sessionId
const leased = async (): Promise<string[]> => {
  const [row] = await fixture.db.em.fork().find(StreamLease, {})
  return (row?.leases ?? []).map(({ session }) => session).toSorted()
}
const playerAt = (at: number) => players[at % 2 === 0 ? 0 : 1]
const expireLeases = () =>
  fixture.db.em.fork().execute(
    `update stream_lease set leases = (select coalesce(jsonb_agg(jsonb_set(e, '{renewed}',
       to_jsonb((e->>'renewed')::float8 - ?))), '[]') from jsonb_array_elements(leases) e)`,
    [STREAM_LEASE_MS + 1000],
  )

const hasNoOtherStatement = async (): Promise<boolean> => {
  const rows = await fixture.db.em.fork().execute(
    `select 1 from pg_stat_activity where datname = current_database()
       and state = 'active' and pid <> pg_backend_pid()`,
  )
  return rows.length === 0
}

describe('a page that a token opens whose viewer id names a member', () => {
  const areLimited = async (vt: () => string) => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    const responses: number[] = []
    for (const player of players) {
      const { session } = await fixture.openPage({ vt: vt() })
      responses.push((await licence(player, session)).status)
      responses.push((await post(player, paths.heartbeat, session)).status)
    }
    await fixture.configure({})
    return responses
  }

  it('has no limit if the dashboard has signed it', async () => {
    const account = { id: fixture.accountId, sealedSigningSecret: fixture.sealedSigningSecret }
    const [memberId = 0] = await insertMembersFixture(fixture.db, fixture.accountId, 1)
    const vt = () => signMemberToken(fixture.masterKeys, account, memberId).vt
    expect(await areLimited(vt)).toEqual([200, 200, 200, 200])
  })

  it('is limited if the site has signed it', async () => {
    expect(await areLimited(() => fixture.vtFor('dashboard:3'))).toEqual([200, 200, 403, 403])
  })
})

describe('60 sessions of one viewer over two player processes, with a limit of two', () => {
  it.each(['newest', 'oldest'] as const)(
    'never have more than two leases, and the %s win',
    async (winner) => {
      await fixture.configure({ concurrent_plays: { limit: 2, winner } })
      const sessions = await openSessions(60)
      const order = sessions.toSorted((a, b) => idOf(a).localeCompare(idOf(b)))
      const seen: number[] = []
      const responses = await Promise.all(
        order.map(async (session, at) => {
          const [status, code] = await statusAndCode(await licence(playerAt(at), session))
          seen.push((await leased()).length)
          if (status !== 200) expect([status, code]).toEqual([403, 'too_many_streams'])
          return { session, isGranted: status === 200 }
        }),
      )
      expect(Math.max(...seen)).toBe(2)
      const granted = responses.flatMap(({ session, isGranted }) => (isGranted ? [session] : []))
      const winners = winner === 'newest' ? sessions.slice(-2) : granted
      expect(await leased()).toEqual(winners.map(idOf).toSorted())
      // Within one heartbeat, every other session has ended.
      const beats = await Promise.all(
        order.map(async (session, at) => ({
          session,
          code: (await statusAndCode(await post(playerAt(at + 1), paths.heartbeat, session)))[1],
        })),
      )
      for (const { session, code } of beats)
        expect(code).toBe(winners.includes(session) ? undefined : 'too_many_streams')
    },
  )

  it('lose nothing and block nothing when a process is killed among their requests', async () => {
    await fixture.configure({ concurrent_plays: { limit: 2, winner: 'oldest' } })
    const sessions = await openSessions(60)
    const [, survivor] = players
    const doomed = await startPlayer()
    const responses = sessions.map((session, at) =>
      licence(at % 2 === 0 ? doomed : survivor, session).then(
        ({ status }) => ({ session, status }),
        () => ({ session, status: null }),
      ),
    )
    await Promise.any(responses)
    process.kill(doomed.pid, 'SIGKILL')
    const ended = await Promise.all(responses)
    await doomed.stop()
    await waitFor('the statements of the killed process', hasNoOtherStatement)
    const holders = await leased()
    expect(holders).toHaveLength(2)
    for (const { session, status } of ended)
      if (status === 200) expect(holders).toContain(idOf(session))
    // A lease whose player got no response ends like that of any player that is gone.
    await expireLeases()
    const next = (await openSessions(3)).map((session) => licence(survivor, session))
    const statuses = (await Promise.all(next)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 403])
  })
})

describe('heartbeats of a process that stops', () => {
  it('are recorded if they were received, and get their responses', async () => {
    await fixture.configure({})
    const stopping = await startPlayer()
    const sessions = await openSessions(40)
    const beatAll = () =>
      sessions.map((session) =>
        post(stopping, paths.heartbeat, session).then(
          ({ status }) => ({ id: idOf(session), status }),
          () => null,
        ),
      )
    const responses = beatAll()
    await Promise.any(responses)
    // These may be in the open batch, or not received.
    const last = beatAll()
    process.kill(stopping.pid, 'SIGTERM')
    const received = (await Promise.all([...responses, ...last])).flatMap((one) => one ?? [])
    expect(new Set(received.map(({ status }) => status))).toEqual(new Set([200]))
    const recorded = (await fixture.sessions()).map(({ id }) => id)
    expect(recorded).toEqual(expect.arrayContaining(received.map(({ id }) => id)))
    await stopping.stop()
  })
})

describe('a session over the limit', () => {
  it('is recorded once as a security event, and no refused licence', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    const [plays = '', refused = ''] = await openSessions(2)
    expect((await licence(players[0], plays)).status).toBe(200)
    const hlsKey = fixture.ask(paths.clearKey(fixture.keyId.toString('hex')), { session: refused })
    expect(await statusAndCode(await hlsKey)).toEqual([403, 'too_many_streams'])
    for (const player of players) {
      expect((await licence(player, refused)).status).toBe(403)
      expect((await post(player, paths.heartbeat, refused)).status).toBe(403)
    }
    const events = await fixture.db.em.fork().find(SecurityEvent, {})
    expect(events).toMatchObject([
      { eventType: 'session_over_limit', severity: 'low', viewerId: 'ann', details: {} },
    ])
  })

  it('plays as soon as another page of the viewer closes', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    const [plays = '', waiting = ''] = await openSessions(2)
    await licence(players[0], plays)
    const last = await post(players[1], paths.heartbeat, plays, {
      position_seconds: 12,
      is_leaving: true,
    })
    expect([last.status, await last.text()]).toEqual([204, ''])
    expect((await licence(players[0], waiting)).status).toBe(200)
    expect(await fixture.sessions()).toContainEqual(
      expect.objectContaining({ id: idOf(plays), positionMs: 12_000 }),
    )
  })

  it('plays as soon as another session hears that it is over', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    const [plays = '', waiting = ''] = await openSessions(2)
    await licence(players[0], plays)
    // What a heartbeat leaves that waits while the session is being ended: an ended session with a lease.
    await endSession(fixture.db.em.fork(), idOf(plays))
    expect((await licence(players[0], waiting)).status).toBe(403)
    expect((await statusAndCode(await post(players[1], paths.heartbeat, plays)))[1]).toBe(
      'session_ended',
    )
    expect((await licence(players[0], waiting)).status).toBe(200)
  })

  it('gets a key of no other video, with its own reason', async () => {
    await fixture.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
    const [session = ''] = await openSessions(1)
    const response = await fixture.licence(session, Buffer.alloc(16, 7))
    expect(await statusAndCode(response)).toEqual([403, 'unknown_key'])
  })
})
