import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { goOn, type inFlight } from '../../test/fixtures/temporal-1.32.1/in-flight-workflow.ts'
import { installQuietRuntime } from '../../test/infrastructure/quiet-runtime.ts'
import { ensureTemporalServer, projectDir } from '../bootstrap/tools.mjs'
import { startGuard } from './guard.ts'
import { freePort } from './ports.ts'
import { openRotatingLog } from './rotating-log.ts'
import { takeStore } from './temporal-store.ts'
import { startTemporal, type TemporalServer } from './temporal.ts'

/**
 * The store of server 1.32.1, which earlier releases ran, after kill -9: nearly all is in its log. The workflow `in-flight`
 * waits for its activity, which no worker has taken, and was signalled; no worker has seen `not-begun`.
 */
const FORMER = join(projectDir, 'test/fixtures/temporal-1.32.1')

const guard = startGuard()
let dataDir: string
let folder: string

beforeAll(() => {
  installQuietRuntime()
})
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'temporal-store-'))
  folder = join(dataDir, 'temporal')
  mkdirSync(folder)
  for (const name of ['temporal-1.32.db', 'temporal-1.32.db-wal'])
    writeFileSync(join(folder, name), gunzipSync(readFileSync(join(FORMER, `${name}.gz`))))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const start = async (): Promise<TemporalServer> =>
  startTemporal({
    program: await ensureTemporalServer(),
    dataDir,
    port: await freePort(),
    uiPort: null,
    log: openRotatingLog(join(dataDir, 'temporal.log')),
    guard,
  })

/** Runs `use` with a client while a worker has both workflows and their activity. */
async function withWorker(address: string, use: (client: Client) => Promise<void>): Promise<void> {
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    taskQueue: 'in-flight',
    workflowsPath: join(FORMER, 'in-flight-workflow.ts'),
    activities: { step: async () => 'done' },
  })
  await worker.runUntil(use(new Client({ connection })))
  await connection.close()
}

describe('the store of the Temporal server of an earlier release', () => {
  it('goes on with its workflows, their signals and their search attributes', async () => {
    const server = await start()
    const found: string[] = []
    try {
      await withWorker(server.address, async (client) => {
        expect(await client.workflow.getHandle<typeof inFlight>('in-flight').result()).toBe('done')
        const unseen = client.workflow.getHandle<typeof inFlight>('not-begun')
        await unseen.signal(goOn)
        expect(await unseen.result()).toBe('done')
        for await (const { workflowId } of client.workflow.list({
          query: "VideoId = 'vid_in_flight'",
        }))
          found.push(workflowId)
      })
    } finally {
      await server.stop()
    }
    expect(found).toEqual(['in-flight'])
  }, 60_000)

  it('is taken whole after a start that was killed between two of its files', () => {
    const log = join(folder, 'temporal-1.32.db-wal')
    const written = readFileSync(log)
    writeFileSync(join(folder, 'temporal-1.32.0.db-wal'), written)
    rmSync(log)
    const store = takeStore(folder)
    expect(existsSync(store)).toBe(true)
    expect(readFileSync(`${store}-wal`).equals(written)).toBe(true)
  })

  it('does not replace the store of this version', () => {
    const own = join(folder, 'temporal-1.32.0.db')
    writeFileSync(own, 'own')
    expect(takeStore(folder)).toBe(own)
    expect(readFileSync(own, 'utf8')).toBe('own')
  })
})
