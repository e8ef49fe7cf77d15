import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { beforeEach, describe, expect, it } from 'vitest'
import { SWEEP_KINDS, type SweepKind, type SweptPart } from '../domain/sweep.ts'
import {
  FIRST_POSITION,
  type ObjectsPage,
  type ObjectsPosition,
} from '../domain/videos/unused-objects.ts'
import type { ReplayBatch } from '../domain/webhooks/webhook-delivery.ts'
import { lengthSeconds, stepsOf, summariesOf } from '../test/fixtures/workflow-history.ts'
import { setUpTimeSkippingFixture } from '../test/infrastructure/time-skipping.ts'
import type { purgeHistory, reconcileObjects, sweepOutbox } from './maintenance.ts'
import type { replayWebhooks } from './replay-webhooks.ts'

const TASK_QUEUE = 'webhooks'
const EVENTS = 1000

/** The results of the batches, in order; the last one is repeated. */
let outcomes: ReplayBatch['outcome'][] = []
let batches: number[] = []
let cancelled: number[] = []
let purged: string[] = []
let failingKind: SweepKind | null = null
let arePartitionsKept = true
/** How many pages of objects there are, and where each step began. */
let pageCount = 0
let positions: ObjectsPosition[] = []
/** The pages, from 1, with a folder that cannot be removed. */
let failedPages: number[] = []

const t = setUpTimeSkippingFixture(TASK_QUEUE, {
  replayBatch: async ({ replayId }: { replayId: number }): Promise<ReplayBatch> => {
    batches.push(replayId)
    const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0]
    return { outcome: outcome ?? 'ended', eventCount: EVENTS, scannedCount: batches.length }
  },
  cancelReplay: async ({ replayId }: { replayId: number }) => void cancelled.push(replayId),
  keepPartitions: async () => {
    if (arePartitionsKept) purged.push('partitions')
    else throw ApplicationFailure.nonRetryable('a lock')
  },
  purgeDeliveries: async () => void purged.push('deliveries'),
  runBackfills: async () => void purged.push('backfills'),
  purgeUpkeep: async () => void purged.push('upkeep'),
  removeUnfinishedObjects: async () => void purged.push('unfinished objects'),
  sweepWork: async (kind: SweepKind): Promise<SweptPart> => {
    if (kind === failingKind) throw ApplicationFailure.nonRetryable('no response')
    purged.push(kind)
    return { requested: 0, skipped: 0, isComplete: true }
  },
  purgeExpired: async () => void purged.push('expired'),
  endUploads: async () => void purged.push('uploads'),
  indexCaptions: async () => void purged.push('captions'),
  foldSums: async () => void purged.push('folded'),
  checkSums: async () => void purged.push('checked'),
  countAudience: async () => void purged.push('audience'),
  eraseViewers: async () => void purged.push('viewers'),
  removeUnusedObjects: async (position: ObjectsPosition): Promise<ObjectsPage> => {
    positions.push(position)
    const next = { ...position, after: `page-${positions.length}` }
    const failed = failedPages.includes(positions.length) ? 1 : 0
    return { removed: 2, failed, next: positions.length < pageCount ? next : null }
  },
})

beforeEach(() => {
  outcomes = ['ended']
  batches = []
  cancelled = []
  purged = []
  failingKind = null
  arePartitionsKept = true
  positions = []
  failedPages = []
})

let nextId = 1

const start = () =>
  t.environment.client.workflow.start<typeof replayWebhooks>('replayWebhooks', {
    workflowId: `webhook-replay-${nextId}`,
    taskQueue: TASK_QUEUE,
    args: [{ replayId: nextId++ }],
    // Without it the test server's clock jumps ten years when a test awaits the result.
    workflowExecutionTimeout: '1 day',
  })

describe('the workflow of a replay', () => {
  it('creates batch after batch until the range is complete', async () => {
    outcomes = ['more', 'more', 'ended']
    const handle = await start()
    await handle.result()
    expect(batches).toEqual(Array(3).fill(nextId - 1))
    expect(summariesOf(await handle.fetchHistory())).toEqual(Array(3).fill('Next events'))
    expect(cancelled).toEqual([])
  })

  it('waits in steps of two seconds while enough of its deliveries wait', async () => {
    outcomes = ['more', 'full', 'full', 'ended']
    const handle = await start()
    await handle.result()
    const steps = ['activity', 'activity', 2, 'activity', 2, 'activity']
    expect(stepsOf(await handle.fetchHistory())).toEqual(steps)
  })

  it('continues as a new run well before a thousand events', async () => {
    outcomes = [...Array.from({ length: 130 }, () => 'full' as const), 'ended']
    const handle = await start()
    await handle.result()
    expect(batches).toHaveLength(131)
    const first = t.environment.client.workflow.getHandle(
      handle.workflowId,
      handle.firstExecutionRunId,
    )
    const history = await first.fetchHistory()
    expect(history.events?.length).toBeLessThan(900)
    expect(lengthSeconds(history)).toBeGreaterThanOrEqual(60 * 2)
  })

  it('reports its progress', async () => {
    outcomes = ['full']
    const handle = await start()
    await t.environment.sleep('5 seconds')
    expect(await handle.query('progress')).toMatchObject({ outcome: 'full', eventCount: EVENTS })
    await handle.terminate()
  })

  it('ends its row when it is cancelled', async () => {
    outcomes = ['full']
    const handle = await start()
    await t.environment.sleep('5 seconds')
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    expect(cancelled).toEqual([nextId - 1])
  })
})

