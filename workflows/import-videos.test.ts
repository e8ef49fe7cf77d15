import { WorkflowFailedError } from '@temporalio/client'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportRound, ImportVideosInput } from '../domain/imports/video-import.ts'
import { stepsOf } from '../test/fixtures/workflow-history.ts'
import { setUpTimeSkippingFixture } from '../test/infrastructure/time-skipping.ts'
import type { importVideos } from './import-videos.ts'

const TASK_QUEUE = 'webhooks'

/** How many rounds the import takes; each ends one video. */
let left = 0
let rounds: number[] = []
let ended: number[] = []

const t = setUpTimeSkippingFixture(TASK_QUEUE, {
  advanceImport: async ({ importId }: ImportVideosInput): Promise<ImportRound> => {
    rounds.push(importId)
    left -= 1
    return { waiting: left, started: 1, isEnded: left === 0 }
  },
  endImport: async ({ importId }: ImportVideosInput) => void ended.push(importId),
})

beforeEach(() => {
  rounds = []
  ended = []
})

let nextId = 1

const start = () =>
  t.environment.client.workflow.start<typeof importVideos>('importVideos', {
    workflowId: `import-videos-${nextId}`,
    taskQueue: TASK_QUEUE,
    args: [{ importId: nextId++ }],
    workflowExecutionTimeout: '1 day',
  })

describe('the workflow of an import', () => {
  it('advances every five seconds until the import has ended', async () => {
    left = 3
    const handle = await start()
    await handle.result()
    expect(stepsOf(await handle.fetchHistory())).toEqual(['activity', 5, 'activity', 5, 'activity'])
    expect(rounds).toEqual(Array(3).fill(nextId - 1))
    expect(ended).toEqual([])
  })

  it('continues as a new run well before a thousand events', async () => {
    left = 130
    const handle = await start()
    await handle.result()
    expect(rounds).toHaveLength(130)
    const { workflowId, firstExecutionRunId } = handle
    const first = t.environment.client.workflow.getHandle(workflowId, firstExecutionRunId)
    expect((await first.fetchHistory()).events?.length).toBeLessThan(900)
  })

  it('reports its progress', async () => {
    left = 1000
    const handle = await start()
    await t.environment.sleep('12 seconds')
    expect(await handle.query('progress')).toMatchObject({ started: 1, isEnded: false })
    await handle.terminate()
  })

  it('ends its row when it is cancelled', async () => {
    left = 1000
    const handle = await start()
    await t.environment.sleep('6 seconds')
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    expect(ended).toEqual([nextId - 1])
  })
})
