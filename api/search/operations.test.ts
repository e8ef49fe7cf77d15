import { MockActivityEnvironment } from '@temporalio/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { withDeps } from '../../activities/deps.ts'
import { indexCaptions } from '../../activities/upkeep/index-captions.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call } = t

interface Result {
  video: { id: string; title: string; external_id: string | null }
  caption: { language_code: string; label: string }
  start_seconds: number
  end_seconds: number
  snippet: { text: string; is_match: boolean }[]
  embed_url: string
}

/** Ids by title. */
const ids = new Map<string, string>()

const index = () => new MockActivityEnvironment().run(withDeps({ db: t.db }, indexCaptions))

/** Cues of four seconds, from the beginning on. */
const vtt = (...texts: string[]): string => {
  const time = (seconds: number) =>
    `00:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
  const cues = texts.map((text, at) => `${time(at * 4)}.000 --> ${time(at * 4 + 3)}.500\n${text}\n`)
  return `WEBVTT\n\n${cues.join('\n')}`
}

async function addVideo(title: string, body: object = {}, key = t.ours.key): Promise<string> {
  const created = await call('POST', '/v1/videos', {
    body: { source_url: t.sourceUrl(), title, ...body },
    key,
  })
  const id = String(created.json.id)
  await t.db.em
    .fork()
    .execute(`update video set status = 'ready', duration_ms = 90000 where id = ?`, [id])
  ids.set(title, id)
  return id
}

async function say(
  title: string,
  language: string,
  content: string,
  key = t.ours.key,
): Promise<void> {
  const body = { language_code: language, label: language.toUpperCase(), content }
  const { status } = await call('POST', `/v1/videos/${ids.get(title) ?? ''}/captions`, {
    body,
    key,
  })
  expect(status).toBe(201)
}

async function search(query: Record<string, string>, key = t.ours.key) {
  const response = await call('GET', `/v1/search?${new URLSearchParams(query).toString()}`, { key })
  const results = (response.json.data ?? []) as Result[]
  return { ...response, results, titles: results.map(({ video }) => video.title) }
}

const marked = ({ snippet }: Result): string =>
  snippet.map(({ text, is_match }) => (is_match ? `[${text}]` : text)).join('')

const refused = (param: string) => ({
  status: 422,
  code: 'invalid_parameter',
  json: { error: { param } },
})

let folderId: string

beforeAll(async () => {
  const folder = await call('POST', '/v1/folders', { body: { name: 'Biology' } })
  folderId = String(folder.json.id)
  await addVideo('Plants', { folder_id: Number(folderId) })
  await addVideo('Batteries')
  await addVideo('Mixed')
  await addVideo('Theirs', {}, t.theirs.key)
  await say(
    'Plants',
    'en',
    vtt(
      'Welcome to this lesson.',
      'The cells of plants are small.',
      'Light is turned',
      'into <i>energy</i> & sugar.',
    ),
  )
  await say(
    'Plants',
    'de',
    vtt('Willkommen.', 'Die Zellen der Pflanzen sind klein.', 'Albert Einstein'),
  )
  await say(
    'Batteries',
    'en-GB',
    vtt('A battery has cells, and a cell has energy.', 'Albert Einstein'),
  )
  await say('Mixed', 'zh', vtt('今天我们学习机器学习的基础。', '喝茶', '人工', '智能'))
  await say('Mixed', 'ar', vtt('مرحبا بكم في الدرس', 'الطاقة الشمسية مهمة'))
  await say('Mixed', 'pl', vtt('Dzień dobry, Łódź!'))
  await say('Mixed', 'th', vtt('สวัสดีชาวโลก'))
  await say('Theirs', 'en', vtt('Cells of theirs have energy and light.'), t.theirs.key)
  await index()
})

describe('GET /v1/search', () => {
  it('returns the moment, the caption and the address that plays from there on', async () => {
    const { status, json, results } = await search({ q: 'turn light' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ object: 'list', has_more: false, url: '/v1/search' })
    const id = ids.get('Plants') ?? ''
    expect(results).toEqual([
      {
        object: 'search_result',
        video: {
          id,
          title: 'Plants',
          status: 'ready',
          external_id: null,
          duration: 90,
          poster_url: null,
        },
        caption: { language_code: 'en', label: 'EN' },
        start_seconds: 8,
        end_seconds: 11.5,
        snippet: [
          { text: 'Light', is_match: true },
          { text: ' is ', is_match: false },
          { text: 'turned', is_match: true },
          { text: ' into energy & sugar.', is_match: false },
        ],
        embed_url: expect.stringMatching(new RegExp(`/${id}/[^?]+\\?start=8&captions=en$`)),
      },
    ])
  })

  it.each([
    ['cell', ['Batteries', 'Plants']],
    ['CELLS', ['Batteries', 'Plants']],
    ['cells energy', ['Batteries', 'Plants']],
    ['"cell has energy"', ['Batteries']],
    ['"a cell has" energy', ['Batteries', 'Plants']],
    ['"light is turned into energy"', ['Plants']],
    ['"light energy"', []],
    ['energy -battery', ['Plants']],
    ['energy -"sugar"', ['Batteries']],
    ['sugar OR battery', ['Batteries', 'Plants']],
    ['Zelle', ['Plants']],
    ['kleine Pflanze', ['Plants']],
    ['学习', ['Mixed']],
    ['机器学习', ['Mixed']],
    ['习机', ['Mixed']],
    ['学机器', []],
    ['茶', ['Mixed']],
    ['人工智能', ['Mixed']],
    ['درس', ['Mixed']],
    ['طاقة', ['Mixed']],
    ['lodz', ['Mixed']],
    ['ชาวโลก', ['Mixed']],
    ['photosynthesis', []],
  ])('finds %j in %j', async (q, titles) => {
    expect(new Set((await search({ q })).titles)).toEqual(new Set(titles))
  })

  it('ranks what is said most and closest first', async () => {
    expect((await search({ q: 'cell' })).titles[0]).toBe('Batteries')
  })

  it('marks what was said in its own form, whatever its script', async () => {
    const one = async (q: string) => marked((await search({ q })).results[0] as Result)
    expect(await one('机器学习')).toBe('今天我们[学习机器学习]的基础。 喝茶 人工 智能')
    expect(await one('درس')).toBe('مرحبا بكم في [الدرس] الطاقة الشمسية مهمة')
    expect(await one('łodz')).toBe('Dzień dobry, [Łódź]!')
  })

  it('returns a moment once that captions in several languages have', async () => {
    const { results } = await search({ q: 'Einstein' })
    const ofPlants = results.filter(({ video }) => video.title === 'Plants')
    expect([results.length, ofPlants.length]).toEqual([2, 1])
  })

  it('is limited to a language, with its variants', async () => {
    const languages = async (language: string) =>
      (await search({ q: 'Einstein OR cells', language })).results.map(
        ({ caption }) => caption.language_code,
      )
    expect(new Set(await languages('en'))).toEqual(new Set(['en', 'en-GB']))
    expect(new Set(await languages('EN-gb'))).toEqual(new Set(['en-GB']))
    expect(new Set(await languages('de'))).toEqual(new Set(['de']))
    expect(await languages('fr')).toEqual([])
  })

  it('is limited to a folder, or to the videos without one', async () => {
    expect((await search({ q: 'cells', folder_id: folderId })).titles).toEqual(['Plants'])
    expect((await search({ q: 'cells', folder_id: 'none' })).titles).toEqual(['Batteries'])
    expect((await search({ q: 'cells', folder_id: '999999' })).titles).toEqual([])
  })

  it('returns as many moments as are wanted, and three of a video at most', async () => {
    await addVideo('Long')
    const texts = Array.from({ length: 200 }, (_, at) => (at % 10 === 0 ? 'mitochondria' : 'pause'))
    await say('Long', 'en', vtt(...texts))
    await index()
    expect((await search({ q: 'mitochondria' })).results).toHaveLength(3)
    expect((await search({ q: 'mitochondria', limit: '1' })).results).toHaveLength(1)
  })

  it('never returns what another account has said', async () => {
    const theirs = await search({ q: 'light' }, t.theirs.key)
    expect(theirs.titles).toEqual(['Theirs'])
    for (const q of ['theirs', 'light', `${t.theirs.id}/en theirs`])
      expect((await search({ q })).titles).not.toContain('Theirs')
    const folder = await search({ q: 'cells', folder_id: folderId }, t.theirs.key)
    expect(folder.titles).toEqual([])
    await t.db.em
      .fork()
      .execute(
        `update caption_passage set words = words || array_to_tsvector(array[?]) where account_id = ?`,
        [`${t.ours.id}/en`, t.theirs.id],
      )
    expect((await search({ q: 'theirs' })).titles).toEqual([])
  })

  it('returns an empty list to an account without captions', async () => {
    const { key } = await t.makeAccount()
    expect(await search({ q: 'light' }, key)).toMatchObject({ status: 200, results: [] })
  })

  it.each(['', ' ', '…', '-light', 'the of', '-light -the', '"', 'x'.repeat(201)])(
    'refuses a search without a word that can be found: %j',
    async (q) => {
      expect(await search({ q, language: 'en' })).toMatchObject(refused('q'))
    },
  )

  it.each([
    ['limit', '51'],
    ['limit', '0'],
    ['language', 'not_a_language'],
    ['folder_id', 'x'],
  ])('refuses %s=%s', async (param, value) => {
    expect(await search({ q: 'light', [param]: value })).toMatchObject(refused(param))
  })
})

describe('the captions of a video', () => {
  it('are found only while it plays and exists', async () => {
    const id = await addVideo('Passing')
    await say('Passing', 'en', vtt('Zeppelin'))
    await index()
    const found = async () => (await search({ q: 'zeppelin' })).titles
    const set = (status: string) =>
      t.db.em.fork().execute('update video set status = ? where id = ?', [status, id])
    expect(await found()).toEqual(['Passing'])
    await set('playable')
    expect(await found()).toEqual(['Passing'])
    await set('failed')
    expect(await found()).toEqual([])
    await set('ready')
    expect((await call('DELETE', `/v1/videos/${id}`)).status).toBe(200)
    expect(await found()).toEqual([])
  })

  it('are not found any more once they are deleted, before the index follows', async () => {
    const id = await addVideo('Renamed')
    await say('Renamed', 'en', vtt('Gondola'))
    await index()
    expect((await search({ q: 'gondola' })).titles).toEqual(['Renamed'])
    await call('DELETE', `/v1/videos/${id}/captions/en`)
    expect((await search({ q: 'gondola' })).titles).toEqual([])
  })
})

describe('of a word that is said very often', () => {
  /** Inserts passages of a video, all in the samples that they would have, or in none. */
  async function repeat(id: string, word: string, count: number, areSampled = true) {
    const em = t.db.em.fork()
    await em.execute(
      `insert into caption (video_id, language_code, label, content, size_bytes) values (?, 'en', 'E', '', 0)`,
      [id],
    )
    await index()
    await em.execute(
      `insert into caption_passage (video_id, language_code, number, account_id, language, cues, words)
       select ?, 'en', n, ?, 'en', jsonb_build_array(jsonb_build_array(n, n + 1, w.words)),
         array_to_tsvector(array(select '#' || s from generate_series(1, 8) s where ? and n % 256 < 256 >> s) || ?::text)
           || to_tsvector('english', w.words)
       from generate_series(0, ? - 1) n, repeat(? || ' ', 1 + n % 7) w (words)`,
      [id, t.ours.id, areSampled, `${t.ours.id}/en`, count, word],
    )
  }

  it('an even sample is ranked, with the same result each time', async () => {
    await repeat(await addVideo('Often'), 'often', 10_000)
    const { results } = await search({ q: 'often' })
    expect(results.map((one) => marked(one).match(/often/g)?.length)).toEqual([7, 7, 7])
    expect((await search({ q: 'often' })).results).toEqual(results)
  })

  it('those of videos that do not play take no place of others', async () => {
    const failed = await addVideo('Failed')
    await t.db.em.fork().execute(`update video set status = 'failed' where id = ?`, [failed])
    await repeat(failed, 'frequent', 5_000, false)
    await repeat(await addVideo('Playing'), 'frequent', 1, false)
    expect((await search({ q: 'frequent' })).titles).toEqual(['Playing'])
  })
})
