import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { OUTBOX_CHANNEL } from '../db/outbox/workflow-requests.ts'
import { setUpCommandFixture } from '../test/fixtures/commands.ts'
import { until } from '../test/infrastructure/wait-for.ts'
import { appendEvent, appendEventFor } from './events.ts'
import { recordSecurityEvent } from './security-events/record-security-event.ts'

const t = setUpCommandFixture()
const VIDEO_ID = 'a'.repeat(20)
const ready = () =>
  ({
    accountId: t.accountId,
    type: 'video.ready',
    data: { id: VIDEO_ID, object: 'video', status: 'ready' },
  }) as const
const append = () => t.em().transactional((tx) => appendEvent(tx, ready()))

describe('an event', () => {
  it('goes to the active endpoints of its account that subscribe to its type', async () => {
    const first = await t.addEndpoint(['video.ready'])
    const second = await t.addEndpoint(['video.created', 'video.ready'])
    await t.addEndpoint(['video.created', 'video.failed'])
    await t.addEndpoint(['video.ready'], { active: false })
    await t.addEndpoint(['video.ready'], { accountId: t.otherAccountId })
    await append()
    const { deliveries, commands } = await t.appended()
    expect(deliveries.map((row) => row.endpoint_id)).toEqual([first, second])
    expect(commands).toEqual(
      [1, 2].map(() => ({ command: 'deliver-webhook', account_id: t.accountId })),
    )
  })

  it('is recorded without a subscriber, and starts nothing', async () => {
    expect(await append()).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(await t.appended()).toMatchObject({ events: [{}], deliveries: [], commands: [] })
  })

  it('names each delivery in its workflow request', async () => {
    await t.addEndpoint(['video.ready'])
    await append()
    const [row] = await t.execute<{ same: boolean }>(
      'select d.id::text = o.subject_id as same from webhook_delivery d, outbox o',
    )
    expect(row?.same).toBe(true)
  })

  it('for one endpoint goes there even if it is inactive and does not subscribe to it', async () => {
    await t.addEndpoint(['video.ready'])
    const id = await t.addEndpoint([], { active: false })
    const data = { object: 'test', message: 'A test' } as const
    const event = { accountId: t.accountId, type: 'webhook.test', data } as const
    const { deliveryId } = await t.em().transactional((tx) => appendEventFor(tx, id, event))
    const rows = await t.execute('select id, endpoint_id from webhook_delivery')
    expect(rows).toEqual([{ id: deliveryId, endpoint_id: id }])
    expect((await t.appended()).commands).toHaveLength(1)
  })

  it('wakes the relay at its commit, not earlier and not after a rollback', async () => {
    await t.addEndpoint(['video.ready'])
    const client = new pg.Client({ connectionString: t.databaseUrl })
    await client.connect()
    let notified = 0
    client.on('notification', () => (notified += 1))
    await client.query(`listen ${OUTBOX_CHANNEL}`)
    const rolledBack = t.em().transactional(async (tx) => {
      await appendEvent(tx, ready())
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await t.em().transactional(async (tx) => {
      await appendEvent(tx, ready())
      await client.query('select 1')
      expect(notified).toBe(0)
    })
    await until(async () => notified === 1)
    await client.end()
  })
})

describe('a security event', () => {
  const refused = () => ({
    accountId: t.accountId,
    eventType: 'viewer_token_required',
    severity: 'medium' as const,
    videoId: VIDEO_ID,
    viewerId: null,
  })

  it('is recorded and announced with its id', async () => {
    const endpointId = await t.addEndpoint(['security.event'])
    const id = await recordSecurityEvent(t.em(), { ...refused(), details: { host: 'x.test' } })
    expect(await t.execute('select * from security_event')).toMatchObject([
      { id, account_id: t.accountId, severity: 'medium', details: { host: 'x.test' } },
    ])
    const { events, deliveries } = await t.appended()
    expect(events.map(({ data }) => data)).toEqual([
      {
        id,
        object: 'security_event',
        event_type: 'viewer_token_required',
        severity: 'medium',
        video_id: VIDEO_ID,
        viewer_id: null,
      },
    ])
    expect(deliveries.map((row) => row.endpoint_id)).toEqual([endpointId])
  })

  it('does not send its details', async () => {
    await t.addEndpoint(['security.event'])
    await recordSecurityEvent(t.em(), { ...refused(), details: { host: 'inside.test' } })
    expect((await t.appended()).events[0]?.body).not.toContain('inside.test')
  })

  it('leaves nothing after a rollback', async () => {
    await t.addEndpoint(['security.event'])
    const work = t.em().transactional(async (tx) => {
      await recordSecurityEvent(tx, refused())
      throw new Error('the caller failed')
    })
    await expect(work).rejects.toThrow('the caller failed')
    expect(await t.appended()).toEqual({ events: [], deliveries: [], commands: [] })
    expect(await t.execute('select * from security_event')).toEqual([])
  })
})
