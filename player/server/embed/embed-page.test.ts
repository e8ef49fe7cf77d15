import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { encodeAccountId } from '../../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'
import { comeTo, REFUSAL_PAGES } from '../../../test/fixtures/refusal-pages.ts'
import { SITE } from '../../../test/fixtures/viewer.ts'

let fixture: PlayerFixture

beforeAll(async () => {
  fixture = await openPlayerFixture()
})

beforeEach(async () => {
  await fixture.configure({})
  await fixture.setVideo({ status: 'ready', protection: 'clearkey', deletedAt: null })
})

afterAll(() => fixture.close())

describe('the embed page', () => {
  it('plays, is not cached, limits its framing, and runs no inline script', async () => {
    const response = await fixture.page()
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain('frame-ancestors *')
    const html = await response.text()
    expect(html).toContain('A &lt;b&gt;lesson&lt;/b&gt;')
    expect(html).not.toContain(fixture.contentKey.toString('hex'))
  })

  it.each(['/', '/x', '/x/y', '/x/y/z', '/%00/a', `/${'a'.repeat(20)}/!!!`, '/%'])(
    'at the malformed path %s is a 400 page',
    async (path) => {
      const response = await fetch(fixture.base + path, { headers: { Referer: SITE } })
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toContain('text/html')
      expect(await response.text()).toContain('Request req_')
    },
  )

  it('of another account, or of a deleted video, is a 404 page', async () => {
    const other = await fetch(
      `${fixture.base}/${fixture.videoId}/${encodeAccountId(fixture.accountId + 1)}`,
      {
        headers: { Referer: SITE },
      },
    )
    expect(other.status).toBe(404)
    await fixture.setVideo({ deletedAt: new Date() })
    expect((await fixture.page()).status).toBe(404)
  })

  it('without Referer or Origin is a 403 page that names the attribute to set', async () => {
    const response = await fixture.page('', {})
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('referrerpolicy')
    expect((await fixture.page('', { Origin: 'https://site.example' })).status).toBe(200)
  })

  it('follows blocked and allowed domains', async () => {
    await fixture.configure({
      blocked_domains: ['site.example'],
      allowed_domains: ['site.example'],
    })
    expect((await fixture.page()).status).toBe(403)
    await fixture.configure({ allowed_domains: ['*.site.example'] })
    expect((await fixture.page()).status).toBe(403)
    const sub = await fixture.page('', { Referer: 'https://www.site.example/' })
    expect(sub.status).toBe(200)
    expect(sub.headers.get('content-security-policy')).toContain('https://*.site.example:*')
  })

  it.each([
    ['missing', () => ''],
    ['expired', () => `?vt=${fixture.vtFor('v', -1)}`],
    ['forged', () => `?vt=${fixture.vtFor('v', 60, 'f'.repeat(64))}`],
    ['repeated', () => `?vt=${fixture.vtFor('v')}&vt=${fixture.vtFor('v')}`],
  ])('under enforcement refuses a %s vt, with one security event each', async (_name, query) => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark })
    const count = () =>
      fixture.db.em.fork().execute<{ n: number }[]>('select count(*)::int as n from security_event')
    const [before] = await count()
    expect((await fixture.page(query())).status).toBe(403)
    const [after] = await count()
    expect((after?.n ?? 0) - (before?.n ?? 0)).toBe(1)
  })

  it('shows the verified viewer id, never an unverified one from the query', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark })
    const html = await (await fixture.page(`?vt=${fixture.vtFor('ann')}&viewer_id=eve`)).text()
    expect(html).toContain('"text":"ann"')
    expect(html).not.toContain('eve')
  })

  it('shows an escaped viewer id if the original is not readable', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark })
    for (const [viewerId, shown] of [
      ['ann\u202eeel', 'ann\\u{202E}eel'],
      ['\u200b', '\\u{200B}'],
      [' ', '\\u{20}'],
    ] as const) {
      const html = await (await fixture.page(`?vt=${fixture.vtFor(viewerId)}`)).text()
      expect(html).toContain(`"text":${JSON.stringify(shown)}`)
    }
  })

  it('under enforcement says that exp is in milliseconds, on the page and in the security event', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark })
    // As seconds from now: approximately the current time in milliseconds.
    const response = await fixture.page(`?vt=${fixture.vtFor('ann', Date.now())}`)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('is a time in milliseconds')
    const [event] = await fixture.db.em
      .fork()
      .execute('select severity, details from security_event order by id desc limit 1')
    expect(event).toEqual({ severity: 'low', details: { reason: 'exp_in_milliseconds' } })
  })

  it('shows, when refused, the Request-Id of its security event', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark })
    const response = await fixture.page()
    const requestId = response.headers.get('request-id') ?? ''
    expect(await response.text()).toContain(requestId)
    const rows = await fixture.db.em
      .fork()
      .execute('select type from event where request_id = ?', [requestId])
    expect(rows).toEqual([{ type: 'security.event' }])
  })
})

