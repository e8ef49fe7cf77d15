import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Plan } from '../db/entities/account.ts'
import { ContentKey, Video } from '../db/entities/video.ts'
import type { Protection } from '../domain/plan.ts'
import { openIngestFixture } from '../test/fixtures/ingest.ts'
import type { IngestFixture } from '../test/fixtures/ingest.ts'
import { answerCpix } from '../test/infrastructure/key-server.ts'
import { ensureContentKeys } from './content-keys.ts'

let fixture: IngestFixture
let requests = 0
let answer: (request: string) => string

beforeAll(async () => {
  fixture = await openIngestFixture({
    async spekeUrl(network) {
      network.dns.set('keys.test', ['127.0.0.1'])
      const { port } = await network.serveHttps(['keys.test'], (request, response) => {
        requests += 1
        void text(request).then((body) => response.end(answer(body)))
      })
      return `https://keys.test:${port}/speke`
    },
  })
})
beforeEach(() => {
  requests = 0
  answer = answerCpix
})
afterAll(() => fixture.close())

const em = () => fixture.deps.db.em.fork()
const keysOf = (videoId: string) => em().find(ContentKey, { videoId })

/** Makes the keys of a video whose account has changed its plan. */
async function makeKeys(protection: Protection, plan: Protection): Promise<ContentKey[]> {
  const { videoId, accountId } = await fixture.addVideo({ protection })
  await em().nativeUpdate(Plan, { accountId }, { protection: plan })
  const video = await em().findOneOrFail(Video, { id: videoId })
  await ensureContentKeys(fixture.deps, em(), video, ['AUDIO', 'SD'])
  return keysOf(videoId)
}

describe('the content keys of a video', () => {
  it('come from the DRM provider for a Multi-DRM video, even after a change of plan', async () => {
    const keys = await makeKeys('multi-drm', 'clearkey')
    expect(requests).toBe(1)
    expect(keys.flatMap(({ trackTypes }) => trackTypes).toSorted()).toEqual([
      'AUDIO',
      'HD',
      'SD',
      'UHD',
    ])
    for (const { systems, ivHex } of keys)
      expect([systems.length, ivHex]).toEqual([3, '07'.repeat(16)])
  })

  it('are ClearKey keys for a ClearKey video, even after a change of plan', async () => {
    const keys = await makeKeys('clearkey', 'multi-drm')
    expect(requests).toBe(0)
    expect(keys.map(({ systems }) => systems)).toEqual([[], []])
  })

  it('are not stored if the answer of the DRM provider lacks signalling for one of them', async () => {
    answer = (request) => answerCpix(request).replace(/<cpix:DRMSystem .*?<\/cpix:DRMSystem>/, '')
    const { videoId } = await fixture.addVideo({ protection: 'multi-drm' })
    const video = await em().findOneOrFail(Video, { id: videoId })
    const work = ensureContentKeys(fixture.deps, em(), video, ['AUDIO', 'SD'])
    await expect(work).rejects.toThrow('no DRMSystem of widevine for AUDIO')
    expect(await keysOf(videoId)).toEqual([])
  })
})
