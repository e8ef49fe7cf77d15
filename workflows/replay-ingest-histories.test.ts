import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker'
import { describe, expect, it } from '@jest/globals'

// A long film is encoded for hours: an ingest that is under way must go on with new code.
const folder = new URL('../test/histories/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.startsWith('ingest-video-'))

describe('the workflow of a video', () => {
  it('replays every recorded history', async () => {
    const logger = new DefaultLogger('ERROR')
    Runtime.install({ logger })
    const workflowsPath = fileURLToPath(new URL('./index.ts', import.meta.url))
    const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger })
    expect(names.length).toBeGreaterThanOrEqual(3)
    for (const name of names) {
      const history = historyFromJSON(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
      await Worker.runReplayHistory({ workflowBundle }, history)
    }
  })
})
