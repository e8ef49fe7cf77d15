import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeFailureCode } from '../../../domain/playback-reports/failure-code.ts'
import { encodeAccountId } from '../../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'

let fixture: PlayerFixture
let behindProxy: PlayerFixture

const HOST = 'watch.example'
const BASE = `https://${HOST}`

beforeAll(async () => {
  fixture = await openPlayerFixture(() => ({ directPlayBase: BASE }))
  behindProxy = await openPlayerFixture(() => ({ directPlayBase: BASE, trustedProxies: 1 }))
})

beforeEach(async () => {
  await fixture.configure({ direct_play: true })
  await fixture.setVideo({ deletedAt: null, hasPoster: true })
})

afterAll(async () => {
  await fixture?.close()
  await behindProxy?.close()
})

/** The cause in the code of a page that is not found. */
async function causeOf(path: string) {
  const { status, html } = await get(path)
  expect(status).toBe(404)
  const [, code = ''] = /<bdi dir="ltr">(.*?)<\/bdi>/.exec(html) ?? []
  return decodeFailureCode(code)?.cause
}

interface JsonResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  html: string
}

/** Sends a request with another Host header, which fetch does not allow. */
function get(
  path: string,
  headers: Record<string, string> = {},
  { base } = fixture,
): Promise<JsonResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(base + path, { headers: { Host: HOST, ...headers } }, (response) => {
      let html = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (html += chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, html })
      })
    })
    sent.on('error', reject).end()
  })
}

const enforced = {
  watermark: { ...DEFAULT_PLAYER_SETTINGS.watermark, enabled: true, required: true },
}

