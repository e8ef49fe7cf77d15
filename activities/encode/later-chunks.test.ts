import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type {
  EncodeNextChunkInput,
  EncodingPlan,
  IngestVideoInput,
} from '../../domain/ingest/ingest.ts'
import { sourceKey } from '../../domain/videos/media-paths.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import type { ActivityDeps } from '../deps.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createEncodeActivities } from './encode-activities.ts'

const SECONDS = 16
const COUNT = 4

let fixture: IngestFixture
let deps: ActivityDeps
let input: IngestVideoInput
let plan: EncodingPlan

beforeAll(async () => {
  fixture = await openIngestFixture()
  deps = { ...fixture.deps, chunkSeconds: 4 }
  const path = join(fixture.folder, 'two-rungs.mp4')
  await makeSource(path, { seconds: SECONDS, size: '640x360', rate: 5, grain: false })
  input = await fixture.addVideo()
  await deps.storage.putFile(sourceKey(input.videoId), path, 'video/mp4')
  plan = await runActivity(createIngestActivities(deps).prepareEncoding, input)
})
afterAll(() => fixture.close())

function ticketOf(ticket: number, isFirst: boolean): EncodeNextChunkInput {
  const { chunks, facts, rungs } = plan
  if (!chunks) throw new Error('the plan has no chunks')
  const { audio: _, ...picture } = facts
  const own = isFirst ? rungs.slice(0, 1) : rungs.slice(1)
  return { ...input, picture, rungs: own, isFirst, audioNames: [], plan: chunks, ticket }
}

it('a worker encodes the other rungs of the chunks of which it has encoded the first one, then those of others', async () => {
  expect(plan.chunks?.count).toBe(COUNT)
  expect(plan.rungs.length).toBeGreaterThan(1)
  const [one, other] = [createEncodeActivities(deps), createEncodeActivities(deps)]
  // The first rung in turns: chunks 0 and 2, and 1 and 3.
  for (const [ticket, worker] of [one, other, one, other].entries())
    await runActivity(worker.encodeNextChunk, ticketOf(ticket, true))
  const later = async (ticket: number, worker: typeof one): Promise<void> =>
    runActivity(worker.encodeLaterChunk, ticketOf(ticket, false))
  for (const [ticket, worker] of [other, one, one].entries()) await later(ticket, worker)
  // A retry on another worker keeps its chunk; the last chunk is that of the other one.
  await later(0, one)
  await later(3, one)
  const claims = await deps.db.em
    .fork()
    .execute('select ticket, index from later_chunk_claim where video_id = ? order by ticket', [
      input.videoId,
    ])
  expect(claims).toEqual([1, 0, 2, 3].map((index, ticket) => ({ ticket, index })))
  const published = (await fixture.renditions(input.videoId)).map(({ facts }) => facts.name)
  expect(published.toSorted()).toEqual(plan.rungs.map(({ name }) => name).toSorted())
})
