import { beforeAll, describe, expect, it } from 'vitest'
import { SecurityEvent } from '../../../db/entities/event.ts'
import type { SecuritySeverity } from '../../../domain/webhooks/events.ts'
import { setUpDashboardFixture } from '../../../test/fixtures/dashboard.ts'
import { insertVideoFixture } from '../../../test/fixtures/video-rows.ts'

interface Found {
  data: { id: number; event_type: string; host: string | null; video_title: string | null }[]
  has_more: boolean
  total: number
  interval: string
  buckets: { start: string; low: number; medium: number; high: number }[]
  types: { event_type: string; count: number }[]
  severities: Record<SecuritySeverity, number>
}

const t = setUpDashboardFixture()
let videoId: string

const search = async (query = ''): Promise<Found> =>
  (await t.call('reader', 'GET', `/security-events${query}`)).json as unknown as Found
const types = async (query: string) => (await search(query)).data.map((one) => one.event_type)

async function record(
  eventType: string,
  severity: SecuritySeverity,
  {
    hoursAgo = 0,
    accountId = t.accountId,
    ...facts
  }: Partial<SecurityEvent> & { hoursAgo?: number } = {},
): Promise<void> {
  const createdAt = new Date(Date.now() - hoursAgo * 3_600_000)
  const nothing = { videoId: null, viewerId: null, details: {} }
  const event = { ...nothing, ...facts, accountId, eventType, severity, createdAt }
  await t.em().insert(SecurityEvent, event)
}

beforeAll(async () => {
  videoId = await insertVideoFixture(t.db, { accountId: t.accountId })
  await record('viewer_token_required', 'medium', { hoursAgo: 24 * 60, videoId })
  await record('watermark_tampered', 'high', {
    hoursAgo: 48,
    viewerId: 'anna',
    details: { how: 'hidden', count: 12 },
  })
  const refusal = { reason: 'domain_not_allowed', host: 'copy.example' }
  await record('domain_refused', 'low', { videoId, details: refusal })
  await record('domain_refused', 'medium', { details: { reason: 'domain_blocked', host: null } })
  await record('licence_refused', 'low', { accountId: t.otherAccountId, viewerId: 'anna' })
})

describe('GET /security-events', () => {
  it('lists the events of the last seven days, newest first, with what explains them', async () => {
    const found = await search()
    expect(found.data.map((one) => one.event_type)).toEqual([
      'domain_refused',
      'domain_refused',
      'watermark_tampered',
    ])
    expect(found.data[1]).toEqual({
      id: expect.any(Number),
      object: 'security_event',
      event_type: 'domain_refused',
      severity: 'low',
      video_id: videoId,
      video_title: 'Opening night',
      viewer_id: null,
      host: 'copy.example',
      reason: 'domain_not_allowed',
      count: 1,
      created_at: expect.any(String),
    })
    expect(found.data[2]).toMatchObject({ reason: 'hidden', count: 12 })
    expect(found).toMatchObject({ total: 3, interval: 'day', has_more: false })
  })

  it('counts them by day, type and severity, each but for its own filter', async () => {
    const all = await search('?time_zone=Asia/Kathmandu')
    expect(all.buckets).toHaveLength(7)
    expect(all.buckets.at(-1)).toMatchObject({ low: 1, medium: 1, high: 0 })
    const high = await search('?severity=high')
    expect(high.total).toBe(1)
    expect(high.types).toEqual([{ event_type: 'watermark_tampered', count: 1 }])
    expect(high.severities).toEqual({ low: 1, medium: 1, high: 1 })
    const refused = await search('?event_type=domain_refused')
    expect(refused.total).toBe(2)
    expect(refused.types).toEqual([
      { event_type: 'domain_refused', count: 2 },
      { event_type: 'watermark_tampered', count: 1 },
    ])
    const sum = (found: Found) =>
      found.buckets.reduce((total, { low, medium, high: worst }) => total + low + medium + worst, 0)
    expect([sum(all), sum(high), sum(refused)]).toEqual([3, 1, 2])
  })

  it('counts the last 24 hours by hour', async () => {
    const { buckets, interval, total } = await search('?range=24h')
    expect([buckets.length, interval, total]).toEqual([24, 'hour', 2])
  })

  it.each([
    ['?range=90d', 4],
    ['?viewer_id=anna', 1],
    ['?host=copy.example', 1],
    ['?severity=medium', 1],
    ['?event_type=nothing', 0],
    ["?host='%20or%20true", 0],
  ])('filters: %s', async (query, count) => {
    const found = await search(query)
    expect([found.data.length, found.total]).toEqual([count, count])
  })

  it('filters by video', async () => {
    expect(await types(`?range=90d&video_id=${videoId}`)).toEqual([
      'domain_refused',
      'viewer_token_required',
    ])
  })

  it('has pages within the filter', async () => {
    const first = await search('?limit=2')
    expect(first.has_more).toBe(true)
    const [newest, last] = first.data
    expect(await types(`?limit=2&starting_after=${last?.id}`)).toEqual(['watermark_tampered'])
    const before = await search(`?limit=2&ending_before=${last?.id}`)
    expect(before.data).toEqual([newest])
  })

  it.each(['time_zone=Mars/Olympus', 'range=8d', 'severity=worst', 'starting_after=x'])(
    'refuses %s',
    async (query) => {
      expect((await t.call('reader', 'GET', `/security-events?${query}`)).status).toBe(422)
    },
  )

  it('takes the event of another account as a position among its own', async () => {
    const [foreign] = await t.em().find(SecurityEvent, { accountId: t.otherAccountId })
    const all = await search()
    expect((await search(`?starting_after=${foreign?.id}`)).data).toEqual(all.data)
    expect((await search(`?ending_before=${foreign?.id}`)).data).toEqual([])
    expect((await search('?ending_before=1')).data).toEqual(all.data)
  })
})
