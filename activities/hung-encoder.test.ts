import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker'
import type { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { execa } from 'execa'
import { startOwnTemporal, until } from '../outbox/relay/testing/own-temporal.ts'
import type { OwnTemporal } from '../outbox/relay/testing/own-temporal.ts'
import { readVideoProgress } from '../temporal/video-progress.ts'
import { videoWorkflowId } from '../temporal/workflow-ids.ts'
import { createEncodeActivities } from './encode-activities.ts'
import { createIngestActivities } from './ingest-activities.ts'
import { createIngestWorld } from './testing/ingest-world.ts'
import type { IngestWorld } from './testing/ingest-world.ts'

const STALL_MS = 5_000

let world: IngestWorld
let temporal: OwnTemporal
let workers: Worker[]
let running: Promise<unknown>

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  ;[world, temporal] = await Promise.all([createIngestWorld(), startOwnTemporal()])
  const { client } = temporal
  await client.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: { VideoStatus: 2 },
  })
  const connection = client.connection as NativeConnection
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  })
  const deps = { ...world.deps, stallMs: STALL_MS }
  const common = { connection, maxHeartbeatThrottleInterval: '200ms' } as const
  workers = await Promise.all([
    Worker.create({
      ...{ ...common, workflowBundle, taskQueue: 'ingest' },
      activities: createIngestActivities(deps),
    }),
    Worker.create({ ...common, taskQueue: 'encode', activities: createEncodeActivities(deps) }),
  ])
  running = Promise.all(workers.map((worker) => worker.run()))
}, 120_000)

afterAll(async () => {
  for (const worker of workers) worker.shutdown()
  await running
  await Promise.all([world.close(), temporal.close()])
})

/** The video encoder at work in this test's folder. */
async function encoder(): Promise<number | null> {
  const pattern = `ffmpeg .*${world.folder}.*libx264`
  const { stdout } = await execa('pgrep', ['-f', pattern], { reject: false })
  return Number(stdout.split('\n')[0]) || null
}

async function submitFilm(): Promise<string> {
  const path = join(world.folder, 'film.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=30:d=20']
  await execa('ffmpeg', ['-loglevel', 'error', ...picture, '-preset', 'ultrafast', path])
  const film = await readFile(path)
  world.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await world.network.serveHttps(['source.test'], (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length })
    response.end(film)
  })
  const sourceUrl = `https://source.test:${port}/film.mp4`
  const { videoId } = await world.addVideo({ sourceUrl })
  await temporal.client.workflow.start('ingestVideo', {
    workflowId: videoWorkflowId(videoId),
    taskQueue: 'ingest',
    args: [{ videoId, accountId: world.accountId }],
  })
  return videoId
}

it('an encoder that hangs is killed, its rungs are encoded again, and the operator sees why', async () => {
  const videoId = await submitFilm()
  let pid: number | null = null
  await until(async () => (pid = await encoder()) !== null, 60_000)
  process.kill(pid ?? 0, 'SIGSTOP')
  await until(async () => {
    const { troubles } = await readVideoProgress(temporal.client, videoId)
    return troubles.some(({ failure }) => failure.includes('could not be read in time'))
  }, 60_000)
  // The stopped one is gone, not merely left behind.
  expect(() => process.kill(pid ?? 0, 0)).toThrow()
  const handle = temporal.client.workflow.getHandle(videoWorkflowId(videoId))
  expect(await handle.result()).toBe('ready')
  expect((await world.video(videoId)).status).toBe('ready')
  expect(await encoder()).toBeNull()
}, 240_000)
