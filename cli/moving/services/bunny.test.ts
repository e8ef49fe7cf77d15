import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bunnyVideo,
  startBunnyDouble,
  type BunnyLibraryDouble,
} from '../../../test/fixtures/services/bunny-double.ts'
import {
  allVideos,
  makeManifestFolder,
  testClient,
  type ManifestFolder,
} from '../../../test/fixtures/services/manifest-folder.ts'
import type { ServiceDouble } from '../../../test/fixtures/services/service-double.ts'
import { captureError } from '../../../test/infrastructure/test-network.ts'
import { bunny, bunnyHeaders, bunnyPath, signedPath } from './bunny.ts'

const ZONE = 'vz-1a2b.b-cdn.net'
const GUID = 'eb1c4f77-0cda-46be-b47d-1118ad7c2ffe'
const SHA256 = 'AB'.repeat(32)

let library: BunnyLibraryDouble
let double: ServiceDouble
let folder: ManifestFolder

beforeEach(async () => {
  library = { libraryId: '759', apiKey: 'bunny-key', videos: [], collections: [] }
  double = await startBunnyDouble(library)
  folder = await makeManifestFolder()
})
afterEach(async () => {
  await double.close()
  await folder.remove()
})

const service = (apiKey = 'bunny-key', tokenKey: string | null = null) => {
  const { client } = testClient(double.api, bunnyHeaders(apiKey), { path: bunnyPath('759') })
  return bunny(client, { libraryId: '759', pullZone: ZONE, tokenKey })
}

describe('a manifest of the videos at Bunny Stream', () => {
  it('has what Bunny knows of each, with the hash of its original', async () => {
    library.collections = [{ guid: 'c1', name: 'Course' }, { guid: 'c2' }]
    library.videos = [
      bunnyVideo(GUID, {
        collectionId: 'c1',
        originalHash: SHA256,
        category: 'Other',
        chapters: [
          { title: 'First', start: 0, end: 70 },
          { title: 'Second', start: 30, end: 40 },
          { title: 'After the end', start: 90, end: 95 },
        ],
        metaTags: [
          { property: 'description', value: 'About tides.' },
          { property: 'keywords', value: 'sea, tide' },
          { property: 'vimeo[id]', value: '258' },
        ],
      }),
    ]
    const { line, printed, result } = await folder.make(service())
    expect(line(`bunny:${GUID}`)).toEqual({
      source: { kind: 'link', url: `https://${ZONE}/${GUID}/original` },
      externalId: `bunny:${GUID}`,
      title: `Lesson ${GUID}`,
      description: 'About tides.',
      folder: 'Course',
      tags: ['sea', 'tide'],
      metadata: { vimeo_id_: '258', bunny_category: 'Other', bunny_file: 'original' },
      captions: null,
      chapters: [
        { title: 'First', start: 0, end: 30 },
        { title: 'Second', start: 30, end: 40 },
      ],
      poster: null,
      createdAt: '2024-03-01T08:30:00.123Z',
      sha256: SHA256.toLowerCase(),
      oldUrl: `https://player.mediadelivery.net/embed/759/${GUID}`,
    })
    expect(printed).toContain('incomplete. Of its 3 chapters, 2 are kept.')
    expect(result.expiresAt).toBeNull()
  })

  it('links an MP4 file where there is no original, up to the height that Bunny makes', async () => {
    const mp4 = { hasOriginal: false, originalHash: SHA256 }
    library.videos = [
      bunnyVideo('a1', { ...mp4, availableResolutions: '240p,2160p,1080p,720p' }),
      bunnyVideo('a2', { ...mp4, availableResolutions: '2160p' }),
      bunnyVideo('a3', { ...mp4, availableResolutions: '1440p,2160p' }),
      bunnyVideo('a4', { ...mp4, hasMP4Fallback: false }),
      bunnyVideo('a5', { status: 3 }),
    ]
    const { lines, printed } = await folder.make(service())
    expect(lines.map(({ source }) => source)).toEqual([
      { kind: 'link', url: `https://${ZONE}/a1/play_1080p.mp4` },
      { kind: 'link', url: `https://${ZONE}/a2/play_2160p.mp4` },
    ])
    expect(lines.map(({ sha256 }) => sha256)).toEqual([null, null])
    expect(printed).toContain('bunny:a3 (Lesson a3): left out. Bunny keeps neither its original')
    expect(printed).toContain('bunny:a4 (Lesson a4): left out.')
    expect(printed).toContain('bunny:a5 (Lesson a5): left out. Its status at Bunny is 3')
  })

  it('has signed links for a pull zone that wants them, and says when they end', async () => {
    library.videos = [bunnyVideo(GUID)]
    const { lines, result, printed } = await folder.make(service('bunny-key', 'SecurityKey'))
    expect(lines[0]?.source).toMatchObject({
      url: expect.stringMatching(
        new RegExp(`^https://${ZONE}/${GUID}/original\\?token=HS256-[\\w-]{43}&expires=\\d{10}$`),
      ) as string,
    })
    const days = ((result.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    expect(printed).toContain('Its links end from ')
    expect(JSON.stringify(lines)).not.toContain('SecurityKey')
  })

  it('signs as the vectors that Bunny publishes', () => {
    // "plain" of e2e/vectors.json in github.com/BunnyWay/BunnyCDN.TokenAuthentication.
    expect(signedPath('/300kb.jpg', 'SecurityKey', 1_598_024_587)).toBe(
      '/300kb.jpg?token=HS256-o10JRWlsAItyAsdKS6jJKjabHN4FrFsplDHPV1idcX4&expires=1598024587',
    )
  })

  it('has the videos of every page once, also of one that moves to the next', async () => {
    library.videos = Array.from({ length: 150 }, (_, index) => bunnyVideo(`a${index}`))
    const { client } = testClient(double.api, bunnyHeaders('bunny-key'), { path: bunnyPath('759') })
    const growing = bunny(
      {
        ...client,
        async get(path, schema) {
          const page = await client.get(path, schema)
          if (path.startsWith('/videos?page=1&')) library.videos.unshift(bunnyVideo('new'))
          return page
        },
      },
      { libraryId: '759', pullZone: ZONE, tokenKey: null },
    )
    const { lines } = await folder.make(growing)
    expect(lines).toHaveLength(150)
  })

  it('has posters that somebody chose, and captions at addresses that stay in the video', async () => {
    library.videos = [
      bunnyVideo('a1', {
        thumbnailFileName: 'thumbnail_4.jpg',
        captions: [{ srclang: 'en', label: 'English' }],
      }),
      bunnyVideo('a2', {
        thumbnailFileName: '../../x.jpg',
        captions: [{ srclang: '../../en', label: 'English' }],
      }),
      bunnyVideo('a3'),
    ]
    const found = await allVideos(service())
    expect(found).toMatchObject([
      {
        poster: `https://${ZONE}/a1/thumbnail_4.jpg`,
        captions: [{ language: 'en', file: { link: `https://${ZONE}/a1/captions/en.vtt` } }],
      },
      { poster: null },
      { poster: null },
    ])
    library.videos = library.videos.slice(1)
    const { lines, printed } = await folder.make(service())
    expect(lines.map(({ captions }) => captions)).toEqual([null, null])
    expect(printed).toContain('bunny:a2 (Lesson a2): incomplete. A caption has no language tag')
  })

  it('is not made with the key of the account', async () => {
    expect(await captureError(folder.make(service('account-key')))).toMatchObject({
      code: 'credentials_refused',
    })
  })
})
