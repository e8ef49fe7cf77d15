import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { encodeAccountId } from '../../../domain/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/player-settings.ts'
import { SITE, setUpPlayer } from '../testing/player-world.ts'
import type { PlayerWorld } from '../testing/player-world.ts'

let world: PlayerWorld

beforeAll(async () => {
  world = await setUpPlayer()
})

beforeEach(async () => {
  await world.configure({})
  await world.setVideo({ status: 'ready', deletedAt: null })
})

afterAll(() => world.close())

describe('the embed page', () => {
  it('plays, is private and never stored, frames where it may, and runs no inline script', async () => {
    const response = await world.page()
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain('frame-ancestors *')
    const html = await response.text()
    expect(html).toContain('A &lt;b&gt;film&lt;/b&gt;')
    expect(html).not.toContain(world.contentKey.toString('hex'))
  })

  it.each(['/', '/x', '/x/y', '/x/y/z', '/%00/a', `/${'a'.repeat(20)}/!!!`, '/%'])(
    'at the malformed path %s is a 400 page',
    async (path) => {
      const response = await fetch(world.base + path, { headers: { Referer: SITE } })
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toContain('text/html')
      expect(await response.text()).toContain('Request req_')
    },
  )

  it('of another account, or of a deleted video, is a 404 page', async () => {
    const other = await fetch(
      `${world.base}/${world.videoId}/${encodeAccountId(world.accountId + 1)}`,
      {
        headers: { Referer: SITE },
      },
    )
    expect(other.status).toBe(404)
    await world.setVideo({ deletedAt: new Date() })
    expect((await world.page()).status).toBe(404)
  })

  it('without Referer or Origin is a 403 page that names the attribute to set', async () => {
    const response = await world.page('', {})
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('referrerpolicy')
    expect((await world.page('', { Origin: 'https://site.example' })).status).toBe(200)
  })

  it('follows blocked and allowed domains', async () => {
    await world.configure({ blocked_domains: ['site.example'], allowed_domains: ['site.example'] })
    expect((await world.page()).status).toBe(403)
    await world.configure({ allowed_domains: ['*.site.example'] })
    expect((await world.page()).status).toBe(403)
    const sub = await world.page('', { Referer: 'https://www.site.example/' })
    expect(sub.status).toBe(200)
    expect(sub.headers.get('content-security-policy')).toContain('https://*.site.example:*')
  })

  it.each([
    ['missing', () => ''],
    ['expired', () => `?vt=${world.vtFor('v', -1)}`],
    ['forged', () => `?vt=${world.vtFor('v', 60, 'f'.repeat(64))}`],
    ['repeated', () => `?vt=${world.vtFor('v')}&vt=${world.vtFor('v')}`],
  ])(
    'under enforcement with a %s vt is refused, as one security event each',
    async (_name, query) => {
      const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
      await world.configure({ watermark })
      const count = () =>
        world.db.em.fork().execute<{ n: number }[]>('select count(*)::int as n from security_event')
      const [before] = await count()
      expect((await world.page(query())).status).toBe(403)
      const [after] = await count()
      expect((after?.n ?? 0) - (before?.n ?? 0)).toBe(1)
    },
  )

  it('shows the verified viewer id, and never one that is merely in the query', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await world.configure({ watermark })
    const html = await (await world.page(`?vt=${world.vtFor('ann')}&viewer_id=eve`)).text()
    expect(html).toContain('"text":"ann"')
    expect(html).not.toContain('eve')
  })

  it('waits while the video is queued, and then plays where it was framed first', async () => {
    await world.configure({ allowed_domains: ['site.example'] })
    await world.setVideo({ status: 'queued' })
    const [, url = ''] =
      /^5;url=(.*)$/.exec((await world.page()).headers.get('refresh') ?? '') ?? []
    await world.setVideo({ status: 'playable' })
    const next = await fetch(world.base + url, {
      headers: { Referer: world.base },
    })
    expect(next.status).toBe(200)
    expect((await world.page('?from=abc.def', { Referer: world.base })).status).toBe(403)
  })
})
