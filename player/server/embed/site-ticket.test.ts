import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signReferrer } from '../../../security/referrer-ticket.ts'
import { deriveSessionKeys } from '../session.ts'
import { openPlayerFixture } from '../../../test/fixtures/player.ts'
import type { PlayerFixture } from '../../../test/fixtures/player.ts'

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture()
})

beforeEach(() => fixture.configure({ allowed_domains: ['site.example'] }))

afterAll(() => fixture.close())

const go = (ticket: string, headers: Record<string, string> = { Referer: fixture.base }) =>
  fetch(`${fixture.base}${fixture.embedPath}?from=${encodeURIComponent(ticket)}`, { headers })

const keys = () => deriveSessionKeys(fixture.masterKeys)

/** Returns the ticket of a page that was sent `ageMs` ago. */
const ticketOf = (ageMs: number, site = 'https://site.example/') =>
  signReferrer(site, fixture.videoId, keys(), Date.now() - ageMs)

const WEEK_MS = 7 * 86_400_000

describe('the ticket with which an embed page loads another address of its own', () => {
  it('names the site that framed it first, at any age', async () => {
    expect((await go(ticketOf(0))).status).toBe(200)
    expect((await go(ticketOf(WEEK_MS))).status).toBe(200)
  })

  it('does so behind a proxy that uses another host name', async () => {
    expect((await go(ticketOf(WEEK_MS), { Referer: 'https://play.example/x' })).status).toBe(200)
  })

  it('lasts ten minutes in browsers that send no referrer', async () => {
    expect((await go(ticketOf(590_000), {})).status).toBe(200)
    expect((await go(ticketOf(600_000), {})).status).toBe(403)
  })

  it('does not help another site: the referrer takes precedence', async () => {
    expect((await go(ticketOf(0), { Referer: 'https://other.example/' })).status).toBe(403)
    expect((await go(ticketOf(0), { Origin: 'https://other.example' })).status).toBe(403)
  })

  it('does not help a site that was blocked in the meantime', async () => {
    await fixture.configure({ blocked_domains: ['site.example'] })
    const response = await go(ticketOf(0))
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('site.example')
  })

  it('must be genuine, and of this video', async () => {
    const others = [
      signReferrer('https://site.example/', '0'.repeat(20), keys(), Date.now()),
      signReferrer('https://site.example/', fixture.videoId, [Buffer.alloc(32)], Date.now()),
      `${ticketOf(0)}A`,
      'a.b',
      '',
    ]
    for (const ticket of others) expect((await go(ticket)).status).toBe(403)
  })
})
