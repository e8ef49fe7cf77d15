import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SECURITY_EVENTS_WAITING_OF_ORIGIN_MAX } from '../../../domain/limits.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../../test/fixtures/playback-sessions.ts'
import { until } from '../../../test/infrastructure/wait-for.ts'
import { openHeartbeats, type Heartbeats } from '../heartbeats.ts'
import { paths } from '../paths.ts'
import { SESSION_HEADER } from '../session.ts'

let fixture: SessionFixture
let heartbeats: Heartbeats
/** Heartbeats that the host has not taken. */
let refused = 0

beforeAll(async () => {
  fixture = await openSessionFixture()
  heartbeats = openHeartbeats(fixture.db)
  const counted: Heartbeats = {
    ...heartbeats,
    record: (...beat) =>
      heartbeats.record(...beat).catch((error: unknown) => {
        refused += 1
        throw error
      }),
  }
  await fixture.restart({ heartbeats: counted })
})
afterAll(async () => {
  await heartbeats?.close()
  await fixture?.close()
})
beforeEach(() => fixture.reset())

/** A session of a viewer with a valid token, which has a row. */
async function openSession(viewerId: string): Promise<string> {
  const { session } = await fixture.openPage({ vt: fixture.vtFor(viewerId) })
  expect((await fixture.beat(session)).status).toBe(200)
  return session
}

/** Runs `during` while nothing can be written of a session. */
const whileLocked = (session: string, during: () => Promise<void>): Promise<void> =>
  fixture.db.em.fork().transactional(async (tx) => {
    const { sessionId } = fixture.claimsOf(session)
    await tx.execute('select from playback_record where id = ? for update', [sessionId])
    await during()
  })

describe('a viewer with a valid token who floods', () => {
  it('with heartbeats of one session leaves room for those of other viewers', async () => {
    const [hostile, other] = [await openSession('eve'), await openSession('ann')]
    const flood = 5_100
    const socket = connect(Number(new URL(fixture.base).port), '127.0.0.1')
    socket.on('error', () => {}).resume()
    await whileLocked(hostile, async () => {
      const head = `POST ${paths.heartbeat} HTTP/1.1\r\nHost: x\r\n${SESSION_HEADER}: ${hostile}\r\n`
      socket.write(`${head}Content-Length: 0\r\n\r\n`.repeat(flood))
      await until(() => refused > 0)
      expect(await statusAndCode(await fixture.beat(other))).toEqual([200, undefined])
    })
    socket.destroy()
  })

  it('with incidents leaves room for the refusals of other viewers', async () => {
    const hostile = await openSession('eve')
    const body = { kind: 'watermark_tampered', how: 'removed' }
    const flood = SECURITY_EVENTS_WAITING_OF_ORIGIN_MAX + 50
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark })
    const statuses: number[] = []
    const send = async (): Promise<void> => {
      const request = { method: 'POST', session: hostile, body }
      statuses.push((await fixture.ask(paths.incidents, request)).status)
    }
    const all: Promise<unknown>[] = []
    let page: Promise<Response> | undefined
    await whileLocked(hostile, async () => {
      all.push(...Array.from({ length: flood }, send))
      await until(() => statuses.length === 50)
      page = fixture.page()
    })
    expect((await page)?.status).toBe(403)
    await Promise.all(all)
    const limited = statuses.filter((status) => status === 429)
    expect([limited.length, statuses.length]).toEqual([50, flood])
  })
})
