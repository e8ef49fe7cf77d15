import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { eraseViewer, requestErasure } from '../../commands/viewers/erase-viewer.ts'
import { SecurityEvent } from '../../db/entities/event.ts'
import { PlaybackReport } from '../../db/entities/playback-report.ts'
import { endSession } from '../../db/playback/write-playback-sessions.ts'
import { encodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../test/fixtures/playback-sessions.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { paths } from './paths.ts'

let fixture: SessionFixture
beforeAll(async () => {
  fixture = await openSessionFixture()
})
afterAll(() => fixture?.close())
beforeEach(() => fixture.reset())

const em = () => fixture.db.em.fork()

async function erase(viewerId: string): Promise<void> {
  const { accountId } = fixture
  const requested = await em().transactional((tx) => requestErasure(tx, accountId, viewerId))
  await eraseViewer(em, { ...requested, accountId, viewerId }, () => {})
}

let reports = 0
/** What a player does whose session is over: it is refused, asks for its key again, and reports its message. */
async function comeToAnEnd(session: string): Promise<string> {
  expect(await statusAndCode(await fixture.beat(session))).toEqual([403, 'session_ended'])
  expect(await statusAndCode(await fixture.licence(session))).toEqual([403, 'session_ended'])
  const cause = 'session_ended'
  const code = encodeFailureCode({ cause, atMs: Date.now() }, (reports += 1))
  const request = { method: 'POST', session, body: { code, cause } }
  expect((await fixture.ask(paths.failures, request)).status).toBe(204)
  return code
}

const open = async (viewerId: string): Promise<string> => {
  const { session } = await fixture.openPage({ vt: fixture.vtFor(viewerId) })
  expect((await fixture.licence(session)).status).toBe(200)
  return session
}

it('a viewer who is erased while a video plays is not named again by what its player does then', async () => {
  const [erased, ended] = [await open('ann'), await open('ben')]
  await erase('ann')
  await endSession(em(), fixture.claimsOf(ended).sessionId)
  const codes = [await comeToAnEnd(erased), await comeToAnEnd(ended)]
  const named = await Promise.all(
    codes.map((code) => waitFor('the report', () => em().findOne(PlaybackReport, { code }))),
  )
  expect(named.map(({ viewerId }) => viewerId)).toEqual([null, 'ben'])
  const events = await em().find(SecurityEvent, {}, { orderBy: { id: 'asc' } })
  expect(events.map(({ eventType, viewerId }) => [eventType, viewerId])).toEqual([
    ['licence_refused', null],
    ['licence_refused', 'ben'],
  ])
  const bodies = await em().execute<{ body: string }[]>(`select body from event`)
  expect(bodies.filter(({ body }) => body.includes('ann'))).toEqual([])
})
