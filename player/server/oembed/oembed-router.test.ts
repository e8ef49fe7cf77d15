import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { encodeAccountId } from '../../../domain/playback/embed-url.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../../domain/settings/player-settings.ts'
import { posterKey } from '../../../domain/videos/media-paths.ts'
import { openPlayerFixture, type PlayerFixture } from '../../../test/fixtures/player.ts'

const PLAY = 'https://play.example'
const WATCH = 'https://watch.example'

let fixture: PlayerFixture
let path: string

beforeAll(async () => {
  fixture = await openPlayerFixture(() => ({ directPlayBase: WATCH }))
  path = `/${fixture.videoId}/${encodeURIComponent(encodeAccountId(fixture.accountId))}`
  const args = ['-f', 'lavfi', '-i', 'color=size=90x160', '-frames:v', '1', '-f', 'mjpeg', 'pipe:1']
  const { stdout } = await execa('ffmpeg', args, { encoding: 'buffer' })
  await fixture.storage.putBuffer(posterKey(fixture.videoId), Buffer.from(stdout), 'image/jpeg')
})

beforeEach(async () => {
  await fixture.configure({})
  const size = { width: 1920, height: 1080 }
  await fixture.setVideo({
    status: 'ready',
    deletedAt: null,
    hasPoster: true,
    protection: 'clearkey',
    ...size,
  })
})

afterAll(() => fixture?.close())

async function ask(query: Record<string, string> | string, headers: Record<string, string> = {}) {
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  const response = await fetch(`${fixture.base}/oembed?${search}`, { headers })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

const statusFor = async (headers: Record<string, string> = {}) =>
  (await ask({ url: PLAY + path }, headers)).status

describe('GET /oembed', () => {
  it('responds with the player, the title and the poster', async () => {
    const { status, headers, body } = await ask({
      url: PLAY + path,
      format: 'json',
      maxwidth: '800',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      version: '1.0',
      type: 'video',
      title: 'A <b>lesson</b>',
      provider_name: 'Reelgate',
      provider_url: PLAY,
      cache_age: 300,
      thumbnail_url: `${PLAY}/posters/${fixture.videoId}.jpg`,
      thumbnail_width: 90,
      thumbnail_height: 160,
      width: 800,
      height: 450,
      html: `<iframe src="${PLAY}${path}" title="A &lt;b&gt;lesson&lt;/b&gt;" width="800" height="450" allow="autoplay; fullscreen; encrypted-media; picture-in-picture" allowfullscreen referrerpolicy="strict-origin-when-cross-origin" style="border:0;max-width:100%;height:auto;aspect-ratio:800/450"></iframe>`,
    })
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('vary')).toBe('Referer, Origin, User-Agent')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('responds for a video without a poster, and before its size is known', async () => {
    await fixture.setVideo({ hasPoster: false, width: null, height: null, status: 'playable' })
    const { body } = await ask({ url: PLAY + path })
    expect(body).toMatchObject({ width: 640, height: 360 })
    expect(body).not.toHaveProperty('thumbnail_url')
  })

  it('responds for a Direct Play page only if there is one', async () => {
    const url = WATCH + path
    expect((await ask({ url })).status).toBe(404)
    await fixture.configure({ direct_play: true })
    expect((await ask({ url: `${url}?vt=${fixture.vtFor('ann')}&start=9` })).body.html).toContain(
      `<iframe src="${PLAY}${path}?start=9"`,
    )
  })

  it('refuses other formats with 501 and malformed parameters with 400', async () => {
    for (const format of ['xml', 'JSON', ''])
      expect((await ask({ url: PLAY + path, format })).status).toBe(501)
    for (const query of ['', 'url=a&url=b', 'url[x]=a']) expect((await ask(query)).status).toBe(400)
    for (const limit of ['0', '-1', '1e3', '100000', '1.5', 'x', ''])
      for (const name of ['maxwidth', 'maxheight'])
        expect((await ask({ url: PLAY + path, [name]: limit })).status).toBe(400)
  })
})

describe('a video that a site may not embed', () => {
  const { watermark } = DEFAULT_PLAYER_SETTINGS
  const notFound = {
    status: 404,
    body: {
      error: { code: 'not_found', message: 'This address has no player that a site may embed.' },
    },
  }

  it('gets the response of one that does not exist', async () => {
    const unknown = `${PLAY}/${'0'.repeat(20)}/MQ==`
    const foreign = `${PLAY}/${fixture.videoId}/${encodeAccountId(fixture.accountId + 1)}`
    for (const url of [unknown, foreign, 'https://other.example/1', 'x', ''])
      expect(await ask({ url })).toMatchObject(notFound)

    const expectHidden = async (query = '') => {
      const response = await ask({ url: PLAY + path + query })
      expect(response).toMatchObject(notFound)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    for (const change of [{ deletedAt: new Date() }, { status: 'queued' }, { status: 'failed' }]) {
      await fixture.setVideo(change)
      await expectHidden()
      await fixture.setVideo({ deletedAt: null, status: 'ready' })
    }
    await fixture.configure({ watermark: { ...watermark, enabled: true, required: true } })
    await expectHidden()
    await expectHidden(`?vt=${fixture.vtFor('ann')}`)
    await fixture.configure({ allowed_domains: ['site.example'] })
    await expectHidden()
    await fixture.configure({ app_only_l3: true })
    await fixture.setVideo({ protection: 'multi-drm' })
    await expectHidden()
  })

  it('is returned for an allowed site, which the request names as a browser or WordPress does', async () => {
    await fixture.configure({ allowed_domains: ['site.example'], blocked_domains: ['bad.example'] })
    expect(await statusFor({ Referer: 'https://site.example/post' })).toBe(200)
    expect(await statusFor({ Origin: 'https://site.example' })).toBe(200)
    expect(await statusFor({ 'User-Agent': 'WordPress/6.9.1; https://site.example/blog' })).toBe(
      200,
    )
    expect(await statusFor({ 'User-Agent': 'WordPress/6.9.1; https://other.example' })).toBe(404)
    expect(await statusFor({ 'User-Agent': 'X WordPress/6.9.1; https://site.example' })).toBe(404)
    expect(await statusFor({ Referer: 'https://sub.site.example/' })).toBe(404)
    expect(await statusFor({ Referer: 'null' })).toBe(404)
  })

  it('is not returned for a blocked site', async () => {
    await fixture.configure({ blocked_domains: ['bad.example'] })
    expect(await statusFor({ Referer: 'https://bad.example/' })).toBe(404)
    expect(await statusFor({ 'User-Agent': 'WordPress/6.9.1; https://bad.example' })).toBe(404)
    expect(await statusFor()).toBe(200)
  })
})

describe('the embed page', () => {
  it('announces the response in a header if there is one, without the token', async () => {
    const announced = `<${PLAY}/oembed?${new URLSearchParams({ url: PLAY + path, format: 'json' }).toString()}>; rel="alternate"; type="application/json+oembed"`
    const linkOf = async (headers?: Record<string, string>) =>
      (await fixture.page(`?vt=${fixture.vtFor('ann')}`, headers)).headers.get('link')
    expect(await linkOf()).toBe(announced)
    expect(await linkOf({})).toBe(announced)
    await fixture.configure({ allowed_domains: ['other.example'] })
    expect(await linkOf()).toBeNull()
    expect(await linkOf({})).toBeNull()
  })
})
