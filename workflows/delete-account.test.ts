import { beforeEach, describe, expect, it } from 'vitest'
import type { AccountRemoval, DeleteAccountInput } from '../domain/accounts/account-deletion.ts'
import { stepsOf } from '../test/fixtures/workflow-history.ts'
import { setUpTimeSkippingFixture } from '../test/infrastructure/time-skipping.ts'
import type { deleteAccount } from './delete-account.ts'

const TASK_QUEUE = 'webhooks'

/** How many rounds its videos still have objects. */
let waitingRounds = 0
let rounds: number[] = []

const t = setUpTimeSkippingFixture(TASK_QUEUE, {
  removeAccount: async ({ accountId }: DeleteAccountInput): Promise<AccountRemoval> => {
    rounds.push(accountId)
    return { waitingVideos: Math.max(0, waitingRounds - rounds.length + 1) }
  },
})

beforeEach(() => {
  rounds = []
})

let nextId = 1

const start = () =>
  t.environment.client.workflow.start<typeof deleteAccount>('deleteAccount', {
    workflowId: `delete-account-${nextId}`,
    taskQueue: TASK_QUEUE,
    args: [{ accountId: nextId++ }],
    // Without it the test server's clock jumps ten years when a test awaits the result.
    workflowExecutionTimeout: '1 day',
  })

describe('the workflow of a deleted account', () => {
  it('waits in steps of ten seconds until the objects of its videos are removed', async () => {
    waitingRounds = 2
    const handle = await start()
    await handle.result()
    const history = await handle.fetchHistory()
    expect(stepsOf(history)).toEqual(['activity', 10, 'activity', 10, 'activity'])
    expect(rounds).toEqual(Array(3).fill(nextId - 1))
  })

  it('continues as a new run well before a thousand events', async () => {
    waitingRounds = 65
    const handle = await start()
    await handle.result()
    expect(rounds).toHaveLength(66)
    const first = t.environment.client.workflow.getHandle(
      handle.workflowId,
      handle.firstExecutionRunId,
    )
    expect((await first.fetchHistory()).events?.length).toBeLessThan(900)
  })
})
