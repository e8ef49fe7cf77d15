import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { signReferrer } from '../../../security/referrer-ticket.ts'
import { deriveSessionKeys } from '../session.ts'
import { openPlayerFixture } from '../../../test/fixtures/player.ts'
import type { PlayerFixture } from '../../../test/fixtures/player.ts'

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture()
})

beforeEach(async () => {
  await fixture.configure({ allowed_domains: ['site.example'] })
  await fixture.setVideo({ status: 'queued' })
})

afterAll(() => fixture.close())

/** Returns the address that a page reloads after five seconds, or null. */
const nextOf = (response: Response): string | null =>
  /^5;url=(\/.*)$/.exec(response.headers.get('refresh') ?? '')?.[1] ?? null

const go = (path: string | null, headers: Record<string, string> = { Referer: fixture.base }) =>
  fetch(fixture.base + (path ?? ''), { headers })

/** Returns the ticket of a page that has waited for `ageMs`. */
const ticketOf = (ageMs: number, site = 'https://site.example/') =>
  signReferrer(site, fixture.videoId, deriveSessionKeys(fixture.masterKeys), Date.now() - ageMs)

const WEEK_MS = 7 * 86_400_000

describe('a page that waits', () => {
  it('reloads every five seconds, and plays on the site that framed it first', async () => {
    let response = await fixture.page()
    for (let n = 0; n < 3; n++) {
      expect(response.status).toBe(200)
      response = await go(nextOf(response))
    }
    await fixture.setVideo({ status: 'playable' })
    const last = await go(nextOf(response))
    expect(last.status).toBe(200)
    expect(await last.text()).toContain('<media-controller')
    expect(nextOf(last)).toBeNull()
  })

  it('gets a new ticket each time, and keeps the rest of its address', async () => {
    const vt = fixture.vtFor('ann')
    const first = nextOf(await fixture.page(`?vt=${vt}&lang=de&t=30&t=40`))
    const old = `from=${encodeURIComponent(ticketOf(60_000))}`
    const second = nextOf(await go(`${fixture.embedPath}?vt=${vt}&lang=de&${old}`))
    expect(first).toMatch(
      new RegExp(`^${fixture.embedPath}\\?vt=${vt}&lang=de&t=30&t=40&from=[^&]+$`),
    )
    expect(second).toMatch(new RegExp(`^${fixture.embedPath}\\?vt=${vt}&lang=de&from=[^&]+$`))
    expect(second).not.toContain(old)
  })

  it('continues after the device was suspended for a week', async () => {
    const response = await go(`${fixture.embedPath}?from=${ticketOf(WEEK_MS)}`)
    expect(response.status).toBe(200)
    expect(nextOf(response)).not.toBeNull()
  })

  it('continues behind a proxy that uses another host name', async () => {
    const path = `${fixture.embedPath}?from=${ticketOf(WEEK_MS)}`
    expect((await go(path, { Referer: 'https://play.example/x' })).status).toBe(200)
  })

  it('continues for ten minutes in browsers that send no referrer', async () => {
    expect((await go(`${fixture.embedPath}?from=${ticketOf(590_000)}`, {})).status).toBe(200)
    expect((await go(`${fixture.embedPath}?from=${ticketOf(600_000)}`, {})).status).toBe(403)
  })

  it('does not help another site: the referrer takes precedence', async () => {
    const path = `${fixture.embedPath}?from=${ticketOf(0)}`
    expect((await go(path, { Referer: 'https://other.example/' })).status).toBe(403)
    expect((await go(path, { Origin: 'https://other.example' })).status).toBe(403)
  })

  it('is checked again each time: a site that was blocked in the meantime is refused', async () => {
    const next = nextOf(await fixture.page())
    await fixture.configure({ blocked_domains: ['site.example'] })
    const response = await go(next)
    expect(response.status).toBe(403)
    expect(nextOf(response)).toBeNull()
    expect(await response.text()).toContain('site.example')
  })

  it('accepts only genuine tickets of this video', async () => {
    const keys = deriveSessionKeys(fixture.masterKeys)
    const others = [
      signReferrer('https://site.example/', '0'.repeat(20), keys, Date.now()),
      signReferrer('https://site.example/', fixture.videoId, [Buffer.alloc(32)], Date.now()),
      `${ticketOf(0)}A`,
      'a.b',
      '',
    ]
    for (const from of others)
      expect((await go(`${fixture.embedPath}?from=${encodeURIComponent(from)}`)).status).toBe(403)
  })

  it('ends if the video fails or is deleted', async () => {
    const next = nextOf(await fixture.page())
    await fixture.setVideo({ status: 'failed' })
    const failed = await go(next)
    expect([failed.status, nextOf(failed)]).toEqual([200, null])
    await fixture.setVideo({ deletedAt: new Date() })
    const gone = await go(next)
    expect([gone.status, nextOf(gone)]).toEqual([404, null])
    await fixture.setVideo({ deletedAt: null })
  })

  it('tries again after an internal error, with the same ticket', async () => {
    const next = nextOf(await fixture.page(`?vt=${fixture.vtFor('ann')}`))
    const em = fixture.db.em.fork()
    await em.execute(`update account set sealed_signing_secret = 'x' where id = ?`, [
      fixture.accountId,
    ])
    const broken = await go(next)
    expect([broken.status, nextOf(broken)]).toEqual([500, next])
    await em.execute('update account set sealed_signing_secret = ? where id = ?', [
      fixture.sealedSigningSecret,
      fixture.accountId,
    ])
    expect((await go(nextOf(broken))).status).toBe(200)
  })
})
