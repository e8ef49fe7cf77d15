import { Worker, type NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteVideo } from '../../commands/videos/delete-video.ts'
import { uploadPoster } from '../../commands/videos/upload-poster.ts'
import { Video } from '../../db/entities/video.ts'
import { claimDueRequests, deleteRequests } from '../../db/outbox/write-workflow-requests.ts'
import { HEARTBEAT_TIMEOUT_MS } from '../../domain/ingest/ingest.ts'
import { mediaPrefix, posterKey, sourceKey, uploadName } from '../../domain/videos/media-paths.ts'
import { deletionWorkflowId, posterWorkflowId, videoWorkflowId } from '../../domain/workflow-ids.ts'
import { executeRequest } from '../../outbox/execute-request.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { makePng } from '../../test/fixtures/pictures.ts'
import {
  startOwnTemporal,
  targetsOf,
  type OwnTemporal,
} from '../../test/infrastructure/own-temporal.ts'
import { installQuietRuntime } from '../../test/infrastructure/quiet-runtime.ts'
import { bundledWorkflows } from '../../test/infrastructure/services.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { createIngestActivities } from './ingest-activities.ts'

let fixture: IngestFixture
let temporal: OwnTemporal
let workers: Worker[]
let running: Promise<unknown>

beforeAll(async () => {
  installQuietRuntime()
  ;[fixture, temporal] = await Promise.all([openIngestFixture(), startOwnTemporal()])
  const workflowBundle = await bundledWorkflows()
  const { client } = temporal
  const common = {
    connection: client.connection as NativeConnection,
    activities: createIngestActivities({ ...fixture.deps, client }),
    maxHeartbeatThrottleInterval: '200ms',
  } as const
  workers = await Promise.all([
    Worker.create({ ...common, taskQueue: 'ingest', workflowBundle }),
    Worker.create({ ...common, taskQueue: 'download' }),
  ])
  running = Promise.all(workers.map((worker) => worker.run()))
})

afterAll(async () => {
  for (const worker of workers) worker.shutdown()
  await running
  await Promise.all([fixture.close(), temporal.close()])
})

const start = (type: string, workflowId: string, videoId: string) =>
  temporal.client.workflow.start(type, {
    workflowId,
    taskQueue: 'ingest',
    args: [{ videoId, accountId: fixture.accountId }],
  })
const startDeletion = (videoId: string) =>
  start('deleteVideo', deletionWorkflowId(videoId), videoId)
const markDeleted = (videoId: string) =>
  deleteVideo(fixture.deps.db.em.fork(), fixture.accountId, videoId)
const store = (key: string) => fixture.deps.storage.putBuffer(key, Buffer.from('x'), 'video/mp4')

/** Starts the ingest of a source that never ends. Resolves when its download writes nothing to the row for a while. */
async function startEndlessIngest() {
  const server = await fixture.network.serveHttps(['source.test'], (request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    if (request.method === 'HEAD') return void response.end()
    const timer = setInterval(() => response.write(Buffer.alloc(1024)), 50)
    response.once('close', () => clearInterval(timer))
  })
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const sourceUrl = `https://source.test:${server.port}/lesson.mp4`
  const { videoId } = await fixture.addVideo({ sourceUrl })
  const ingest = await start('ingestVideo', videoWorkflowId(videoId), videoId)
  await waitFor('its first bytes', async () => (await fixture.video(videoId)).reservedBytes > 0)
  return { videoId, ingest }
}

