import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Plan } from '../../db/entities/account.ts'
import { ContentKey, KeyRequest, Video } from '../../db/entities/video.ts'
import type { Protection } from '../../domain/accounts/plan.ts'
import { KEY_SHARINGS, type KeySharing } from '../../domain/drm/key-contract.ts'
import { createKeyProviders, type KeyProviderOptions } from '../../drm/key-providers.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import {
  keyServerListener,
  type KeyServerOptions,
} from '../../test/infrastructure/key-server/key-server.ts'
import { ensureContentKeys, openContentKey } from './content-keys.ts'

let fixture: IngestFixture
let url: string
let requests: string[]
let options: KeyServerOptions

beforeAll(async () => {
  fixture = await openIngestFixture({
    async spekeUrl(network) {
      network.dns.set('keys.test', ['127.0.0.1'])
      const listener = keyServerListener(
        () => options,
        ({ body }) => requests.push(body),
      )
      const { port } = await network.serveHttps(['keys.test'], listener)
      return (url = `https://keys.test:${port}/speke`)
    },
  })
})
beforeEach(() => {
  requests = []
  options = {}
})
afterAll(() => fixture.close())

const em = () => fixture.deps.db.em.fork()
const keysOf = (videoId: string) => em().find(ContentKey, { videoId }, { orderBy: { name: 'asc' } })
const videoOf = (videoId: string) => em().findOneOrFail(Video, { id: videoId })

/** Makes the keys that a video with audio and 360p needs. */
async function ensureKeys(videoId: string, changed: Partial<KeyProviderOptions> = {}) {
  const egress = fixture.network.egress()
  const speke = { url, authentication: { kind: 'none' } } as const
  const keyProvider = createKeyProviders({ egress, keyModel: 'provider', speke, ...changed })
  const video = await videoOf(videoId)
  await ensureContentKeys({ ...fixture.deps, keyProvider }, em(), video, ['AUDIO', 'SD'])
}

/** Adds a video whose account has changed its plan since. */
async function addVideo(protection: Protection, plan: Protection = protection): Promise<string> {
  const { videoId, accountId } = await fixture.addVideo({ protection })
  await em().nativeUpdate(Plan, { accountId }, { protection: plan })
  return videoId
}

const open = (videoId: string, trackType: 'AUDIO' | 'SD' | 'HD' | 'UHD') =>
  openContentKey(fixture.deps.masterKeys, em(), videoId, trackType)

describe('the content keys of a ClearKey video', () => {
  it('are one for each track type that it has, even after a change of plan', async () => {
    const videoId = await addVideo('clearkey', 'multi-drm')
    await ensureKeys(videoId)
    expect(requests).toEqual([])
    expect(await keysOf(videoId)).toMatchObject([
      { name: 'AUDIO', trackTypes: ['AUDIO'], ivHex: null, systems: [] },
      { name: 'SD', trackTypes: ['SD'], ivHex: null, systems: [] },
    ])
    expect((await videoOf(videoId)).keyModel).toBeNull()
    await ensureKeys(videoId)
    expect(await keysOf(videoId)).toHaveLength(2)
  })
})

