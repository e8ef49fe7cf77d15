import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@temporalio/activity'
import { Client } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installQuietRuntime } from '../../test/infrastructure/quiet-runtime.ts'
import { bundledWorkflows, temporalAddress } from '../../test/infrastructure/services.ts'
import { until } from '../../test/infrastructure/wait-for.ts'
import { countAudience } from '../../workflows/audience.ts'
import { failRunning, noteRunning } from './running-activities.ts'

let connection: NativeConnection
let ownDir: string

beforeAll(async () => {
  installQuietRuntime()
  connection = await NativeConnection.connect({ address: await temporalAddress() })
  ownDir = await mkdtemp(join(tmpdir(), 'reelgate-running-'))
})
afterAll(async () => {
  await connection.close()
  await rm(ownDir, { recursive: true })
})

const noted = () => readdir(join(ownDir, 'activities')).catch(() => [])

it('an activity of a worker that has ended is repeated at once, and one that has ended meanwhile is not', async () => {
  const client = new Client({ connection })
  const attempts: number[] = []
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const taskQueue = `running-${randomUUID()}`
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await bundledWorkflows(),
    interceptors: { activity: [noteRunning(ownDir)] },
    activities: {
      eraseViewers: async () => {},
      countAudience: async () => {
        attempts.push(Context.current().info.attempt)
        if (attempts.length === 1) await released
      },
    },
  })
  await worker.runUntil(async () => {
    const options = { taskQueue, workflowId: taskQueue }
    const handle = await client.workflow.start(countAudience, options)
    await until(async () => attempts.length === 1 && (await noted()).length === 1)
    await writeFile(join(ownDir, 'activities', 'cut off'), '{"namespace":"def')
    const warnings: string[] = []
    const logger = pino({ base: null }, { write: (line: string) => void warnings.push(line) })
    expect(await failRunning({ client, logger }, ownDir)).toBe(1)
    expect(warnings).toHaveLength(1)
    expect(await failRunning({ client, logger }, ownDir)).toBe(0)
    await handle.result()
    expect(attempts).toEqual([1, 2])
    release()
    await until(async () => (await noted()).length === 1)
  })
})

it('a worker that has noted nothing has no activity to repeat', async () => {
  const client = new Client({ connection })
  const logger = pino({ enabled: false })
  expect(await failRunning({ client, logger }, join(ownDir, 'missing'))).toBe(0)
})