describe('the deletion of a video', () => {
  it('removes its objects and rows and no others', async () => {
    const { videoId } = await fixture.addVideo({ status: 'ready' })
    const other = await fixture.addVideo({ status: 'ready' })
    await store(`${mediaPrefix(videoId)}360p/1.m4s`)
    await store(sourceKey(videoId))
    await store(`${mediaPrefix(other.videoId)}360p/1.m4s`)
    await markDeleted(videoId)
    await (await startDeletion(videoId)).result()
    expect(await fixture.objects()).toEqual([`${mediaPrefix(other.videoId)}360p/1.m4s`])
    expect((await fixture.video(videoId)).removedAt).not.toBeNull()
    expect((await fixture.video(other.videoId)).removedAt).toBeNull()
  })

  it('first ends a running ingest and leaves none of its objects', async () => {
    const { videoId, ingest } = await startEndlessIngest()
    await markDeleted(videoId)
    await (await startDeletion(videoId)).result()
    expect((await ingest.describe()).status.name).toBe('CANCELLED')
    expect((await fixture.scratch()).filter((name) => name.includes(videoId))).toEqual([])
    expect((await fixture.video(videoId)).removedAt).not.toBeNull()
    // A worker that is killed during any step holds the deletion up for no longer.
    const { events } = await ingest.fetchHistory()
    const scheduled = (events ?? []).flatMap(
      (event) => event.activityTaskScheduledEventAttributes ?? [],
    )
    const timeouts = scheduled.map((step) => [
      step.activityType?.name,
      Number(step.heartbeatTimeout?.seconds),
    ])
    expect(timeouts).toEqual([
      ['downloadSource', HEARTBEAT_TIMEOUT_MS / 1000],
      ['failVideo', HEARTBEAT_TIMEOUT_MS / 1000],
    ])
  })

  it('can be requested twice', async () => {
    const { videoId } = await fixture.addVideo({ status: 'ready' })
    await markDeleted(videoId)
    await (await startDeletion(videoId)).result()
    const first = (await fixture.video(videoId)).removedAt
    await (await startDeletion(videoId)).result()
    expect(first).not.toBeNull()
  })

  it('that Temporal has kept beside a database of before it lets the ingest run', async () => {
    const { videoId, ingest } = await startEndlessIngest()
    await (await startDeletion(videoId)).result()
    expect((await ingest.describe()).status.name).toBe('RUNNING')
    const { events } = await ingest.fetchHistory()
    expect(events?.some((event) => event.workflowExecutionCancelRequestedEventAttributes)).toBe(
      false,
    )
    await markDeleted(videoId)
    await (await startDeletion(videoId)).result()
    expect((await ingest.describe()).status.name).toBe('CANCELLED')
  })

  it('leaves videos that are not deleted unchanged', async () => {
    const { videoId } = await fixture.addVideo({ status: 'ready' })
    await store(`${mediaPrefix(videoId)}360p/1.m4s`)
    await (await startDeletion(videoId)).result()
    expect(await fixture.objects()).toContain(`${mediaPrefix(videoId)}360p/1.m4s`)
    expect((await fixture.video(videoId)).removedAt).toBeNull()
  })
})

describe('an uploaded poster', () => {
  const addReadyVideo = async () => {
    const { videoId } = await fixture.addVideo({ status: 'ready' })
    await fixture.deps.db.em.fork().nativeUpdate(Video, { id: videoId }, { hasPoster: true })
    return videoId
  }
  const upload = async (videoId: string) => {
    const { db } = fixture.deps
    const { number } = await db.em
      .fork()
      .transactional((tx) => uploadPoster(tx, fixture.accountId, videoId, makePng()))
    const claimed = await claimDueRequests(db.em.fork(), 100, 60_000)
    const request = claimed.find(({ command }) => command === 'set-poster')
    if (!request) throw new Error('no request')
    await deleteRequests(db.em.fork(), [request.id])
    // A relay that is killed sends a request twice.
    await executeRequest(targetsOf(temporal.client), request)
    await executeRequest(targetsOf(temporal.client), request)
    return { number, run: temporal.client.workflow.getHandle(posterWorkflowId(videoId, number)) }
  }

  it('is made by its workflow, which contains no byte of it', async () => {
    const videoId = await addReadyVideo()
    const { number, run } = await upload(videoId)
    await run.result()
    expect(await fixture.video(videoId)).toMatchObject({ posterName: uploadName(number) })
    expect(await fixture.objects()).toContain(posterKey(videoId, uploadName(number)))
    const { events } = await run.fetchHistory()
    const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data
    const { accountId } = fixture
    expect(JSON.parse(String(input))).toEqual({ videoId, number, accountId })
  })

  it('of a video that is deleted at the same time leaves nothing', async () => {
    const videoId = await addReadyVideo()
    const { run } = await upload(videoId)
    await markDeleted(videoId)
    await Promise.all([run.result(), startDeletion(videoId).then((deletion) => deletion.result())])
    expect((await fixture.objects()).filter((key) => key.includes(videoId))).toEqual([])
  })
})
