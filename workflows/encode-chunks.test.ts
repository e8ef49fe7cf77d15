import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { describe, expect, it } from 'vitest'
import { planChunks, withoutHead } from '../domain/encoding/chunks.ts'
import { planLadder } from '../domain/encoding/ladder.ts'
import { PRIORITIES } from '../domain/ingest/ingest-priority.ts'
import { CHUNK_NOT_EXACT, type EncodingPlan, type IngestProgress } from '../domain/ingest/ingest.ts'
import { readStepTroubles, readVideoProgress } from '../temporal/video-progress.ts'
import {
  PLAN,
  planOfChunks,
  setUpIngestWorkflowFixture,
  untilStopped,
} from '../test/fixtures/ingest-workflow.ts'
import { activitiesOf, statusesOf } from '../test/fixtures/workflow-history.ts'

const t = setUpIngestWorkflowFixture()
const LATER = '240p 480p 720p'

const cutInto = (count: number): void => {
  t.prepare = async () => planOfChunks(count)
}
const reached = async (call: string): Promise<void> => {
  while (!t.calls.includes(call)) await sleep(20)
}
const callsOf = (name: string): string[] => t.calls.filter((call) => call.startsWith(`${name} #`))
const notExact = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('A frame is missing.', CHUNK_NOT_EXACT)

/** The plan of a video of ten hours. */
/** The plan of a video of this length and size. */
function planOf(durationMs: number, size: { width: number; height: number }): EncodingPlan {
  const video = { ...PLAN.facts.video, ...size, durationMs }
  const facts = { ...PLAN.facts, durationMs, video }
  const rungs = planLadder({ ...size, availableResolutions: [240, 360, 480, 720, 1080] })
  return { ...PLAN, facts, rungs, chunks: planChunks(facts) }
}

