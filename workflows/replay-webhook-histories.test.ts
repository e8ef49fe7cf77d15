import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker'
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { beforeAll, describe, expect, it } from '@jest/globals'

// Deliveries wait for hours: those that wait across an update must go on with the new code. After a
// change that is meant to alter the history, record anew: `temporal workflow show --output json`.
const folder = new URL('../test/histories/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.startsWith('deliver-webhook-'))

let workflowBundle: WorkflowBundleWithSourceMap

const read = (name: string): { events: { eventId: string }[] } =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR')
  Runtime.install({ logger })
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./index.ts', import.meta.url)),
    logger,
  })
})

describe('the workflow of a delivery', () => {
  it.each(names)('replays %s', async (name) => {
    await Worker.runReplayHistory({ workflowBundle }, historyFromJSON(read(name)))
  })

  it('does not replay a history that it would not write', async () => {
    const history = JSON.stringify(read('deliver-webhook-failed-five-times.json'))
    const altered = history.replaceAll('"sendWebhook"', '"sendPostcard"')
    await expect(
      Worker.runReplayHistory({ workflowBundle }, historyFromJSON(JSON.parse(altered))),
    ).rejects.toThrow()
    expect(names.length).toBeGreaterThanOrEqual(6)
  })
})