describe('the Direct Play page', () => {
  it('frames the embed page with all required attributes, and runs no scripts', async () => {
    const { status, headers, html } = await get(fixture.embedPath)
    expect(status).toBe(200)
    const src = `https://play.example/${fixture.videoId}/${encodeURIComponent(encodeAccountId(fixture.accountId))}`
    expect(html).toContain(
      `<iframe src="${src}" title="A &lt;b&gt;lesson&lt;/b&gt;" allow="autoplay; fullscreen; encrypted-media; picture-in-picture" allowfullscreen referrerpolicy="strict-origin-when-cross-origin"></iframe>`,
    )
    expect(html).toContain('<title>A &lt;b&gt;lesson&lt;/b&gt;</title>')
    expect(html).not.toMatch(/<script|sandbox|style=/i)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'none'; style-src 'self'; font-src 'self'; frame-src https://play.example; frame-ancestors 'none'",
    )
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['cache-control']).toBe('private, no-store')
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  })

  it('passes on vt and lang, but no referrer ticket', async () => {
    const vt = fixture.vtFor('ann')
    const { html } = await get(`${fixture.embedPath}?vt=${vt}&lang=ar&from=x`)
    expect(html).toContain(`?vt=${vt}&amp;lang=ar"`)
    expect(html).toContain('<html lang="ar" dir="rtl">')
  })

  it('escapes what it passes on', async () => {
    const { html } = await get(`${fixture.embedPath}?vt=%22%3E%3Cscript%3E&%22onload=%22x`)
    expect(html).not.toMatch(/<script|"onload/)
  })

  it('has the title and the poster for link previews, but no token', async () => {
    const { html } = await get(`${fixture.embedPath}?vt=${fixture.vtFor('ann')}`)
    expect(html).toContain('<meta property="og:title" content="A &lt;b&gt;lesson&lt;/b&gt;">')
    expect(html).toContain(
      `<meta property="og:image" content="https://play.example/posters/${fixture.videoId}.jpg">`,
    )
    const path = `${fixture.videoId}/${encodeURIComponent(encodeAccountId(fixture.accountId))}`
    expect(html).toContain(`<meta property="og:url" content="${BASE}/${path}">`)
    await fixture.setVideo({ hasPoster: false })
    expect((await get(fixture.embedPath)).html).not.toContain('og:image')
  })

  it('announces a player to other sites, without the token, only if every site may embed the video', async () => {
    const src = `https://play.example${fixture.embedPath.replaceAll('=', '%3D')}`
    const path = src.replace('https://play.example', '')
    const query = new URLSearchParams({ url: BASE + path, format: 'json' }).toString()
    const announced = [
      `<link rel="alternate" type="application/json+oembed" href="https://play.example/oembed?${query.replace('&', '&amp;')}">`,
      `<meta property="og:video:url" content="${src}">`,
    ]
    const open = await get(`${fixture.embedPath}?vt=${fixture.vtFor('ann')}`)
    for (const tag of announced) expect(open.html).toContain(tag)
    for (const rule of [{ allowed_domains: ['site.example'] }, enforced]) {
      await fixture.configure({ direct_play: true, ...rule })
      const { html } = await get(`${fixture.embedPath}?vt=${fixture.vtFor('ann')}`)
      expect(html).toContain('lesson')
      expect(html).not.toMatch(/oembed|og:video:url/)
    }
  })

  it('hides title and poster without a valid token if playback requires one', async () => {
    await fixture.configure({ direct_play: true, ...enforced })
    for (const query of ['', `?vt=${fixture.vtFor('ann', -1)}`, '?vt=a.b']) {
      const { status, html } = await get(fixture.embedPath + query)
      expect(status).toBe(200)
      expect(html).not.toMatch(/lesson|poster/)
      expect(html).toContain('<title>Video</title>')
    }
    expect((await get(`${fixture.embedPath}?vt=${fixture.vtFor('ann')}`)).html).toContain('lesson')
  })

  it('is a 404 page if Direct Play is off or the video does not exist', async () => {
    const other = `/${fixture.videoId}/${encodeAccountId(fixture.accountId + 1)}`
    expect(await causeOf(other)).toBe('direct_play_not_found')
    await fixture.setVideo({ deletedAt: new Date() })
    expect(await causeOf(fixture.embedPath)).toBe('direct_play_not_found')
    await fixture.setVideo({ deletedAt: null })
    await fixture.configure({})
    const { status, html } = await get(fixture.embedPath)
    expect(status).toBe(404)
    // The code does not tell either whether there is such a video.
    expect(await causeOf(fixture.embedPath)).toBe('direct_play_not_found')
    expect(html).toContain('direct_play')
    expect(html).not.toContain('lesson')
  })

  it.each(['/', '/x', '/x/y', '/%', `/${'a'.repeat(20)}/!!!`])(
    'is a 400 page at the malformed path %s',
    async (path) => expect((await get(path)).status).toBe(400),
  )
})

describe('the Direct Play host', () => {
  it('is recognised by its name, on any port and in any case', async () => {
    for (const Host of [HOST, `${HOST}:8443`, 'WATCH.example', `${HOST}.`])
      expect((await get(fixture.embedPath, { Host })).html).toContain('<iframe')
    for (const Host of ['127.0.0.1', `a.${HOST}`, 'play.example'])
      expect((await get(fixture.embedPath, { Host })).html).not.toContain('<iframe')
  })

  it('serves no embed page, no manifest and no session, but its style', async () => {
    const { html } = await get(fixture.embedPath, { Referer: 'https://site.example/' })
    expect(html).not.toContain('media-controller')
    for (const path of [
      `/media/${fixture.videoId}/manifest.mpd`,
      `/posters/${fixture.videoId}.jpg`,
    ])
      expect([400, 404]).toContain((await get(path)).status)
    const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
    expect((await get(style)).headers['content-type']).toContain('text/css')
  })

  it('is the forwarded host only behind a trusted proxy', async () => {
    await behindProxy.configure({ direct_play: true })
    const headers = { Host: 'player:8081', 'X-Forwarded-Host': HOST }
    expect((await get(behindProxy.embedPath, headers, behindProxy)).html).toContain('<iframe')
    expect((await get(fixture.embedPath, headers)).html).not.toContain('<iframe')
  })
})