describe('a video that is cut into chunks', () => {
  it('has shorter chunks of large pictures, for the rungs with which it does not begin to play', async () => {
    const plan = planOf(60_000, { width: 1920, height: 1080 })
    t.prepare = async () => plan
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    const summaries = activitiesOf(await handle.fetchHistory()).map(({ summary }) => summary)
    const ofRungs = (text: string) => summaries.filter((one) => one?.startsWith(text))
    expect(ofRungs('Encode 360p')).toHaveLength(plan.chunks?.count ?? 0)
    expect(ofRungs('Encode 360p').at(-1)).toContain('4 of 4')
    expect(ofRungs('Encode 240p, 480p').at(-1)).toContain('5 of 5')
  })

  it('requests one chunk of the first rung, then the audio and the rest of that rung, then the others together', async () => {
    cutInto(3)
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    const encodes = activitiesOf(await handle.fetchHistory()).filter(({ type }) =>
      type.startsWith('encode'),
    )
    // Temporal starts equal tasks in any order: what the video begins to play with comes before them.
    const beginning = { queue: 'encode-first', priorityKey: 1, fairnessKey: '7' }
    const first = { ...beginning, priorityKey: 2 }
    const later = { queue: 'encode', priorityKey: 4, fairnessKey: '7' }
    // Viewers change the order within the video only: its queue and its turn are those of every other video.
    const next = (number: number) => ({
      type: 'encodeNextChunk',
      summary: `Encode 360p, ${number} of 3`,
      ...first,
    })
    expect(encodes).toEqual([
      { ...next(1), ...beginning },
      { type: 'encodeAudio', summary: 'Encode audio-0', ...beginning },
      next(2),
      next(3),
      ...[1, 2, 3].map((number) => ({
        type: 'encodeLaterChunk',
        summary: `Encode 240p, 480p, 720p, ${number} of 3`,
        ...later,
      })),
    ])
    expect(t.calls.at(-1)).toBe('finish')
  })

  it('has a short first chunk in its first rung only', async () => {
    const chunks = { chunkFrames: 960, count: 3, head: [240, 720] }
    t.prepare = async () => ({ ...PLAN, chunks })
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(callsOf('360p').toSorted()).toEqual(['360p #0', '360p #1', '360p #2'])
    expect(callsOf(LATER).toSorted()).toEqual([`${LATER} #0`, `${LATER} #1`])
    const { renditions } = await handle.query<IngestProgress>('progress')
    expect(renditions.find(({ name }) => name === '720p')?.chunks).toEqual({ done: 2, count: 2 })
  })

  it('leaves the encoders of what makes a video playable, and the slots of other steps, to other videos if it belongs to a backlog', async () => {
    cutInto(1)
    const handle = await t.start({ priorityKey: PRIORITIES.backlog })
    expect(await handle.result()).toBe('ready')
    const encodes = activitiesOf(await handle.fetchHistory()).filter(
      ({ queue }) => queue === 'encode',
    )
    expect(encodes).toMatchObject([
      { type: 'prepareEncoding', queue: 'encode', priorityKey: 5, fairnessKey: '7' },
      { type: 'encodeAudio', queue: 'encode', priorityKey: 4, fairnessKey: '7' },
      { type: 'encodeChunk', queue: 'encode', priorityKey: 4, fairnessKey: '7' },
      { type: 'encodeChunk', queue: 'encode', priorityKey: 5, fairnessKey: '7' },
    ])
  })

  it('waits with the other rungs for the trial encodes, not with the first, and encodes what they leave', async () => {
    t.prepare = async () => ({ ...planOfChunks(2), isSampled: true })
    let choose = (): void => {}
    const chosen = new Promise<void>((resolve) => (choose = resolve))
    t.choose = async (rungs) => {
      await chosen
      return rungs.filter(({ name }) => name !== '480p')
    }
    const handle = await t.start()
    const renditions = async () => (await handle.query<IngestProgress>('progress')).renditions
    const stageOf = async (name: string) =>
      (await renditions()).find((one) => one.name === name)?.stage
    while ((await stageOf('360p')) !== 'published') await sleep(20)
    expect(await stageOf('720p')).toBe('waiting')
    choose()
    expect(await handle.result()).toBe('ready')
    expect(t.calls.filter((call) => call.includes('720p')).toSorted()).toEqual([
      '240p 720p #0',
      '240p 720p #1',
    ])
    expect((await renditions()).map(({ name }) => name)).not.toContain('480p')
  })

  it('is encoded whole by its plan if it was sampled and its chunks do not fit', async () => {
    t.prepare = async () => ({ ...planOfChunks(2), isSampled: true })
    t.choose = () => untilStopped()
    t.encode = async (name) => {
      if (name === '360p #0') {
        await Promise.all(['360p #1', 'choose rungs'].map(reached))
        throw notExact()
      }
      if (name.includes('#')) await untilStopped()
    }
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(t.calls.filter((call) => call === 'choose rungs')).toHaveLength(1)
    expect(t.calls.slice(-3)).toEqual(expect.arrayContaining(['360p', LATER, 'finish']))
  })

  it('is playable once its audio and every chunk of its first rung are recorded', async () => {
    cutInto(3)
    let arrive = (): void => {}
    const last = new Promise<void>((resolve) => (arrive = resolve))
    let end = (): void => {}
    const later = new Promise<void>((resolve) => (end = resolve))
    t.encode = async (name) => {
      if (name === '360p #1') await last
      if (name === `${LATER} #2`) await later
    }
    const handle = await t.start()
    const renditions = async () => (await handle.query<IngestProgress>('progress')).renditions
    const doneOf = async (name: string) =>
      (await renditions()).find((one) => one.name === name)?.chunks?.done
    while ((await doneOf('360p')) !== 2 || (await doneOf('720p')) !== 2) await sleep(20)
    expect(await renditions()).toContainEqual({
      name: '360p',
      stage: 'encoding',
      chunks: { done: 2, count: 3 },
    })
    expect(statusesOf(await handle.fetchHistory())).toEqual(['processing'])
    const shown = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
    expect(shown.currentDetails).toMatch(/^Stage: encode, 6\d % recorded$/m)
    expect(shown.currentDetails).toMatch(/^720p: 2 of 3 chunks$/m)
    arrive()
    while ((await renditions()).find(({ name }) => name === '360p')?.stage !== 'published')
      await sleep(20)
    expect(statusesOf(await handle.fetchHistory())).toEqual(['processing', 'playable'])
    end()
    await handle.result()
    expect(statusesOf(await handle.fetchHistory())).toEqual(['processing', 'playable', 'ready'])
  })

  it('stops every other chunk before it is marked as failed, if one cannot be encoded', async () => {
    cutInto(3)
    t.encode = async (name) => {
      if (name === `${LATER} #1`) {
        await Promise.all(['audio-0', '360p #0', '360p #2', `${LATER} #0`].map(reached))
        throw ApplicationFailure.nonRetryable('Damaged.', 'encoding_failed')
      }
      await untilStopped(() => t.calls.push(`stopped ${name}`))
    }
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'encoding_failed' } })
    expect(t.calls.at(-1)).toBe('fail encoding_failed')
    expect(t.calls.filter((call) => call.startsWith('stopped'))).toHaveLength(6)
    expect(t.calls).not.toContain('forget chunks')
  })

  it('is encoded whole if a chunk does not fit, after the other chunks have stopped; what is published stays', async () => {
    cutInto(3)
    t.encode = async (name) => {
      if (name === `${LATER} #2`) {
        await Promise.all(['360p #0', '360p #1', '360p #2', `${LATER} #0`].map(reached))
        throw notExact()
      }
      if (name.startsWith(`${LATER} #`)) await untilStopped(() => t.calls.push(`stopped ${name}`))
    }
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(t.calls.slice(-5).toSorted()).toEqual(
      [`stopped ${LATER} #0`, `stopped ${LATER} #1`, 'forget chunks', LATER, 'finish'].toSorted(),
    )
    expect(t.calls.slice(-3)).toEqual(['forget chunks', LATER, 'finish'])
    const { renditions } = await handle.query<IngestProgress>('progress')
    expect(renditions.every(({ stage }) => stage === 'published')).toBe(true)
    const statuses = statusesOf(await handle.fetchHistory())
    expect(statuses).toEqual(['processing', 'playable', 'ready'])
  })

  it('fails if the whole encode fails too', async () => {
    cutInto(3)
    t.encode = async (name) => {
      if (name === LATER || name === '360p #1') throw notExact()
      // The others wait for their cancellation: the test server loses a task that cancels an ended activity.
      await untilStopped()
    }
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: CHUNK_NOT_EXACT } })
    expect(t.calls.filter((call) => call === 'forget chunks')).toHaveLength(1)
    expect(t.calls.at(-1)).toBe(`fail ${CHUNK_NOT_EXACT}`)
  })

  it('fails as cancelled after its encoders have ended', async () => {
    cutInto(3)
    t.encode = (name) => untilStopped(() => t.calls.push(`stopped ${name}`))
    const handle = await t.start()
    await Promise.all([reached('360p #2'), reached(`${LATER} #2`)])
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) })
    expect(t.calls.filter((call) => call.startsWith('stopped'))).toHaveLength(7)
    expect(t.calls.at(-1)).toBe('fail cancelled')
  })
})