describe('the content keys of a Multi-DRM video', () => {
  it('come from the key server, even after a change of plan, always for the whole contract', async () => {
    const videoId = await addVideo('multi-drm', 'clearkey')
    await ensureKeys(videoId)
    expect(requests).toHaveLength(1)
    const keys = await keysOf(videoId)
    expect(keys.map(({ name }) => name)).toEqual(['AUDIO', 'HD', 'SD', 'UHD'])
    for (const { systems, ivHex } of keys) {
      expect(systems).toHaveLength(3)
      expect(ivHex).toMatch(/^[\da-f]{32}$/)
    }
    expect((await videoOf(videoId)).keyModel).toBe('provider')
  })

  it.each<[KeySharing, number]>([
    ['separate', 4],
    ['video-shared', 2],
    ['all-shared', 1],
  ])('open for each track type with DRM_KEYS=%s', async (keySharing, count) => {
    expect(KEY_SHARINGS).toContain(keySharing)
    const videoId = await addVideo('multi-drm')
    await ensureKeys(videoId, { keySharing })
    expect(await keysOf(videoId)).toHaveLength(count)
    const opened = await Promise.all(
      (['AUDIO', 'SD', 'HD', 'UHD'] as const).map((type) => open(videoId, type)),
    )
    expect(new Set(opened.map(({ key }) => key.toString('hex'))).size).toBe(count)
    expect(opened.every(({ key }) => key.length === 16)).toBe(true)
  })

  it('are stored with the key ids that the provider chose', async () => {
    options = { overridesKeyIds: true }
    const videoId = await addVideo('multi-drm')
    await ensureKeys(videoId)
    const requested = await em().find(KeyRequest, { videoId })
    const stored = await keysOf(videoId)
    expect(stored).toHaveLength(4)
    const proposed = requested.map(({ keyId }) => keyId)
    for (const { keyId } of stored) expect(proposed).not.toContain(keyId)
  })

  it('are asked for with the same ids and IVs after a failure, also under another DRM_KEYS', async () => {
    const videoId = await addVideo('multi-drm')
    for (const status of [503, 403]) {
      options = { edit: (response) => ({ ...response, status }) }
      await expect(ensureKeys(videoId)).rejects.toMatchObject({ code: 'drm_provider_unavailable' })
      expect(await keysOf(videoId)).toEqual([])
    }
    options = {}
    await ensureKeys(videoId, { keySharing: 'all-shared' })
    expect(requests[1]).toBe(requests[0])
    expect(await keysOf(videoId)).toHaveLength(4)
  })

  it('are the same for runs at the same time', async () => {
    const videoId = await addVideo('multi-drm')
    await Promise.all(KEY_SHARINGS.map((keySharing) => ensureKeys(videoId, { keySharing })))
    expect(new Set(requests).size).toBe(1)
    const keys = await keysOf(videoId)
    const types = keys.flatMap(({ trackTypes }) => trackTypes)
    expect(types.toSorted()).toEqual(['AUDIO', 'HD', 'SD', 'UHD'])
  })

  it('are not stored if the response lacks signalling for one of them', async () => {
    options = {
      edit: (response) => ({
        ...response,
        body: response.body.replace(/<cpix:DRMSystem .*?<\/cpix:DRMSystem>/, ''),
      }),
    }
    const videoId = await addVideo('multi-drm')
    await expect(ensureKeys(videoId)).rejects.toThrow('DRMSystem of widevine for AUDIO')
    expect(await keysOf(videoId)).toEqual([])
  })

  it('are refused if a key id belongs to another video', async () => {
    const other = await addVideo('multi-drm')
    await ensureKeys(other)
    const [first] = await keysOf(other)
    options = { firstKeyId: Buffer.from(first?.keyId ?? '', 'hex') }
    const videoId = await addVideo('multi-drm')
    await expect(ensureKeys(videoId)).rejects.toMatchObject({ code: 'drm_provider_refused' })
    expect(await keysOf(videoId)).toEqual([])
  })

  it('are refused if the signalling of one names another', async () => {
    options = { mixesUpKeys: true }
    const videoId = await addVideo('multi-drm')
    await expect(ensureKeys(videoId)).rejects.toMatchObject({
      code: 'drm_signalling_mismatch',
      message: expect.stringMatching(
        / AUDIO is mixed up: the pssh box of widevine names another key\.$/,
      ),
    })
    expect(await keysOf(videoId)).toEqual([])
  })

  it('are refused if two of them have the same address for FairPlay', async () => {
    options = { repeatsAddress: true }
    const videoId = await addVideo('multi-drm')
    await expect(ensureKeys(videoId)).rejects.toMatchObject({
      code: 'drm_signalling_mismatch',
      message: expect.stringMatching(
        /: two keys have the same address in the HLS tag of fairplay\.$/,
      ),
    })
    expect(await keysOf(videoId)).toEqual([])
    const withOneKey = await addVideo('multi-drm')
    await ensureKeys(withOneKey, { keySharing: 'all-shared' })
    expect(await keysOf(withOneKey)).toHaveLength(1)
  })

  it('are not made for a video that was deleted meanwhile', async () => {
    const videoId = await addVideo('multi-drm')
    const video = await videoOf(videoId)
    await em().nativeUpdate(Video, { id: videoId }, { deletedAt: new Date() })
    const work = ensureContentKeys(fixture.deps, em(), video, ['SD'])
    await expect(work).rejects.toMatchObject({ code: 'video_gone' })
    expect(await em().count(KeyRequest, { videoId })).toBe(0)
  })

  it('are made here with DRM_KEY_MODEL=own, without any request', async () => {
    const videoId = await addVideo('multi-drm')
    await ensureKeys(videoId, { keyModel: 'own', speke: null })
    expect(requests).toEqual([])
    expect((await videoOf(videoId)).keyModel).toBe('own')
    const keys = await keysOf(videoId)
    expect(keys).toHaveLength(4)
    for (const { systems, keyId } of keys) expect(systems[0]?.hlsMedia?.keyIdHex).toBe(keyId)
    expect(await em().count(KeyRequest, { videoId })).toBe(0)
  })

  it('are nowhere in clear, neither in rows nor in what was asked for', async () => {
    const videoId = await addVideo('multi-drm')
    await ensureKeys(videoId)
    const rows = JSON.stringify([await keysOf(videoId), await em().find(KeyRequest, { videoId })])
    for (const type of ['AUDIO', 'SD', 'HD', 'UHD'] as const) {
      const { key } = await open(videoId, type)
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(rows).not.toContain(key.toString(encoding))
    }
  })
})
