import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { CHUNK_NOT_EXACT, type IngestProgress } from '../domain/ingest/ingest.ts'
import {
  planOfChunks,
  setUpIngestWorkflowFixture,
  untilStopped,
} from '../test/fixtures/ingest-workflow.ts'
import { activitiesOf } from '../test/fixtures/workflow-history.ts'

const t = setUpIngestWorkflowFixture()
const LATER = '240p 480p 720p'

const prepare = (count: number): void => {
  t.prepare = async () => ({ ...planOfChunks(count), hasSoundPieces: true })
}
const callsOf = (name: string): string[] => t.calls.filter((call) => call.startsWith(`${name} #`))

describe('audio that is encoded in pieces', () => {
  it('is encoded with each chunk of the first rung, by no activity of its own', async () => {
    prepare(3)
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    const encodes = activitiesOf(await handle.fetchHistory()).filter(({ type }) =>
      type.startsWith('encode'),
    )
    const first = { queue: 'encode-first', priorityKey: 2, fairnessKey: '7' }
    const next = (number: number) => ({
      type: 'encodeNextPart',
      summary: `Encode 360p and its audio, ${number} of 3`,
      ...first,
    })
    expect(encodes.slice(0, 3)).toEqual([{ ...next(1), priorityKey: 1 }, next(2), next(3)])
    expect(encodes.slice(3).map(({ type }) => type)).toEqual(Array(3).fill('encodeLaterChunk'))
    const { renditions } = await handle.query<IngestProgress>('progress')
    expect(renditions[0]).toEqual({
      name: 'audio-0',
      stage: 'published',
      chunks: { done: 3, count: 3 },
    })
  })

  it('is encoded with the chunks of the children of a long video', async () => {
    prepare(60)
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(new Set(callsOf('360p audio-0')).size).toBe(60)
    expect(t.calls).not.toContain('audio-0')
    for (const { events } of await t.childHistories(handle))
      expect(events?.length).toBeLessThan(1_000)
  })

  it('is encoded as one if the video is encoded whole after all', async () => {
    prepare(3)
    t.encode = async (name) => {
      if (name === '360p audio-0 #1')
        throw ApplicationFailure.nonRetryable('A packet is missing.', CHUNK_NOT_EXACT)
      if (name.includes('#')) await untilStopped()
    }
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    const end = t.calls.slice(t.calls.indexOf('forget chunks') + 1)
    expect(end.toSorted()).toEqual(['360p', LATER, 'audio-0', 'finish'].toSorted())
    const { renditions } = await handle.query<IngestProgress>('progress')
    expect(renditions[0]).toEqual({ name: 'audio-0', stage: 'published' })
  })
})
