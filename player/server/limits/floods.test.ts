import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rotateSigningSecret } from '../../../commands/accounts/signing-secret.ts'
import { Account } from '../../../db/entities/account.ts'
import { SecurityEvent, WebhookEndpoint } from '../../../db/entities/event.ts'
import { SECURITY_EVENTS_PER_MINUTE } from '../../../domain/limits.ts'
import { decodeFailureCode } from '../../../domain/playback-reports/failure-code.ts'
import { deepLink } from '../../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { createMobileApp } from '../../../test/fixtures/mobile-app.ts'
import {
  openSessionFixture,
  statusAndCode,
  type SessionFixture,
} from '../../../test/fixtures/playback-sessions.ts'
import { SITE } from '../../../test/fixtures/viewer.ts'
import { sendHead } from '../../../test/infrastructure/raw-request.ts'
import { until, waitFor } from '../../../test/infrastructure/wait-for.ts'
import { paths } from '../paths.ts'

const ENFORCED = {
  watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true },
}
/** Slow, so that a test has time. */
const SLOW = 0.001
const burst = 80

let fixture: SessionFixture
beforeAll(async () => {
  fixture = await openSessionFixture(() => ({
    trustedProxies: 1,
    mobileApp: { mustAttest: false, apps: { android: null, ios: null } },
  }))
  const em = fixture.db.em.fork()
  await em.insert(WebhookEndpoint, {
    accountId: fixture.accountId,
    url: 'https://receiver.example/',
    events: ['security.event'],
    sealedSecret: 'x',
  })
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  await fixture.reset()
  await fixture.configure(ENFORCED)
  await fixture.setVideo({ protection: 'clearkey' })
  const em = fixture.db.em.fork()
  for (const table of ['webhook_delivery', 'event', 'security_event'])
    await em.execute(`delete from ${table}`)
  await fixture.restart({ anonymousRates: { refusals: { burst, perSecond: SLOW } } })
})

const forged = (ip: string, vt = fixture.vtFor('ann', 60, 'f'.repeat(64))) =>
  fixture.page(`?vt=${vt}`, { Referer: SITE, 'X-Forwarded-For': ip })

/** Sends forged requests from one address; returns how many responses had each status. */
async function flood(count: number, ipOf: (n: number) => string): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  const one = async (n: number) => {
    const response = await forged(ipOf(n))
    await response.arrayBuffer()
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: count }, (_, n) => one(n)))
  return statuses
}

const events = () => fixture.db.em.fork().find(SecurityEvent, {}, { orderBy: { id: 'asc' } })
const countOf = ({ details }: SecurityEvent): number => Number(details.count ?? 1)
const sum = (rows: SecurityEvent[]): number => rows.reduce((all, row) => all + countOf(row), 0)

async function announced() {
  const em = fixture.db.em.fork()
  const [row] = await em.execute<{ events: number; deliveries: number; outbox: number }[]>(
    `select (select count(*)::int from event) as events,
       (select count(*)::int from webhook_delivery) as deliveries,
       (select count(distinct subject_id)::int from outbox o
         where subject_id in (select id::text from webhook_delivery)) as outbox`,
  )
  return row
}