describe.each(REFUSAL_PAGES)('the page $name', (kind) => {
  it(`has status ${kind.status} and says what happened; it runs no script but the one that copies the details, and is neither cached nor indexed`, async () => {
    const url = await comeTo(kind, fixture, 'site.example')
    const headers = {
      ...(kind.isUnreferred === true ? {} : { Referer: SITE }),
      ...(kind.userAgent === undefined ? {} : { 'User-Agent': kind.userAgent }),
    }
    const response = await fetch(url, { headers })
    expect(response.status).toBe(kind.status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(response.headers.get('vary')).toBe('Referer, Origin, User-Agent, Accept-Language')
    const html = await response.text()
    const policy = response.headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      html.includes('id="copy"') ? "script-src 'self'" : "script-src 'none'",
      "style-src 'self'",
      "font-src 'self'",
      'frame-ancestors *',
    ])
    expect(html).toContain(`Request ${response.headers.get('request-id')}`)
    expect(html).toMatch(new RegExp(`<h1>[^<]*${kind.title}[^<]*</h1>`))
    expect(html).not.toMatch(/<script(?! type="module" src="\/[^"]+"><\/script>)/i)
    expect(html).not.toContain('lesson')
  })
})

describe('a page that refuses a site', () => {
  const lists = { allowed_domains: ['secret.example'], blocked_domains: ['bad.example'] }

  it.each([
    ['that is not allowed', 'https://Other.example:444/x?y', 'other.example'],
    ['that is blocked', 'https://bad.example/', 'bad.example'],
  ])('%s names the refused host alone, and may be framed there', async (_name, Referer, host) => {
    await fixture.configure(lists)
    const response = await fixture.page(`?vt=${fixture.vtFor('ann')}`, { Referer })
    expect(response.status).toBe(403)
    expect(response.headers.get('content-security-policy')).toContain('frame-ancestors *')
    const html = await response.text()
    expect(html).toContain(`<pre dir="ltr"><code>${host}</code></pre>`)
    for (const secret of ['secret.example', 'ann', 'vt=']) expect(html).not.toContain(secret)
  })

  it('by its token may be framed by the sites that may frame the player', async () => {
    const watermark = { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true }
    await fixture.configure({ watermark, allowed_domains: ['site.example'] })
    const policy = (await fixture.page()).headers.get('content-security-policy')
    expect(policy).toContain('frame-ancestors https://site.example:* http://site.example:*')
  })
})

describe('the language of a page', () => {
  it.each([
    ['is that of the address', '?lang=ar', 'de', '<html lang="ar" dir="rtl">'],
    ['is found for a tag with a region', '?lang=pt-BR', 'de', '<html lang="pt" dir="ltr">'],
    [
      'is otherwise the one that the browser prefers',
      '',
      'xx, de-AT;q=0.9, fr;q=0.8',
      '<html lang="de" dir="ltr">',
    ],
    ['is English for all other languages', '?lang=xx', 'ja', '<html lang="en" dir="ltr">'],
    ['is not read from two parameters', '?lang=ar&lang=de', 'fr', '<html lang="fr" dir="ltr">'],
  ])('%s', async (_name, query, language, tag) => {
    const response = await fixture.page(query, { 'Accept-Language': language })
    expect(await response.text()).toContain(tag)
  })
})

describe('App-Only mode', () => {
  const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/141.0.0.0 Safari/537.36'
  const link = async (query: string): Promise<string | undefined> => {
    await fixture.setVideo({ protection: 'multi-drm' })
    await fixture.configure({ app_only_l3: true })
    const html = await (await fixture.page(query, { Referer: SITE, 'User-Agent': ANDROID })).text()
    return /href="(service:[^"]*)"/.exec(html)?.[1]
  }
  const path = () => `service://play/${fixture.videoId}/${encodeAccountId(fixture.accountId)}`

  it('offers the app by its deep link, with the verified token', async () => {
    const vt = fixture.vtFor('ann')
    expect(await link(`?vt=${vt}`)).toBe(`${path()}/${vt}`)
  })

  it('names in the player page the page for a device without hardware, at any value of its parameter', async () => {
    await fixture.setVideo({ protection: 'multi-drm' })
    await fixture.configure({ app_only_l3: true, allowed_domains: ['site.example'] })
    const agent = { 'User-Agent': `${ANDROID.replace(/\(.*?\)/, '(Windows NT 10.0)')} Edg/141.0` }
    const html = await (await fixture.page('?hardware=x', { Referer: SITE, ...agent })).text()
    const [, url = ''] = /"noHardwareUrl":"([^"]*)"/.exec(html) ?? []
    const own = { Referer: `${fixture.base}${fixture.embedPath}` }
    const response = await fetch(fixture.base + url, { headers: { ...own, ...agent } })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('<h1>Hardware protection is missing</h1>')
  })

  it('passes on no other token', async () => {
    expect(await link('')).toBe(`${path()}/`)
    expect(await link('?vt=%22%3E%3Cscript%3E.x')).toBe(`${path()}/`)
    expect(await link(`?vt=${fixture.vtFor('ann', 60, 'f'.repeat(64))}`)).toBe(`${path()}/`)
  })
})