describe('a long video', () => {
  it('of ten hours is encoded completely, with less than a thousand events in every history', async () => {
    const plan = planOf(36_000_000, { width: 1280, height: 720 })
    if (!plan.chunks) throw new Error('the video is not cut')
    const { count } = plan.chunks
    // The first chunks of the first rung are shorter.
    const { count: others } = withoutHead(plan.chunks)
    expect(others).toBeGreaterThan(250)
    t.prepare = async () => plan
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    expect(new Set(callsOf('360p')).size).toBe(count)
    expect(new Set(callsOf(LATER)).size).toBe(others)
    expect(t.calls).toHaveLength(4 + count + others)
    const histories = [await handle.fetchHistory(), ...(await t.childHistories(handle))]
    const children = Math.ceil((count - 1) / 48) + Math.ceil(others / 48)
    expect(histories).toHaveLength(1 + children)
    for (const { events } of histories) expect(events?.length).toBeLessThan(1_000)
    // A worker of a release without tickets takes none of them, because it does not know their type.
    const types = histories
      .slice(1)
      .map(({ events }) => events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name)
    expect(types).toEqual(Array(children).fill('encodeTickets'))
    // No child delays the chunk with which the video begins to play.
    const [begun, audio] = activitiesOf(histories[0]!).filter(({ type }) =>
      type.startsWith('encode'),
    )
    expect(begun).toMatchObject({ type: 'encodeNextChunk', summary: `Encode 360p, 1 of ${count}` })
    expect(audio).toMatchObject({ type: 'encodeAudio' })
    const statuses = statusesOf(await handle.fetchHistory())
    expect(statuses).toEqual(['processing', 'playable', 'ready'])
  }, 120_000)

  it('costs less than a thousand events also with the most chunks of one history', async () => {
    cutInto(48)
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    const history = await handle.fetchHistory()
    expect(await t.childHistories(handle)).toEqual([])
    expect(history.events?.length).toBeLessThan(1_000)
  })

  it('is encoded whole if a chunk of a child does not fit', async () => {
    cutInto(49)
    t.encode = async (name) => {
      if (name === `${LATER} #48`) throw notExact()
      if (name.includes('#')) await untilStopped(() => t.calls.push(`stopped ${name}`))
    }
    const handle = await t.start()
    expect(await handle.result()).toBe('ready')
    const end = t.calls.slice(t.calls.indexOf('forget chunks'))
    expect(end.slice(0, 3).toSorted()).toEqual(['360p', LATER, 'forget chunks'].toSorted())
    expect(end.slice(3)).toEqual(['finish'])
  })

  it('fails with the code of a chunk of a child, after every other chunk has stopped', async () => {
    cutInto(49)
    t.encode = async (name) => {
      if (name === '360p #48') {
        await reached(`${LATER} #0`)
        throw ApplicationFailure.nonRetryable('Damaged.', 'encoding_failed')
      }
      t.calls.push(`begun ${name}`)
      await untilStopped(() => t.calls.push(`stopped ${name}`))
    }
    const handle = await t.start()
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'encoding_failed', message: 'Damaged.' },
    })
    const ofKind = (kind: string) =>
      t.calls.filter((call) => call.startsWith(kind)).map((call) => call.replace(kind, ''))
    expect(ofKind('stopped').toSorted()).toEqual(ofKind('begun').toSorted())
    expect(t.calls.at(-1)).toBe('fail encoding_failed')
  })

  it('shows how far the chunks of its children are, and why one is repeated', async () => {
    cutInto(50)
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    let isBroken = true
    t.encode = async (name) => {
      if (name === '360p #49' && isBroken) throw new Error('the storage is away')
      if (name !== '360p #0') return
      Context.current().heartbeat({ renditions: ['360p'], fraction: 0.5 })
      await ended
    }
    const handle = await t.start()
    const videoId = handle.workflowId.replace(/^video-/, '')
    const read = async () => {
      const { renditions } = await readVideoProgress(t.client(), videoId)
      return renditions.find(({ name }) => name === '360p')?.fraction
    }
    // A child counts when all its chunks are recorded; running chunks count by their heartbeats.
    while ((await read()) !== 0.5 / 50) await sleep(20)
    while ((await readStepTroubles(t.client(), videoId)).length === 0) await sleep(20)
    expect(await readStepTroubles(t.client(), videoId)).toMatchObject([
      { step: 'encodeNextChunk', failure: expect.stringContaining('the storage is away') },
    ])
    isBroken = false
    end()
    expect(await handle.result()).toBe('ready')
  })

  it('fails as cancelled after the encoders of its children have ended', async () => {
    cutInto(49)
    t.encode = async (name) => {
      t.calls.push(`begun ${name}`)
      await untilStopped(() => t.calls.push(`stopped ${name}`))
    }
    const handle = await t.start()
    await Promise.all([reached('360p #48'), reached(`${LATER} #48`)])
    await handle.cancel()
    await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) })
    expect(t.calls.at(-1)).toBe('fail cancelled')
    const [begun, stopped] = ['begun', 'stopped'].map((kind) =>
      t.calls.filter((call) => call.startsWith(kind)),
    )
    expect(stopped).toHaveLength(begun?.length ?? 0)
  })
})
