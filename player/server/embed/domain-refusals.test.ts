import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordDomainRefusal } from '../../../commands/security-events/record-domain-refusal.ts'
import { openDatabase } from '../../../db/database.ts'
import { DOMAIN_REFUSALS_PER_HOUR } from '../../../domain/limits.ts'
import { encodeAccountId } from '../../../domain/playback/embed-url.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture()
})

beforeEach(async () => {
  await fixture.configure({ allowed_domains: ['site.example'], blocked_domains: ['bad.example'] })
  await fixture.db.em.fork().execute('delete from security_event')
})

afterAll(() => fixture.close())

const from = (Referer: string) => fixture.page('', { Referer })

const recordedEvents = () =>
  fixture.db.em.fork().execute<Record<string, unknown>[]>(
    `select event_type, severity, viewer_id, video_id, details->>'reason' as reason,
         details->>'host' as host from security_event order by id`,
  )

const announced = async (): Promise<number> => {
  const [row] = await fixture.db.em
    .fork()
    .execute<{ n: number }[]>(`select count(*)::int as n from event where type = 'security.event'`)
  return row?.n ?? 0
}

describe('a refusal by domain', () => {
  it('is a domain_refused security event with the reason and the host, and is announced', async () => {
    const before = await announced()
    await from('https://other.example/a?b')
    await from('https://bad.example:8443/')
    await fixture.page('', {})
    const event = { event_type: 'domain_refused', viewer_id: null, video_id: fixture.videoId }
    expect(await recordedEvents()).toEqual([
      { ...event, severity: 'low', reason: 'domain_not_allowed', host: 'other.example' },
      { ...event, severity: 'medium', reason: 'domain_blocked', host: 'bad.example' },
      { ...event, severity: 'low', reason: 'no_referrer', host: null },
    ])
    expect((await announced()) - before).toBe(3)
  })

  it('is recorded once an hour for each host and reason', async () => {
    for (const path of ['a', 'b', 'c']) await from(`https://other.example/${path}`)
    for (let n = 0; n < 3; n++) await fixture.page('', {})
    await from('https://second.example/')
    expect(await recordedEvents()).toMatchObject([
      { host: 'other.example' },
      { reason: 'no_referrer' },
      { host: 'second.example' },
    ])
    await fixture.configure({ blocked_domains: ['other.example'] })
    await from('https://other.example/')
    expect(await recordedEvents()).toHaveLength(4)
  })

  it('is recorded again after an hour', async () => {
    await from('https://other.example/')
    const em = fixture.db.em.fork()
    await em.execute(`update security_event set created_at = now() - interval '61 minutes'`)
    await from('https://other.example/')
    await from('https://other.example/')
    expect(await recordedEvents()).toHaveLength(2)
  })

  it('is recorded once when several processes see it at the same time', async () => {
    const other = await openDatabase({ url: fixture.databaseUrl, poolSize: 4 })
    try {
      const refusal = { accountId: fixture.accountId, videoId: fixture.videoId } as const
      const outcomes = await Promise.all(
        [fixture.db, other].flatMap((db) =>
          Array.from({ length: 20 }, () =>
            recordDomainRefusal(db.em.fork(), {
              ...refusal,
              host: 'other.example',
              reason: 'domain_not_allowed',
            }),
          ),
        ),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      expect(await recordedEvents()).toHaveLength(1)
    } finally {
      await other.close(true)
    }
  })

  it('is recorded a limited number of times an hour for each account', async () => {
    const hosts = Array.from({ length: DOMAIN_REFUSALS_PER_HOUR + 30 }, (_, n) => `n${n}.example`)
    const statuses = await Promise.all(
      hosts.map(async (host) => (await from(`https://${host}/`)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([403]))
    expect(await recordedEvents()).toHaveLength(DOMAIN_REFUSALS_PER_HOUR)
  })

  it('does not count against refusals by token, which are all recorded', async () => {
    const watermark = { enabled: true, required: true, opacity: 0.3, size: 'medium' } as const
    for (let n = 0; n < DOMAIN_REFUSALS_PER_HOUR + 5; n++) await from(`https://n${n}.example/`)
    await fixture.configure({ watermark })
    for (let n = 0; n < 5; n++) await from('https://site.example/')
    const events = await recordedEvents()
    expect(events.filter(({ event_type }) => event_type === 'viewer_token_required')).toHaveLength(
      5,
    )
  })

  it('is not recorded for a video of another account', async () => {
    const path = `/${'0'.repeat(20)}/${encodeAccountId(fixture.accountId)}`
    expect((await fetch(fixture.base + path)).status).toBe(404)
    expect(await recordedEvents()).toEqual([])
  })
})
