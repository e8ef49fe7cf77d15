import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readProgress } from '../../db/ingest/ingest-progress.ts'
import type {
  ChooseRungsInput,
  EncodingPlan,
  IngestVideoInput,
} from '../../domain/ingest/ingest.ts'
import { sourceKey } from '../../domain/videos/media-paths.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createEncodeActivities } from './encode-activities.ts'

let fixture: IngestFixture
let input: IngestVideoInput
let plan: EncodingPlan

beforeAll(async () => {
  fixture = await openIngestFixture()
  const deps = { ...fixture.deps, chunkSeconds: 4, encodeMode: 'quality' as const }
  // Moving and flat, without detail that 180 lines cannot show. Few frames, because trial encodes yield the processor.
  const graph = 'testsrc2=s=320x180:r=2:d=16,gblur=sigma=2,scale=1280:720:flags=bicubic'
  const path = join(fixture.folder, 'soft.mp4')
  const output = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8', '-pix_fmt', 'yuv420p']
  await execa('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', graph, ...output, path])
  input = await fixture.addVideo()
  await deps.storage.putFile(sourceKey(input.videoId), path, 'video/mp4')
  plan = await runActivity(createIngestActivities(deps).prepareEncoding, input)
}, 120_000)

afterAll(() => fixture.close())

function choose(change: Partial<ChooseRungsInput['picture']> = {}) {
  const { audio: _, ...picture } = plan.facts
  const { chooseRungs } = createEncodeActivities(fixture.deps)
  const options = { ...input, picture: { ...picture, ...change }, rungs: plan.rungs }
  return runActivity(chooseRungs, options)
}

describe('the trial encodes of a video', () => {
  it('raise the CRF of easy rungs and leave out one that brings nothing, also from its progress', async () => {
    const chosen = await choose()
    expect(plan.rungs.map(({ name }) => name)).toEqual(['360p', '240p', '480p', '720p'])
    expect(chosen.map(({ name }) => name)).toEqual(['360p', '240p', '720p'])
    expect(chosen[0]).toEqual(plan.rungs[0])
    expect(chosen[2]?.crf).toBeGreaterThan(plan.rungs[3]?.crf ?? 0)
    const [progress] = await readProgress(fixture.deps.db.em.fork(), input.accountId, [
      input.videoId,
    ])
    expect(progress?.rows.map(({ name }) => name)).toEqual(expect.not.arrayContaining(['480p']))
    const scratch = await fixture.scratch()
    expect(scratch.filter((path) => path.includes('trials'))).toEqual([])
  }, 300_000)

  it('change nothing if the pieces cannot be encoded', async () => {
    // The pieces lie behind the end of the file.
    expect(await choose({ durationMs: 600_000 })).toEqual(plan.rungs)
  }, 300_000)
})
