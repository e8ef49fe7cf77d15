import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  cloudflareDownload,
  cloudflareVideo,
  startCloudflareDouble,
  type CloudflareAccount,
} from '../../../test/fixtures/services/cloudflare-double.ts'
import {
  allVideos,
  makeManifestFolder,
  testClient,
  type ManifestFolder,
} from '../../../test/fixtures/services/manifest-folder.ts'
import type { ServiceDouble } from '../../../test/fixtures/services/service-double.ts'
import { captureError } from '../../../test/infrastructure/test-network.ts'
import { cloudflare, cloudflareHeaders, cloudflarePath } from './cloudflare.ts'

const ACCOUNT = 'a'.repeat(32)
const HOST = 'https://customer-f33z.cloudflarestream.com'
/** The API is not asked for the files of such videos. */
const NOT_READY = { status: { state: 'queued' } }

let account: CloudflareAccount
let double: ServiceDouble
let folder: ManifestFolder

beforeEach(async () => {
  account = {
    accountId: ACCOUNT,
    token: 'cloudflare-token',
    mayWrite: true,
    videos: [],
    downloads: {},
    captions: {},
    inProgressFor: 2,
    startIsInRange: true,
  }
  double = await startCloudflareDouble(account)
  folder = await makeManifestFolder()
})
afterEach(async () => {
  await double.close()
  await folder.remove()
})

const open = (prepare = false, token = 'cloudflare-token') => {
  const path = cloudflarePath(ACCOUNT)
  const { client, waits } = testClient(double.api, cloudflareHeaders(token), { path })
  return { service: cloudflare(client, { prepare }), waits }
}

/** Adds a video with a file. */
function add(uid: string, second = 0, more: object = {}): void {
  account.videos.push(cloudflareVideo(uid, second, more))
  account.downloads[uid] = cloudflareDownload(uid)
}

describe('a manifest of the videos at Cloudflare Stream', () => {
  it('has what Cloudflare knows of each, with the captions of its API beside it', async () => {
    add('v1', 5, { creator: 'anna', meta: { name: 'Tides', course: 7, nested: { no: 1 } } })
    account.captions['v1'] = [
      {
        language: 'en',
        label: 'English',
        status: 'ready',
        content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi',
      },
      { language: 'de', status: 'inprogress', content: '' },
      { language: 'pt-br', content: '1\r\n00:00:00,500 --> 00:00:01,000\r\nOlá\r\n' },
      { language: 'fr', label: 'Français', content: 'not found' },
    ]
    const { line, result, printed } = await folder.make(open().service)
    expect(line('cloudflare:v1')).toMatchObject({
      source: { kind: 'link', url: `${HOST}/v1/downloads/default.mp4` },
      title: 'Tides',
      createdAt: '2022-01-01T00:00:05.000Z',
      oldUrl: `${HOST}/v1/iframe`,
      metadata: { course: '7', cloudflare_creator: 'anna' },
      captions: [
        { path: 'videos-files/v1.en.vtt', language: 'en', label: 'English', isDefault: false },
        { path: 'videos-files/v1.pt-BR.vtt', language: 'pt-BR', label: 'pt-BR', isDefault: false },
      ],
    })
    expect(await folder.files()).toEqual({
      'v1.en.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi',
      'v1.pt-BR.vtt': 'WEBVTT\n\n1\n00:00:00.500 --> 00:00:01.000\nOlá\n',
    })
    expect(printed).toContain(
      'cloudflare:v1 (Tides): incomplete. The caption fr is missing. It is neither WebVTT nor SRT.',
    )
    expect(result).toMatchObject({ lines: 1, incomplete: 1, expiresAt: null })
  })

  it('has a link with a token for a video that needs one', async () => {
    add('v1', 0, { requireSignedURLs: true })
    const { lines, result } = await folder.make(open().service)
    expect(lines[0]).toMatchObject({
      source: { url: `${HOST}/signed.token.downloadable/downloads/default.mp4` },
      oldUrl: `${HOST}/v1/iframe`,
    })
    const hours = ((result.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
  })

  it('changes nothing at Cloudflare, and leaves out what has no file', async () => {
    add('v1')
    account.videos.push(cloudflareVideo('v2', 1))
    add('v3', 2, { readyToStream: false, status: { state: 'inprogress' } })
    const { lines, printed } = await folder.make(open().service)
    expect(lines.map(({ externalId }) => externalId)).toEqual(['cloudflare:v1'])
    expect(printed).toContain(
      'cloudflare:v2 (Lesson v2): left out. It has no MP4 file to download.',
    )
    expect(printed).toContain(
      'cloudflare:v3 (Lesson v3): left out. Its state at Cloudflare is inprogress.',
    )
    expect(double.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('has files that Cloudflare was asked for with prepare, once they are made', async () => {
    add('v1')
    account.videos.push(cloudflareVideo('v2', 1))
    const { service, waits } = open(true)
    const { lines } = await folder.make(service)
    expect(lines).toHaveLength(2)
    expect(waits).toEqual([5_000, 5_000, 5_000])
    const posts = double.requests.filter(({ method }) => method === 'POST')
    expect(posts.map(({ url }) => url.pathname)).toEqual([
      `/accounts/${ACCOUNT}/stream/v2/downloads`,
    ])
  })

  it('leaves out a video whose file cannot be asked for', async () => {
    account.videos.push(cloudflareVideo('v1'))
    const path = cloudflarePath(ACCOUNT)
    const { client } = testClient(double.api, cloudflareHeaders('cloudflare-token'), { path })
    const refusing = cloudflare(
      {
        ...client,
        send(...args) {
          double.interrupt({ status: 400 })
          return client.send(...args)
        },
      },
      { prepare: true },
    )
    const { result, printed } = await folder.make(refusing)
    expect(result).toMatchObject({ lines: 0, leftOut: 1 })
    expect(printed).toContain('left out. The double responds to /v1/downloads with status 400.')
  })

  it.each([true, false])(
    'has the videos of every page once, also those of one time (start in the range: %s)',
    async (startIsInRange) => {
      account.startIsInRange = startIsInRange
      for (let index = 0; index < 1_200; index += 1)
        account.videos.push(cloudflareVideo(`v${index}`, Math.floor(index / 7), NOT_READY))
      const found = await allVideos(open().service)
      expect(new Set(found.map(({ id }) => id)).size).toBe(1_200)
      expect(found).toHaveLength(1_200)
      const lists = double.requests.filter(({ url }) => url.pathname.endsWith('/stream'))
      expect(lists.length).toBeLessThan(5)
    },
  )

  it('is not made if a page ends within so many videos of one second', async () => {
    for (let index = 0; index < 1_100; index += 1)
      account.videos.push(cloudflareVideo(`v${index}`, 0, NOT_READY))
    expect(await captureError(allVideos(open().service))).toMatchObject({
      code: 'unexpected_response',
    })
  })

  it('is not made with a wrong token, nor prepared without the right to write', async () => {
    expect(await captureError(folder.make(open(false, 'wrong').service))).toMatchObject({
      code: 'credentials_refused',
    })
    account.mayWrite = false
    account.videos.push(cloudflareVideo('v1'))
    expect(await captureError(folder.make(open(true).service))).toMatchObject({
      code: 'credentials_refused',
    })
  })

  it('has a poster of a frame that somebody chose', async () => {
    add('v1', 0, { thumbnailTimestampPct: 0.5 })
    add('v2', 1)
    expect(await allVideos(open().service)).toMatchObject([
      { poster: `${HOST}/v1/thumbnails/thumbnail.jpg?height=1080` },
      { poster: null },
    ])
  })
})
