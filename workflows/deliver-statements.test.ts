import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDeps } from '../activities/deps.ts'
import { countAudience } from '../activities/upkeep/count-audience.ts'
import { claimDueRequests } from '../db/outbox/write-workflow-requests.ts'
import { statementsWorkflowId } from '../domain/workflow-ids.ts'
import { executeRequest } from '../outbox/execute-request.ts'
import { setUpRecordStoreFixture } from '../test/fixtures/record-store.ts'
import { summariesOf } from '../test/fixtures/workflow-history.ts'
import {
  runWebhookWorker,
  startOwnTemporal,
  targetsOf,
  type OwnTemporal,
} from '../test/infrastructure/own-temporal.ts'
import { waitFor } from '../test/infrastructure/wait-for.ts'

const t = setUpRecordStoreFixture()
let temporal: OwnTemporal
let stopWorker = async (): Promise<void> => {}

beforeAll(async () => {
  temporal = await startOwnTemporal()
  stopWorker = await runWebhookWorker(temporal, t, t.network.egress())
})
afterAll(async () => {
  await stopWorker()
  await temporal?.close()
})

/** Counts as the Schedule does each minute, and starts what that has requested. */
async function countAndRelay(): Promise<void> {
  await new MockActivityEnvironment().run(withDeps({ db: t.db }, countAudience))
  for (const request of await claimDueRequests(t.em(), 10, 1))
    await executeRequest(targetsOf(temporal.client), request)
}

describe('the workflow of a record store', () => {
  it('begins with the count of the audience, ends when all is sent, and holds no name, address or secret', async () => {
    await t.set()
    for (const viewerId of ['anna', 'ben', 'carl']) await t.watch({ viewerId })
    const [bad] = await t.waiting()
    t.store.unwanted.add(bad?.id ?? '')
    await t.execute('delete from outbox')
    await countAndRelay()
    const handle = temporal.client.workflow.getHandle(statementsWorkflowId(t.ownerId))
    await handle.result()
    expect(t.store.stored.size).toBe(2)
    const history = await handle.fetchHistory()
    expect(summariesOf(history).slice(0, 3)).toEqual([
      'Send up to 100 statements',
      'Send up to 2 statements',
      'Send up to 1 statements',
    ])
    const json = historyToJSON(history)
    const payloads = [...json.matchAll(/"data": "([^"]*)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    )
    const seen = [json, ...payloads].join(' ')
    expect(payloads).toContain(`{"accountId":${t.ownerId},"limit":100}`)
    const words = ['anna', 'lrs.test', 'reelgate:', 'school.test', 'Opening', 'refused']
    expect(words.filter((word) => seen.includes(word))).toEqual([])
  })

  it('is started again by the count once a failed request may be repeated', async () => {
    await t.set()
    await t.watch()
    t.store.respond = () => ({ status: 500 })
    await t.execute('delete from outbox')
    await countAndRelay()
    await waitFor('the failure', async () => (await t.row()).failureCount === 1 || undefined)
    t.store.respond = null
    await countAndRelay()
    expect(t.store.requests).toHaveLength(1)
    await t.execute('update record_store set next_attempt_at = now()')
    await waitFor('the statement', async () => {
      await countAndRelay()
      return (await t.row()).deliveredCount === 1 || undefined
    })
    expect(t.store.requests).toHaveLength(2)
  })
})