describe('refusals of a network', () => {
  it('are limited: further requests are not decided, and each page that was sent has its record', async () => {
    const { 403: refused = 0, 429: limited = 0 } = await flood(burst + 100, () => '192.0.2.1')
    expect([refused, limited]).toEqual([burst, 100])
    const rows = await events()
    expect(sum(rows)).toBe(refused)
    expect(rows.every(({ eventType }) => eventType === 'viewer_token_required')).toBe(true)
    const { length } = rows
    // Two minutes may have begun.
    expect(length).toBeLessThanOrEqual(2 * (SECURITY_EVENTS_PER_MINUTE + 1))
    expect(await announced()).toEqual({ events: length, deliveries: length, outbox: length })
  })

  it('end with a page that says when to try again, in the language of the viewer', async () => {
    await flood(burst + 5, () => '192.0.2.1')
    const response = await forged('192.0.2.1')
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const html = await response.text()
    expect(html).toContain('Too many requests')
    const german = await fixture.page('?lang=de', { Referer: SITE, 'X-Forwarded-For': '192.0.2.1' })
    expect(await german.text()).toContain('Zu viele Anfragen')
  })

  it('never limit a valid viewer token, also one of a secret that was just replaced', async () => {
    await flood(burst + 5, () => '192.0.2.1')
    const headers = { 'X-Forwarded-For': '192.0.2.1' }
    const pages = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        void forged('192.0.2.1')
        return fixture.openPage({ vt: fixture.vtFor(`viewer-${n}`), headers })
      }),
    )
    expect(pages).toHaveLength(20)
    const em = fixture.db.em.fork()
    const rotated = await rotateSigningSecret(em, fixture.masterKeys, fixture.accountId)
    const vt = fixture.vtFor('ann', 60, rotated?.secret)
    await waitFor('the new secret', () => fixture.openPage({ vt, headers }).catch(() => null))
    expect((await forged('192.0.2.1', fixture.vtFor('ann'))).status).toBe(429)
    const { accountId, sealedSigningSecret } = fixture
    await em.nativeUpdate(Account, accountId, { sealedSigningSecret })
  })

  it('do not limit an account that requires no token, nor another network', async () => {
    await flood(burst + 5, () => '192.0.2.1')
    expect((await forged('192.0.2.1')).status).toBe(429)
    expect((await forged('198.51.100.7')).status).toBe(403)
    await fixture.configure({})
    await until(async () => (await forged('192.0.2.1')).status === 200)
  })

  it('are counted for an IPv6 /64, and four times as many for the /48 around it', async () => {
    const inOne = await flood(burst + 20, (n) => `2001:db8:1:1::${n.toString(16)}`)
    expect(inOne[429]).toBeGreaterThan(0)
    expect((await forged('2001:db8:1:2::1')).status).toBe(403)
    const inMany = await flood(4 * burst, (n) => `2001:db8:1:${(n + 16).toString(16)}::1`)
    expect(inMany[429]).toBe(burst + 1)
    expect((await forged('2001:db8:1:ffff::1')).status).toBe(429)
    expect((await forged('2001:db8:2::1')).status).toBe(403)
  })

  it('are not limited behind a proxy that is not trusted, for which all viewers would be one', async () => {
    await fixture.restart({
      trustedProxies: 0,
      anonymousRates: { refusals: { burst: 1, perSecond: SLOW } },
    })
    for (let n = 0; n < 3; n++) expect((await forged('192.0.2.1')).status).toBe(403)
    expect(fixture.warnings().filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1)
    expect((await fixture.page()).status).toBe(403)
    expect((await fixture.page()).status).toBe(429)
  })

  it('by domain are limited too', async () => {
    await fixture.configure({ blocked_domains: ['bad.example'] })
    const blocked = () =>
      fixture.page('', { Referer: 'https://bad.example/', 'X-Forwarded-For': '192.0.2.1' })
    await Promise.all(Array.from({ length: burst }, blocked))
    expect((await blocked()).status).toBe(429)
  })
})

