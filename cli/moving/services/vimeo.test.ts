import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  allVideos,
  makeManifestFolder,
  testClient,
  type ManifestFolder,
} from '../../../test/fixtures/services/manifest-folder.ts'
import type { ServiceDouble } from '../../../test/fixtures/services/service-double.ts'
import {
  startVimeoDouble,
  vimeoFile,
  vimeoVideo,
  type VimeoAccount,
} from '../../../test/fixtures/services/vimeo-double.ts'
import { captureError } from '../../../test/infrastructure/test-network.ts'
import { vimeo, vimeoHeaders } from './vimeo.ts'

const TOKEN = 'vimeo-token'
let account: VimeoAccount
let double: ServiceDouble
let folder: ManifestFolder

beforeEach(async () => {
  account = {
    token: TOKEN,
    scope: 'public private video_files',
    videos: [],
    textTracks: {},
    chapters: {},
    limits: {},
  }
  double = await startVimeoDouble(account)
  folder = await makeManifestFolder()
})
afterEach(async () => {
  await double.close()
  await folder.remove()
})

const service = (token = TOKEN) => vimeo(testClient(double.api, vimeoHeaders(token)).client)

/** The videos as the reader finds them. */
const found = () => allVideos(service())

/** A reader that does something before it asks for the chapters of a video. */
function serviceWith(beforeChapters: (path: string) => void) {
  const { client } = testClient(double.api, vimeoHeaders(TOKEN))
  return vimeo({
    ...client,
    find(path, schema) {
      if (path.includes('/chapters')) beforeChapters(path)
      return client.find(path, schema)
    },
  })
}

describe('a manifest of the videos at Vimeo', () => {
  it('has what Vimeo knows of each', async () => {
    account.videos = [
      vimeoVideo(258, {
        description: 'About tides.',
        duration: 100.5,
        parent_folder: { name: 'Course', uri: '/users/1/projects/2' },
        tags: [{ name: 'sea' }, { name: 'Sea' }, { name: 'tide' }],
      }),
    ]
    account.chapters['258'] = [
      { title: 'Second', timecode: 40 },
      { title: 'First', timecode: 0 },
    ]
    const { line, result } = await folder.make(service())
    expect(line('vimeo:258')).toEqual({
      source: {
        kind: 'link',
        url: 'https://player.vimeo.com/progressive_redirect/download/258/720p.mp4?expires=1',
      },
      externalId: 'vimeo:258',
      title: 'Lesson 258',
      description: 'About tides.',
      folder: 'Course',
      tags: ['sea', 'tide'],
      metadata: {
        vimeo_link: 'https://vimeo.com/258',
        vimeo_privacy: 'unlisted',
        vimeo_language: 'en',
        vimeo_file: '720p',
      },
      captions: null,
      chapters: [
        { title: 'First', start: 0, end: 40 },
        { title: 'Second', start: 40, end: 101 },
      ],
      poster: null,
      createdAt: '2020-05-01T10:00:00.000Z',
      sha256: null,
      oldUrl: 'https://player.vimeo.com/video/258?h=abc',
    })
    expect(result).toMatchObject({ lines: 1, leftOut: 0, incomplete: 0 })
    expect(result.expiresAt?.toISOString()).toBe('2030-01-02T00:00:00.000Z')
  })

  it('links the file that was uploaded, else the highest one, and no playlist', async () => {
    const link = (name: string) => `https://player.vimeo.com/${name}`
    account.videos = [
      vimeoVideo(1, {
        download: [
          vimeoFile(1, { height: 2_160, link: link('2160p') }),
          vimeoFile(1, { quality: 'source', height: 1_080, link: link('source') }),
        ],
      }),
      vimeoVideo(2, {
        download: [
          vimeoFile(2, { height: 360, link: link('360p') }),
          vimeoFile(2, { height: 1_080, link: link('1080p') }),
          vimeoFile(2, { quality: 'hls', height: 4_320, link: link('hls') }),
        ],
      }),
    ]
    const { lines } = await folder.make(service())
    expect(lines.map(({ source }) => source)).toEqual([
      { kind: 'link', url: link('source') },
      { kind: 'link', url: link('1080p') },
    ])
  })

  it('has the videos of every page once, and asks for no more than a hundred at a time', async () => {
    account.videos = Array.from({ length: 250 }, (_, index) => vimeoVideo(index + 1))
    const { lines, result } = await folder.make(service())
    expect(result.lines).toBe(250)
    expect(new Set(lines.map(({ externalId }) => externalId)).size).toBe(250)
    const pages = double.requests.filter(({ url }) => url.pathname === '/me/videos')
    expect(pages).toHaveLength(3)
  })

  it('leaves out, and names, what has no file and what is not as documented', async () => {
    account.videos = [
      vimeoVideo(1, { download: [] }),
      vimeoVideo(2, { download: [{ quality: 'hd' }] }),
      { uri: '/videos/../../me', name: 'Odd' },
      { uri: '', name: 'No uri' },
      vimeoVideo(3, { uri: '/videos/3:abcdef' }),
    ]
    const { lines, records, result, printed } = await folder.make(service())
    expect(lines.map(({ externalId }) => externalId)).toEqual(['vimeo:3'])
    expect(result).toMatchObject({ lines: 1, leftOut: 4, incomplete: 0 })
    expect(records[0]).toEqual({
      object: 'manifest_video',
      external_id: 'vimeo:1',
      title: 'Lesson 1',
      result: 'left_out',
      problems: [
        'Vimeo gives no link to its file: links need a paid plan, and a video that has been processed.',
      ],
    })
    expect(printed).toContain(
      'vimeo:2: left out. The record is not as documented: download.0.link.',
    )
    expect(printed).toContain(
      'a video without an id: left out. The record is not as documented: uri.',
    )
    expect(records.at(-1)).toMatchObject({ object: 'manifest', lines: 1, left_out: 4 })
  })

  it('has no captions that viewers do not see, and one of a language', async () => {
    account.videos = [vimeoVideo(1, { metadata: { connections: { texttracks: { total: 5 } } } })]
    const track = (more: object) => ({
      active: true,
      language: 'en',
      name: 'English',
      type: 'captions',
      link: 'https://nowhere.test/1.vtt',
      ...more,
    })
    account.textTracks['1'] = [
      track({ active: false, language: 'fr' }),
      track({ type: 'chapters', language: 'it' }),
      track({ language: 'en-x-autogen', name: 'English (heard)' }),
      track({ language: 'de-x-autogen', name: 'Deutsch' }),
      track({}),
      track({ type: 'subtitles', name: 'English again' }),
    ]
    expect(await found()).toMatchObject([
      {
        captions: [
          { language: 'en', label: 'English', file: { link: 'https://nowhere.test/1.vtt' } },
          { language: 'en', label: 'English again' },
          { language: 'de', label: 'Deutsch' },
        ],
      },
    ])
  })

  it('has a poster that somebody chose, and no frame that Vimeo chose', async () => {
    const sizes = [100, 640, 1_920, 3_840].map((width) => ({
      width,
      height: width / 2,
      link: `https://i.vimeocdn.com/video/${width}`,
    }))
    account.videos = [
      vimeoVideo(1, { pictures: { type: 'custom', sizes } }),
      vimeoVideo(2, { pictures: { type: 'default', sizes } }),
    ]
    expect(await found()).toMatchObject([
      { poster: 'https://i.vimeocdn.com/video/1920' },
      { poster: null },
    ])
  })
})

