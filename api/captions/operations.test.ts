import { beforeEach, describe, expect, it } from 'vitest'
import { CAPTION_MAX_BYTES } from '../../domain/limits.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { HAS_EVERY_CASE, someOf } from '../../test/infrastructure/every-case.ts'

const t = setUpApiFixture()
const { call, create } = t

const VTT = 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n'

describe('captions', () => {
  let videoId: string
  let path: string

  beforeEach(async () => {
    videoId = String((await create()).json.id)
    path = `/v1/videos/${videoId}/captions`
  })

  const add = (body: object) => call('POST', path, { body })
  const inline = (languageCode: string, content = VTT, label = languageCode) =>
    add({ language_code: languageCode, label, content })
  const linked = (url: string) => add({ language_code: 'en', label: 'English', source_url: url })
  const list = async () => (await call('GET', path)).json.data as Record<string, unknown>[]
  /** The lists that caption.ready carried, in order. */
  const announced = async () => {
    const rows = await t.db.em.fork().execute<{ captions: unknown }[]>(
      `select body::jsonb -> 'data' -> 'captions' as captions from event
         where type = 'caption.ready' and body::jsonb -> 'data' ->> 'id' = ? order by created_at`,
      [videoId],
    )
    return rows.map(({ captions }) => captions)
  }

  it('are sent inline, listed by language and returned with their text', async () => {
    const { status, json } = await inline('pt-br', VTT, 'Português')
    expect(status).toBe(201)
    expect(json).toEqual({
      object: 'caption',
      language_code: 'pt-BR',
      label: 'Português',
      size_bytes: Buffer.byteLength(VTT),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await inline('en')
    expect((await list()).map((one) => one.language_code)).toEqual(['en', 'pt-BR'])
    const one = await call('GET', `${path}/PT-BR`)
    expect(one.json).toEqual({ ...json, content: VTT })
    expect((await call('GET', `/v1/videos/${videoId}`)).json.caption_count).toBe(2)
  })

  it('replace the track of their language', async () => {
    const first = await inline('en', VTT, 'First')
    const other = VTT.replace('Hello', 'Good evening')
    const second = await inline('EN', other, 'Second')
    expect(second.json).toMatchObject({ label: 'Second', created_at: first.json.created_at })
    expect(await list()).toHaveLength(1)
    expect((await call('GET', `${path}/en`)).json.content).toBe(other)
  })

  it('send caption.ready with the whole list each time, even an empty one', async () => {
    await inline('en', VTT, 'English')
    await inline('de', VTT, 'Deutsch')
    await inline('en', VTT, 'English again')
    await call('DELETE', `${path}/de`)
    await call('DELETE', `${path}/en`)
    const german = { label: 'Deutsch', language_code: 'de' }
    expect(await announced()).toEqual([
      [{ label: 'English', language_code: 'en' }],
      [german, { label: 'English', language_code: 'en' }],
      [german, { label: 'English again', language_code: 'en' }],
      [{ label: 'English again', language_code: 'en' }],
      [],
    ])
  })

  it('are all in the last list when ten are added concurrently', async () => {
    const languages = ['ar', 'cs', 'de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'pl']
    await Promise.all(languages.map((language) => inline(language)))
    expect((await announced()).at(-1)).toHaveLength(10)
  })

  it('of one language are all accepted when fifty are sent at once', async () => {
    const sent = await Promise.all(Array.from({ length: 50 }, () => inline('en')))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await list()).toHaveLength(1)
  })

  it('are deleted by language', async () => {
    await inline('en')
    expect((await call('DELETE', `${path}/en`)).json).toEqual({
      object: 'caption',
      language_code: 'en',
      deleted: true,
    })
    for (const language of ['en', 'de', 'not_a_language', '%00'])
      expect(await call('DELETE', `${path}/${language}`)).toMatchObject({
        status: 404,
        code: 'caption_not_found',
      })
    expect(await announced()).toHaveLength(2)
  })

  it.each([
    ['nothing', '', 1],
    ['SRT', '1\n00:00:01,000 --> 00:00:02,000\nHello.\n', 1],
    ['SRT under a WebVTT head', 'WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nHello.\n', 3],
    ['another word', 'WEBVTTX\n\n', 1],
    ['a cue that ends before it starts', 'WEBVTT\n\n00:03.000 --> 00:02.000\nHello.\n', 3],
    ['a minute of 61 seconds', 'WEBVTT\n\n00:00.000 --> 00:61.000\nHello.\n', 3],
    ['text without a time', 'WEBVTT\n\nHello\nthere\n', 4],
    ['HTML', '<!doctype html><html></html>', 1],
  ])('refuse %s and name the line', async (_what, content, line) => {
    const response = await inline('en', content)
    expect(response).toMatchObject({ status: 422, code: 'invalid_caption' })
    expect(response.json.error).toMatchObject({
      param: 'content',
      message: expect.stringContaining(`line ${line}:`),
    })
    expect(await list()).toEqual([])
  })

  it.each([
    ['an empty file', 'WEBVTT'],
    ['a byte order mark', `\ufeff${VTT}`],
    ['a title and metadata', 'WEBVTT - A title\nKind: captions\n\n00:00.000 --> 00:01.000\nHi\n'],
    ['other line ends', VTT.replaceAll('\n', '\r\n')],
    ['comments and styles', `WEBVTT\n\nNOTE by hand\n\nSTYLE\n::cue {}\n\n${VTT.slice(8)}`],
    ['a region', `WEBVTT\n\nREGION\nid:a\nwidth:40%\n\n${VTT.slice(8)}`],
    ['cue settings and tags', 'WEBVTT\n\nid\n00:00.000 --> 00:01.000 align:start\n<v Bob>Hi</v>\n'],
    ['unclosed tags and bare ampersands', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<i>R&B\n'],
    ['a NUL', VTT.replace('Hello', 'Hel\0lo')],
  ])('accept %s', async (_what, content) => {
    expect((await inline('en', content)).status).toBe(201)
  })

  it('are read from a link', async () => {
    const { status } = await linked(await t.serveFile('en.vtt', `\ufeff${VTT}`))
    expect(status).toBe(201)
    expect((await call('GET', `${path}/en`)).json.content).toBe(VTT)
  })

  it.each([
    ['http://127.0.0.1/x.vtt', 'invalid_source_url'],
    ['https://127.0.0.1:9443/x.vtt', 'invalid_source_url'],
    ['nonsense', 'invalid_source_url'],
    ['https://10.0.0.1/x.vtt', 'source_not_allowed'],
    ['https://[::1]/x.vtt', 'source_not_allowed'],
    ['https://127.255.255.254:8443/x.vtt', 'source_unreachable'],
  ])('refuse the link %s', async (url, code) => {
    const response = await linked(url)
    expect(response).toMatchObject({ status: 422, code })
    expect(response.json.error?.param).toBe('source_url')
  })

  it('refuse a link to a missing file, to other text and to invalid UTF-8', async () => {
    expect((await linked(`${t.outside.baseUrl}/files/nothing.vtt`)).code).toBe('source_unreachable')
    expect((await linked(await t.serveFile('a.srt', '1\n'))).code).toBe('invalid_caption')
    const latin = await t.serveFile('latin.vtt', Buffer.from(`${VTT}\n\xe9`, 'latin1'))
    expect((await linked(latin)).code).toBe('invalid_caption')
    expect(await list()).toEqual([])
  })

  it('have at most 5 MB, inline or linked', async () => {
    const of = (sizeBytes: number) => `${VTT}\n\nNOTE ${'x'.repeat(sizeBytes - VTT.length - 7)}`
    expect(Buffer.byteLength(of(CAPTION_MAX_BYTES))).toBe(CAPTION_MAX_BYTES)
    expect((await inline('en', of(CAPTION_MAX_BYTES))).status).toBe(201)
    expect((await inline('en', of(CAPTION_MAX_BYTES + 1))).code).toBe('source_too_large')
    const large = await t.serveFile('large.vtt', of(CAPTION_MAX_BYTES + 1))
    expect((await linked(large)).code).toBe('source_too_large')
    expect((await linked(await t.serveFile('most.vtt', of(CAPTION_MAX_BYTES)))).status).toBe(201)
  })

  it.each(someOf(['\n', '00:00.000 --> 00:01.000\n', '<b>', '&', '<v '], 5))(
    'of 4 MB of %j are checked without blocking other requests',
    async (piece) => {
      const content = `WEBVTT\n\n00:00.000 --> 00:01.000\n${piece.repeat(3_900_000 / piece.length)}`
      const judged = inline('en', content)
      expect((await call('GET', '/v1/account')).status).toBe(200)
      expect([201, 422]).toContain((await judged).status)
    },
  )

  it('of up to 4.9 MB that cost the most, many at once, do not stop those of another account', async () => {
    const cue = '00:00.000 --> 00:01.000\n<i>\n\n'
    const content = `WEBVTT\n\n${cue.repeat(HAS_EVERY_CASE ? 168_000 : 20_000)}`
    const body = JSON.stringify({ language_code: 'en', label: 'Hostile', content })
    const flood = Array.from({ length: HAS_EVERY_CASE ? 40 : 6 }, () =>
      call('POST', path, { raw: body }),
    )
    const key = t.theirs.key
    const theirs = await call('POST', '/v1/videos', { key, body: { source_url: t.sourceUrl() } })
    const good = await call('POST', `/v1/videos/${String(theirs.json.id)}/captions`, {
      key,
      body: { language_code: 'en', label: 'Good', content: VTT },
    })
    expect(good.status).toBe(201)
    const responses = await Promise.all(flood)
    const refused = responses.filter(({ status }) => status === 429)
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(
      responses.length - refused.length,
    )
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5')
  })

  it.each([
    [{ label: 'x', content: VTT }, 'language_code'],
    [{ language_code: 'english!', label: 'x', content: VTT }, 'language_code'],
    [{ language_code: 'en_US', label: 'x', content: VTT }, 'language_code'],
    [{ language_code: null, label: 'x', content: VTT }, 'language_code'],
    [{ language_code: 'a-DE', label: 'x', content: VTT }, 'language_code'],
    [{ language_code: 'en', content: VTT }, 'label'],
    [{ language_code: 'en', label: '', content: VTT }, 'label'],
    [{ language_code: 'en', label: 'x' }, 'content'],
    [{ language_code: 'en', label: 'x', content: VTT, source_url: 'https://a.b/' }, 'content'],
    [{ language_code: 'en', label: 'x', content: 7 }, 'content'],
    [{ language_code: 'en', label: 'x', content: 'WEBVTT \ud800' }, 'content'],
  ])('refuse %j', async (body, param) => {
    const response = await add(body)
    expect(response).toMatchObject({ status: 422, code: 'invalid_parameter' })
    expect(response.json.error?.param).toBe(param)
  })

  it("do not find another account's video", async () => {
    const body = { language_code: 'en', label: 'x', content: VTT }
    const response = await call('POST', path, { body, key: t.theirs.key })
    expect(response.code).toBe('video_not_found')
  })

  it('are at most 100 for each video', async () => {
    await t.db.em.fork().execute(
      `insert into caption (video_id, language_code, label, content, size_bytes)
       select ?, 'x-' || n, 'x', 'WEBVTT', 6 from generate_series(1, 100) n`,
      [videoId],
    )
    expect(await inline('en')).toMatchObject({ status: 422, code: 'too_many_captions' })
    expect(await list()).toHaveLength(100)
  })
})
