import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContentKey } from '../../db/entities/video.ts'
import type { EncodingPlan } from '../../domain/ingest/ingest.ts'
import { segmentKey, sourceKey } from '../../domain/videos/media-paths.ts'
import { createKeyProviders } from '../../drm/key-providers.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture, tone } from '../../test/fixtures/media-files.ts'
import type { ActivityDeps } from '../deps.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { checkPackagedSignalling } from './check-signalling.ts'
import { openContentKey } from './content-keys.ts'
import { createEncodeActivities } from './encode-activities.ts'

const media = setUpMediaFixture()
let fixture: IngestFixture
let deps: ActivityDeps
let input: { videoId: string; accountId: number }
let plan: EncodingPlan

beforeAll(async () => {
  fixture = await openIngestFixture()
  const { egress, storage } = fixture.deps
  const keyProvider = createKeyProviders({ egress, keyModel: 'own', speke: null })
  deps = { ...fixture.deps, keyProvider }
  input = await fixture.addVideo({ protection: 'multi-drm' })
  const moving = [...picture('320x180', 25, 2), ...tone(2)]
  const path = await media.make('lesson.mp4', ...moving, ...H264, '-c:a', 'aac')
  await storage.putFile(sourceKey(input.videoId), path, 'video/mp4')
  plan = await runActivity(createIngestActivities(deps).prepareEncoding, input)
})
afterAll(() => fixture.close())

/** Publishes the audio of the video, as a worker does. */
const publishAudio = (): Promise<void> => {
  const { facts, audio } = plan
  const [track] = audio
  if (!track) throw new Error('the video has no audio')
  const { encodeAudio } = createEncodeActivities(deps)
  return runActivity(encodeAudio, { ...input, facts, track, audioNames: [track.name] })
}

const rowOf = (name: 'AUDIO' | 'SD'): Promise<ContentKey> =>
  deps.db.em.fork().findOneOrFail(ContentKey, { videoId: input.videoId, name })

/** Changes the key row of the audio while `run` runs. */
async function withRow(change: Partial<ContentKey>, run: () => Promise<void>): Promise<void> {
  const { ivHex, systems } = await rowOf('AUDIO')
  const ofAudio = { videoId: input.videoId, name: 'AUDIO' } as const
  await deps.db.em.fork().nativeUpdate(ContentKey, ofAudio, change)
  try {
    await run()
  } finally {
    await deps.db.em.fork().nativeUpdate(ContentKey, ofAudio, { ivHex, systems })
  }
}

async function expectRefused(work: Promise<unknown>, fault: string): Promise<void> {
  await expect(work).rejects.toMatchObject({
    nonRetryable: true,
    type: 'drm_signalling_mismatch',
    message: expect.stringMatching(new RegExp(` is mixed up: ${fault}\\.$`)),
  })
  expect(await fixture.renditions(input.videoId)).toEqual([])
  expect(await fixture.objects()).toEqual([sourceKey(input.videoId)])
  expect((await fixture.video(input.videoId)).status).toBe('processing')
}

describe('a Multi-DRM rendition whose stored key was mixed up', () => {
  it('is neither stored nor recorded when the signalling is that of another key', async () => {
    const { systems } = await rowOf('SD')
    await withRow({ systems }, () =>
      expectRefused(publishAudio(), 'the pssh box of widevine names another key'),
    )
  })

  it('is neither stored nor recorded when the IV is lost, so that its init segment has another', async () => {
    await withRow({ ivHex: null }, () => expectRefused(publishAudio(), 'there is no IV'))
  })

  it('is published once the row is repaired; an init segment with another IV is then noticed', async () => {
    await publishAudio()
    const [published] = await fixture.renditions(input.videoId)
    if (!published) throw new Error('nothing was published')
    const initPath = join(fixture.folder, 'objects', segmentKey(input.videoId, published.facts, 0))
    const packaged = { rendition: published.facts, initPath }
    const key = await openContentKey(deps.masterKeys, deps.db.em.fork(), input.videoId, 'AUDIO')
    await checkPackagedSignalling(key, packaged)
    const { ivHex } = await rowOf('SD')
    await expect(checkPackagedSignalling({ ...key, ivHex }, packaged)).rejects.toMatchObject({
      code: 'drm_signalling_mismatch',
      message: 'The DRM signalling of audio-0 is mixed up: the init segment has another IV.',
    })
  })
})
