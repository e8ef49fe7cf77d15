import { describe, expect, it } from 'vitest'
import type { EntityManager } from '../../db/database.ts'
import { insertReplay } from '../../db/webhooks/write-webhook-replays.ts'
import type { ReplayStatus } from '../../domain/webhooks/webhook-delivery.ts'
import { setUpCommandFixture } from '../../test/fixtures/commands.ts'
import { replaySettled } from '../../test/fixtures/replays.ts'
import { moveEventsSql } from '../../test/fixtures/webhooks.ts'
import { appendEvent, appendEventFor } from '../events.ts'
import { appendReplayBatch } from './append-replay-batch.ts'

const t = setUpCommandFixture()
const FUTURE = new Date('2998-01-01T00:00:00Z')
const LIMITS = { events: 100, waiting: 100 }

const appendReady = (em: EntityManager, accountId: number): Promise<string> =>
  appendEvent(em, {
    accountId,
    type: 'video.ready',
    data: { id: 'a'.repeat(20), object: 'video', status: 'ready' },
  })
const announce = (accountId = t.accountId): Promise<string> =>
  t.em().transactional((tx) => appendReady(tx, accountId))

async function insertRunning(
  status: ReplayStatus,
  { endpointId = null, since = new Date(0), until = FUTURE }: Partial<Range> = {},
): Promise<number> {
  await t.execute(`update webhook_replay set state = 'cancelled'`)
  await t.execute('delete from outbox')
  const range = { accountId: t.accountId, endpointId, since, until, status }
  return (await insertReplay(t.em(), range)).replay.id
}

const settled = (id: number) => replaySettled(t.em(), id)

async function startReplay(status: ReplayStatus, range: Partial<Range> = {}): Promise<number> {
  const id = await insertRunning(status, range)
  await settled(id)
  return id
}
interface Range {
  endpointId: number | null
  since: Date
  until: Date
}

const batch = (id: number, limits: Partial<typeof LIMITS> = {}) =>
  appendReplayBatch(t.em(), id, { ...LIMITS, ...limits })

/** The replayed events with their endpoints. */
const handedOut = (replayId: number) =>
  t.execute<{ event: string; endpoint: number }>(
    `select event_id as event, endpoint_id as endpoint from webhook_delivery
     where replay_id = ? order by id`,
    [replayId],
  )
const settle = (eventId: string, status: string) =>
  t.execute('update webhook_delivery set status = ?, completed_at = now() where event_id = ?', [
    status,
    eventId,
  ])

