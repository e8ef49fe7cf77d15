import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker, type NativeConnection } from '@temporalio/worker'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { videoWorkflowId } from '../../domain/workflow-ids.ts'
import { readStepTroubles } from '../../temporal/video-progress.ts'
import { cliHarness } from '../../test/fixtures/cli.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { startOwnTemporal, type OwnTemporal } from '../../test/infrastructure/own-temporal.ts'
import { installQuietRuntime } from '../../test/infrastructure/quiet-runtime.ts'
import { bundledWorkflows } from '../../test/infrastructure/services.ts'
import { until, waitFor } from '../../test/infrastructure/wait-for.ts'
import { createEncodeActivities } from '../encode/encode-activities.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createDownloadActivities } from './download-activities.ts'

/** Long enough for a background encoder on a busy machine. */
const STALL_MS = 20_000

let fixture: IngestFixture
let temporal: OwnTemporal
let workers: Worker[]
let running: Promise<unknown>

beforeAll(async () => {
  installQuietRuntime()
  ;[fixture, temporal] = await Promise.all([openIngestFixture(), startOwnTemporal()])
  const { client } = temporal
  await client.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: { VideoStatus: 2 },
  })
  const connection = client.connection as NativeConnection
  const workflowBundle = await bundledWorkflows()
  const deps = { ...fixture.deps, stallMs: STALL_MS }
  const common = { connection, maxHeartbeatThrottleInterval: '200ms' } as const
  workers = await Promise.all([
    Worker.create({
      ...common,
      workflowBundle,
      taskQueue: 'ingest',
      activities: createIngestActivities(deps),
    }),
    Worker.create({
      ...common,
      taskQueue: 'download',
      activities: createDownloadActivities(deps, 40),
    }),
    ...['encode-first', 'encode'].map((taskQueue) =>
      Worker.create({ ...common, taskQueue, activities: createEncodeActivities(deps) }),
    ),
  ])
  running = Promise.all(workers.map((worker) => worker.run()))
  await serveSources()
}, 120_000)

afterAll(async () => {
  for (const worker of workers) worker.shutdown()
  await running
  await Promise.all([fixture.close(), temporal.close()])
})

/** The encoder that works on this video. */
async function encoder(videoId: string): Promise<number | null> {
  const pattern = `ffmpeg .*${videoId}.*libx264`
  const { stdout } = await execa('pgrep', ['-f', pattern], { reject: false })
  return Number(stdout.split('\n')[0]) || null
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The encoder of `slow.mp4` can be found. */
const SOURCES = { '/slow.mp4': '640x360:r=30:d=10', '/quick.mp4': '320x240:r=10:d=2' }
let origin: string

async function serveSources(): Promise<void> {
  const sources = new Map<string, Buffer>()
  for (const [name, shape] of Object.entries(SOURCES)) {
    const path = join(fixture.folder, name)
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${shape}`]
    await execa('ffmpeg', ['-loglevel', 'error', ...picture, '-preset', 'ultrafast', path])
    sources.set(name, await readFile(path))
  }
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], (request, response) => {
    const source = sources.get(request.url?.split('?')[0] ?? '')
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': source?.length })
    response.end(source)
  })
  origin = `https://source.test:${port}`
}

async function submitVideo(name: keyof typeof SOURCES) {
  const sourceUrl = `${origin}${name}?signature=5ec7e7`
  const { videoId } = await fixture.addVideo({ sourceUrl })
  const handle = await temporal.client.workflow.start('ingestVideo', {
    workflowId: videoWorkflowId(videoId),
    taskQueue: 'ingest',
    args: [{ videoId, accountId: fixture.accountId }],
  })
  return { videoId, handle }
}

const isInTrouble = async (videoId: string, failure: RegExp): Promise<boolean> =>
  (await readStepTroubles(temporal.client, videoId)).some((one) => failure.test(one.failure))

it('kills an encoder that hangs, encodes its rungs again, and shows the reason to the operator', async () => {
  const { videoId, handle } = await submitVideo('/slow.mp4')
  const pid = await waitFor('the encoder', () => encoder(videoId))
  process.kill(pid, 'SIGSTOP')
  const stalled = /stalled: The file could not be read in time/
  await waitFor('the reason', () => isInTrouble(videoId, stalled))
  // The stopped encoder was killed, not abandoned.
  await until(async () => !isAlive(pid), 60_000)
  expect(await handle.result()).toBe('ready')
  expect((await fixture.video(videoId)).status).toBe('ready')
  expect(await encoder(videoId)).toBeNull()
}, 400_000)

it('delays a video while the storage is unavailable, shows the failing step to the operator, and fails no video', async () => {
  const objects = join(fixture.folder, 'objects')
  await rename(objects, `${objects}.away`)
  await writeFile(objects, 'no folder')
  const { videoId, handle } = await submitVideo('/quick.mp4')
  await waitFor('the failing step', () => isInTrouble(videoId, /ENOTDIR|EEXIST/))
  const reelgate = cliHarness({
    DATABASE_URL: fixture.databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
  })
  const shown = await reelgate('videos', 'show', videoId, '--json')
  expect(shown.json()).toMatchObject({
    status: 'queued',
    troubles: [{ step: 'downloadSource', failure: expect.stringMatching(/ENOTDIR|EEXIST/) }],
  })
  expect(shown.stdout).not.toContain('5ec7e7')
  expect((await reelgate('videos', 'show', videoId)).stdout).toMatch(
    /^trouble +downloadSource, attempt \d+: /m,
  )
  await rm(objects)
  await rename(`${objects}.away`, objects)
  expect(await handle.result()).toBe('ready')
  expect((await fixture.video(videoId)).status).toBe('ready')
}, 400_000)