describe('the response to a limited request', () => {
  const limitAt = async (trustedProxies: number): Promise<void> => {
    const anonymousRates = { refusals: { burst: 1, perSecond: SLOW } }
    await fixture.restart({ trustedProxies, anonymousRates })
    for (const status of [403, 429]) expect((await fixture.page(forgedQuery())).status).toBe(status)
  }
  const forgedQuery = () => `?vt=${fixture.vtFor('ann', 60, 'f'.repeat(64))}`
  const forgedPath = () => fixture.embedPath + forgedQuery()
  const validPath = () => `${fixture.embedPath}?vt=${fixture.vtFor('ann')}`
  const send = (path: string, method = 'GET') =>
    sendHead(fixture.base, { method, path, headers: { Referer: SITE } })
  const headOf = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nReferer: ${SITE}\r\n\r\n`

  it('ends the connection of a client, and nothing that it has sent behind is read', async () => {
    await limitAt(0)
    const { socket, received } = send(forgedPath())
    const closed = once(socket, 'close')
    socket.write(headOf(forgedPath()) + headOf(validPath()))
    await closed
    expect(received().match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 429'])
    expect(received()).toMatch(/^Connection: close/im)
    expect((await fixture.page(`?vt=${fixture.vtFor('ann')}`)).status).toBe(200)
  })

  it('leaves the connection of a proxy open for its other clients', async () => {
    await limitAt(1)
    const { socket, received } = send(forgedPath())
    socket.write(headOf(forgedPath()) + headOf(validPath()))
    await until(() => received().includes('HTTP/1.1 200'))
    expect(received().match(/^HTTP\/1\.1 \d+/gm)).toEqual(
      [429, 429, 200].map((status) => `HTTP/1.1 ${status}`),
    )
    // The pages of a minute share their code, and no report is kept.
    const codes = [...received().matchAll(/<p class="report">.*<bdi dir="ltr">(.*?)<\/bdi>/g)]
    expect(codes.map(([, code = '']) => decodeFailureCode(code)?.cause)).toEqual([
      'rate_limited',
      'rate_limited',
    ])
    socket.destroy()
  })

  it('is the same for every form of the address, and is not logged', async () => {
    const limitedLines = () => fixture.logged().match(/"status":429/g)?.length ?? 0
    const before = limitedLines()
    await limitAt(1)
    await until(() => limitedLines() === before + 1)
    const path = forgedPath()
    const encoded = path.replace(/^\/./, (start) => `/%${start.charCodeAt(1).toString(16)}`)
    const requests = [
      send(path, 'HEAD'),
      ...[path.replace('?', '/?'), encoded, fixture.base + path].map((form) => send(form)),
    ]
    await until(() => requests.every(({ received }) => received().startsWith('HTTP/1.1 429')))
    for (const { socket } of requests) socket.destroy()
    expect(limitedLines()).toBe(before + 1)
  })
})

describe('sessions without a viewer', () => {
  const rates = {
    sessions: { burst: 5, perSecond: SLOW },
    sessionWrites: { burst: 3, perSecond: SLOW },
  }
  beforeEach(async () => {
    await fixture.configure({})
    await fixture.restart({ anonymousRates: rates })
  })

  it('are recorded up to the limit of their network, and those that are recorded continue', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 7 }, async () => (await fixture.openPage()).session),
    )
    const statuses: number[] = []
    for (const session of sessions) statuses.push((await fixture.licence(session)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const [first = '', , , , , late = ''] = sessions
    expect((await fixture.beat(first)).status).toBe(200)
    const limited = await fixture.beat(late)
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await statusAndCode(limited)).toEqual([429, 'too_many_requests'])
    expect(await fixture.sessions()).toHaveLength(5)
    const named = await fixture.openPage({ vt: fixture.vtFor('ann') })
    expect((await fixture.licence(named.session)).status).toBe(200)
  })

  it('write a limited number of heartbeats and incidents each', async () => {
    const { session } = await fixture.openPage()
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await fixture.beat(session)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const body = { kind: 'watermark_tampered', how: 'removed' }
    const request = { method: 'POST', session, body }
    expect((await fixture.ask(paths.incidents, request)).status).toBe(429)
    const viewer = await fixture.openPage({ vt: fixture.vtFor('ann') })
    for (let n = 0; n < 5; n++) expect((await fixture.beat(viewer.session)).status).toBe(200)
  })

  it('of the mobile app are limited with them', async () => {
    await fixture.setVideo({ protection: 'multi-drm' })
    const app = createMobileApp(fixture.base)
    const link = deepLink(fixture.videoId, fixture.accountId, '')
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) statuses.push((await app.open(link)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const withToken = deepLink(fixture.videoId, fixture.accountId, fixture.vtFor('ann'))
    expect((await app.open(withToken)).status).toBe(200)
  })
})

describe('security events that the contract does not demand one by one', () => {
  beforeEach(() => fixture.configure({}))

  const tamper = async (vt?: string, ip = '192.0.2.1') => {
    const headers = { 'X-Forwarded-For': ip }
    const { session } = await fixture.openPage({ headers, ...(vt !== undefined && { vt }) })
    const body = JSON.stringify({ kind: 'watermark_tampered', how: 'removed' })
    const own = { ...headers, 'X-Playback-Session': session }
    return fetch(fixture.base + paths.incidents, { method: 'POST', headers: own, body })
  }

  it('are counted for an hour on the first of their viewer or network', async () => {
    for (let n = 0; n < 3; n++) await tamper(fixture.vtFor('ann'))
    await tamper(fixture.vtFor('bob'))
    for (let n = 0; n < 4; n++) await tamper()
    await tamper(undefined, '198.51.100.7')
    const rows = (await events()).map((row) => [row.viewerId, countOf(row)])
    expect(rows).toEqual([
      ['ann', 3],
      ['bob', 1],
      [null, 4],
      [null, 1],
    ])
    expect(await announced()).toEqual({ events: 4, deliveries: 4, outbox: 4 })
  })

  it('begin again if the first was deleted', async () => {
    await tamper()
    await fixture.db.em.fork().nativeDelete(SecurityEvent, {})
    await tamper()
    expect(await events()).toHaveLength(1)
  })
})