describe('a replay', () => {
  it('of failed events sends those that were attempted and never delivered, each once', async () => {
    const endpoint = await t.addEndpoint(['video.ready'])
    const [failed, delivered] = [await announce(), await announce()]
    await announce()
    await settle(failed, 'failed')
    await settle(delivered, 'delivered')
    const id = await startReplay('failed')
    expect(await batch(id)).toEqual({ outcome: 'ended', eventCount: 3, scannedCount: 3 })
    expect(await handedOut(id)).toEqual([{ event: failed, endpoint }])
    expect(await t.execute('select command, account_id from outbox')).toEqual([
      { command: 'deliver-webhook', account_id: t.accountId },
    ])
    // Its delivery is pending now, so a second replay has nothing to do.
    const again = await startReplay('failed')
    await batch(again)
    expect(await handedOut(again)).toEqual([])
  })

  it('of delivered events repeats them, except those with a pending delivery', async () => {
    const endpoint = await t.addEndpoint(['video.ready'])
    const [failed, delivered] = [await announce(), await announce()]
    await settle(failed, 'failed')
    await settle(delivered, 'delivered')
    const id = await startReplay('delivered')
    await batch(id)
    expect(await handedOut(id)).toEqual([{ event: delivered, endpoint }])
  })

  it('of missing events sends those that an endpoint subscribes to and never had', async () => {
    const early = await t.addEndpoint(['video.ready'])
    const event = await announce()
    const late = await t.addEndpoint(['video.ready'])
    await t.addEndpoint(['video.failed'])
    await t.addEndpoint(['video.ready'], { active: false })
    await t.addEndpoint(['video.ready'], { accountId: t.otherAccountId })
    const id = await startReplay('missing')
    await batch(id)
    expect(await handedOut(id)).toEqual([{ event, endpoint: late }])
    expect(late).not.toBe(early)
  })

  it('is limited to its endpoint, its account and its range', async () => {
    const one = await t.addEndpoint(['video.ready'])
    await t.addEndpoint(['video.ready'])
    await t.addEndpoint(['video.ready'], { accountId: t.otherAccountId })
    const [before, within, behind] = [await announce(), await announce(), await announce()]
    const foreign = await announce(t.otherAccountId)
    for (const event of [before, within, behind, foreign]) await settle(event, 'failed')
    const at = (event: string, time: string) =>
      t.execute(moveEventsSql(`timestamptz '${time}'`, 'e.id = ?'), [event])
    await at(before, '2026-10-01T00:00:00Z')
    await at(within, '2026-10-02T00:00:00Z')
    await at(behind, '2026-10-03T00:00:00Z')
    const since = new Date('2026-10-02T00:00:00Z')
    const id = await startReplay('failed', {
      endpointId: one,
      since,
      until: new Date('2026-10-03T00:00:00Z'),
    })
    expect(await batch(id)).toMatchObject({ eventCount: 1 })
    expect(await handedOut(id)).toEqual([{ event: within, endpoint: one }])
  })

  it('never sends webhook.test', async () => {
    const endpoint = await t.addEndpoint(['video.ready'])
    const test = { accountId: t.accountId, type: 'webhook.test' } as const
    const { eventId } = await t
      .em()
      .transactional((tx) =>
        appendEventFor(tx, endpoint, { ...test, data: { object: 'test', message: '' } }),
      )
    await settle(eventId, 'failed')
    for (const status of ['failed', 'missing'] as const) {
      const id = await startReplay(status)
      await batch(id)
      expect(await handedOut(id)).toEqual([])
    }
  })

  it('continues after the previous batch, even if many events have the same time', async () => {
    await t.addEndpoint(['video.ready'])
    const events: string[] = []
    for (let count = 0; count < 7; count += 1) events.push(await announce())
    await t.execute(moveEventsSql(`timestamptz '2026-10-02T00:00:00Z'`, 'true'))
    await t.execute(`update webhook_delivery set status = 'failed'`)
    const id = await startReplay('failed')
    const outcomes = []
    for (let count = 0; count < 4; count += 1) outcomes.push(await batch(id, { events: 2 }))
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['more', 'more', 'more', 'ended'])
    expect(outcomes.map(({ scannedCount }) => scannedCount)).toEqual([2, 4, 6, 7])
    const sent = (await handedOut(id)).map(({ event }) => event)
    expect(sent.toSorted()).toEqual(events.toSorted())
    expect(await t.execute('select state from webhook_replay where id = ?', [id])).toEqual([
      { state: 'completed' },
    ])
  })

  it('sends also an event whose transaction is open at its request, and none of later ones', async () => {
    const open = t.em().fork()
    await open.begin()
    const late = await appendReady(open, t.accountId)
    const early = await announce()
    await t.addEndpoint(['video.ready'])
    const id = await insertRunning('missing')
    const first = await batch(id, { events: 1 })
    await open.commit()
    await announce()
    await settled(id)
    const last = await batch(id)
    expect(first).toMatchObject({ outcome: 'full', scannedCount: 0 })
    expect(last).toMatchObject({ outcome: 'ended', scannedCount: 2 })
    expect((await handedOut(id)).map(({ event }) => event)).toEqual([late, early])
  })

  it('replays each event once when two workers run the same batch', async () => {
    await t.addEndpoint(['video.ready'])
    for (let count = 0; count < 6; count += 1) await announce()
    await t.execute(`update webhook_delivery set status = 'failed'`)
    const id = await startReplay('failed')
    await Promise.all(Array.from({ length: 4 }, () => batch(id, { events: 3 })))
    const sent = await handedOut(id)
    expect(new Set(sent.map(({ event }) => event)).size).toBe(6)
    expect(sent).toHaveLength(6)
  })

  it('waits while enough of its deliveries wait for their first attempt', async () => {
    await t.addEndpoint(['video.ready'])
    for (let count = 0; count < 4; count += 1) await announce()
    await t.execute(`update webhook_delivery set status = 'failed'`)
    const id = await startReplay('failed')
    const limits = { events: 2, waiting: 2 }
    expect((await batch(id, limits)).outcome).toBe('more')
    expect(await batch(id, limits)).toEqual({ outcome: 'full', eventCount: 4, scannedCount: 2 })
    await t.execute('update webhook_delivery set attempt_count = 1 where replay_id = ?', [id])
    expect((await batch(id, limits)).outcome).toBe('more')
  })

  it('ends if it was cancelled or deleted', async () => {
    await t.addEndpoint(['video.ready'])
    await settle(await announce(), 'failed')
    const id = await startReplay('failed')
    await t.execute(`update webhook_replay set state = 'cancelled' where id = ?`, [id])
    expect((await batch(id)).outcome).toBe('ended')
    expect(await handedOut(id)).toEqual([])
    expect((await batch(2_000_000_000)).outcome).toBe('ended')
  })
})