describe('the workflow of the sweep', () => {
  const sweep = () =>
    t.environment.client.workflow.start<typeof sweepOutbox>('sweepOutbox', {
      workflowId: 'sweep-outbox',
      taskQueue: TASK_QUEUE,
      args: [],
      workflowExecutionTimeout: '1 day',
    })

  it('looks for lost work of each kind, and deletes expired responses and its earlier runs', async () => {
    const handle = await sweep()
    const result = await handle.result()
    expect(purged.splice(0).toSorted()).toEqual(
      ['captions', 'expired', ...SWEEP_KINDS, 'upkeep', 'uploads'].toSorted(),
    )
    expect(Object.keys(result).toSorted()).toEqual(SWEEP_KINDS.toSorted())
  })

  it('completes the other kinds and the deletions when one kind fails, and fails then', async () => {
    failingKind = 'deliveries'
    const handle = await sweep()
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    const others = SWEEP_KINDS.filter((kind) => kind !== failingKind)
    expect(purged.splice(0).toSorted()).toEqual(
      ['captions', 'expired', ...others, 'upkeep', 'uploads'].toSorted(),
    )
  })
})

describe('the workflow of the retention', () => {
  const purge = () =>
    t.environment.client.workflow.start<typeof purgeHistory>('purgeHistory', {
      workflowId: 'purge-history',
      taskQueue: TASK_QUEUE,
      args: [],
      workflowExecutionTimeout: '1 day',
    })
  const others = ['deliveries', 'upkeep', 'unfinished objects', 'backfills']

  it('keeps partitions, then deletes old deliveries, the closed workflows of the Schedules and unfinished uploads, and continues backfills', async () => {
    await (await purge()).result()
    expect(purged).toEqual(['partitions', ...others])
  })

  it('does the other steps when one fails, and fails then', async () => {
    arePartitionsKept = false
    await expect((await purge()).result()).rejects.toThrow(WorkflowFailedError)
    expect(purged).toEqual(others)
  })
})

describe('the workflows of the sums of accounts and of the audience', () => {
  it.each([
    ['foldSums', ['folded']],
    ['checkSums', ['checked']],
    ['countAudience', ['audience', 'viewers']],
  ])('%s', async (type, done) => {
    const handle = await t.environment.client.workflow.start(type, {
      workflowId: type,
      taskQueue: TASK_QUEUE,
      args: [],
      workflowExecutionTimeout: '1 day',
    })
    await handle.result()
    expect(purged.toSorted()).toEqual(done)
  })
})

describe('the workflow of the objects', () => {
  const reconcile = (workflowId: string) =>
    t.environment.client.workflow.start<typeof reconcileObjects>('reconcileObjects', {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [],
      workflowExecutionTimeout: '1 day',
    })

  it('compares page after page, each from where the one before ended', async () => {
    pageCount = 3
    const handle = await reconcile('reconcile-objects-1')
    await handle.result()
    expect(positions).toEqual(
      ['', 'page-1', 'page-2'].map((after) => ({ ...FIRST_POSITION, after })),
    )
    const summaries = summariesOf(await handle.fetchHistory())
    expect(summaries).toEqual(Array(3).fill('Compare the next videos'))
  })

  it('fails behind the last page if folders could not be removed, also in the run before', async () => {
    pageCount = 30
    failedPages = [2, 27, 30]
    const handle = await reconcile('reconcile-objects-3')
    const failure = await handle.result().catch((error: unknown) => error)
    expect(positions).toHaveLength(30)
    expect(failure).toBeInstanceOf(WorkflowFailedError)
    expect((failure as WorkflowFailedError).cause?.message).toContain('of 3 folders')
  })

  it('continues as a new run well before a thousand events, where it was', async () => {
    pageCount = 30
    const handle = await reconcile('reconcile-objects-2')
    await handle.result()
    expect(positions.map(({ after }) => after).slice(24, 27)).toEqual([
      'page-24',
      'page-25',
      'page-26',
    ])
    expect(positions).toHaveLength(30)
    const first = t.environment.client.workflow.getHandle(
      handle.workflowId,
      handle.firstExecutionRunId,
    )
    expect((await first.fetchHistory()).events?.length).toBeLessThan(900)
  })
})