describe('an account at Vimeo', () => {
  it('is not read with a token that has ended', async () => {
    expect(await captureError(folder.make(service('old-token')))).toMatchObject({
      code: 'credentials_refused',
      message: 'The double refuses the credentials (status 401). Look at them.',
    })
    expect(await folder.files()).toEqual({})
  })

  it('is not read with a token that ends meanwhile, and the earlier manifest stays', async () => {
    account.videos = [vimeoVideo(1)]
    const before = await folder.make(service())
    account.videos = Array.from({ length: 150 }, (_, index) => vimeoVideo(index + 1))
    const ending = serviceWith((path) => {
      if (path.startsWith('/videos/30/')) account.token = 'another'
    })
    expect(await captureError(folder.make(ending))).toMatchObject({ code: 'credentials_refused' })
    const { lines } = before
    const text = await readFile(folder.output, 'utf8')
    expect(text.split('\n').filter(Boolean)).toHaveLength(lines.length)
    expect(await readdir(folder.base)).toEqual(['videos.ndjson'])
  })

  it('is not read without the scopes that links need', async () => {
    account.scope = 'public private'
    account.videos = [vimeoVideo(1)]
    expect(await captureError(folder.make(service()))).toMatchObject({
      code: 'credentials_refused',
      message:
        'The token in VIMEO_ACCESS_TOKEN lacks the scope video_files. Make one with public, private and video_files.',
    })
  })

  it('is not left for another host by a link to the next page', async () => {
    account.videos = Array.from({ length: 150 }, (_, index) => vimeoVideo(index + 1))
    account.next = 'https://evil.example/videos'
    expect(await captureError(folder.make(service()))).toMatchObject({
      code: 'unexpected_response',
      message: 'A link to a next page leads to another host. It was not followed.',
    })
  })

  it('whose list of chapters is refused has videos without them, and says so', async () => {
    account.videos = [vimeoVideo(1)]
    const refusing = serviceWith(() => double.interrupt({ status: 403 }))
    const { lines, result } = await folder.make(refusing)
    expect(lines).toHaveLength(1)
    expect(result.incomplete).toBe(1)
  })
})
