import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STALL_MS } from '../domain/ingest/ingest.ts'
import { judgeVideo } from './chaos/ingest/judge-video.ts'
import { startService, type RunningService } from './fixtures/running-service.ts'
import { openServiceRecord, type ServiceRecord } from './fixtures/service-record.ts'
import { makeSource } from './fixtures/sources.ts'
import { readStatus, READY_MS, untilReady } from './fixtures/video-status.ts'
import { HAS_EVERY_CASE } from './infrastructure/every-case.ts'
import { openOutsideHost, type OutsideHost } from './infrastructure/outside-host.ts'
import { processesOf } from './infrastructure/processes.ts'
import { until, waitFor } from './infrastructure/wait-for.ts'

/**
 * A step whose worker was killed is repeated after its heartbeat timeout (STALL_MS). A deletion has two
 * steps, and the kill can hit either.
 */
const REPEATED_STEP_MS = 3 * STALL_MS

/** The encoder of a killed worker has ended after this time, also on a busy machine. It is frozen, so it would stay for ever. */
const TOOL_ENDED_MS = 20_000

const SOURCES = {
  /**
   * Two chunks, and three of the first rung, which are read from a copy of the picture; each takes long enough to encode
   * that its encoder can be found.
   */
  'slow.ts': { seconds: 64, size: '640x360', rate: 4, grain: false },
  'quick.mp4': { seconds: 2, size: '426x240', rate: 12, grain: false },
}
/** A file whose download does not end until it is released: the videos of ten POSTs need not be encoded. */
const HELD = 'held.mp4'

const FIRST_RUNG = '360p'
/** Of 8, 32 and 24 seconds, by one activity. */
const AUDIO_PARTS = 3

let folder: string
let tempDir: string
let outside: OutsideHost
let service: RunningService
let record: ServiceRecord
/** The video whose first webhook got 500 before Temporal was killed. */
let refused: string
/** The video whose encoder ran when its worker was killed. */
let encoding: string
/** The chunks of that video that were recorded before the kill. */
let recorded: string[]
/** The video whose deletion began when the worker was killed. */
let deleted: string
/** Resolves to the ids of the videos, in the order of the keys, after each POST was repeated. */
let posted: Promise<{ keys: string[]; ids: string[] }>

async function submit(source: keyof typeof SOURCES): Promise<string> {
  const source_url = `${outside.baseUrl}/files/${source}`
  const response = await service.request('POST', '/v1/videos', { source_url })
  expect(response.status).toBe(202)
  return ((await response.json()) as { id: string }).id
}

const typesFor = (id: string): string[] =>
  outside.received
    .map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } })
    .filter(({ data }) => data.id === id)
    .map(({ type }) => type)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-kill-'))
  const paths: Record<string, string> = {}
  for (const [name, options] of Object.entries(SOURCES)) {
    paths[name] = join(folder, name)
    await makeSource(paths[name], options)
  }
  outside = await openOutsideHost(folder, { ...paths, [HELD]: join(folder, 'quick.mp4') })
  outside.hold(HELD)
  tempDir = join(folder, 'tmp')
  await mkdir(tempDir)
  const env = { EGRESS_CA_FILE: outside.caFile, TMPDIR: tempDir }
  service = await startService(join(folder, 'data'), env)
  record = await openServiceRecord(service)
}, 240_000)

/** Kills each process while others need it. */
async function killAll(): Promise<void> {
  const body = {
    url: `${outside.baseUrl}/hook`,
    events: ['video.created', 'video.ready', 'video.deleted'],
  }
  expect((await service.request('POST', '/v1/webhook-endpoints', body)).status).toBe(201)
  deleted = await submit('quick.mp4')
  await untilReady(service, deleted)
  // One after another, because each recovery takes about a minute: all pass while the tests wait for the first.
  await killTemporal()
  await killWorker()
  await killApi()
}

/** Kills the Temporal server while a refused webhook waits for its second attempt. */
async function killTemporal(): Promise<void> {
  outside.respondWith(500)
  refused = await submit('quick.mp4')
  await waitFor('a first attempt', async () => typesFor(refused).length > 0)
  await service.killChild(/temporal server start-dev/)
  outside.respondWith(200)
}

/** Kills the worker while one video is encoded and another is deleted. */
async function killWorker(): Promise<void> {
  encoding = await submit('slow.ts')
  const encoder = new RegExp(`ffmpeg .*${encoding}.*libx264`)
  // Then each of the others has an encoder of its own: the next attempts need not wait for one.
  const firstChunk = async () => {
    recorded = await record.recordedChunks(encoding)
    return recorded.some((chunk) => chunk.startsWith(FIRST_RUNG)) && service.freezeChild(encoder)
  }
  // The encoder stays frozen until its worker is killed, so that it cannot end before.
  await waitFor('a recorded chunk and an encoder', firstChunk, READY_MS)
  const deletion = service.request('DELETE', `/v1/videos/${deleted}`)
  await service.killChild(/worker\.ts/)
  await until(() => !processesOf(encoding).some((line) => encoder.test(line)), TOOL_ENDED_MS)
  expect((await deletion).status).toBe(200)
}

/** Kills the API during ten POSTs, and begins to repeat them. */
async function killApi(): Promise<void> {
  const keys: string[] = Array.from({ length: 10 }, () => crypto.randomUUID())
  const source_url = `${outside.baseUrl}/files/${HELD}`
  const post = (key: string) =>
    service
      .request('POST', '/v1/videos', { source_url, title: key }, { 'Idempotency-Key': key })
      .catch(() => null)
  const first = Promise.all(keys.map((key) => post(key)))
  await new Promise((resolve) => setTimeout(resolve, 20))
  await service.killChild(/api\/server\.ts/)
  await first
  const repeat = (key: string) =>
    waitFor(`the video of ${key}`, async () => {
      const response = await post(key)
      return response?.status === 202 && ((await response.json()) as { id: string }).id
    })
  posted = Promise.all(keys.map(repeat)).then((ids) => ({ keys, ids }))
  posted.catch(() => {})
}

afterAll(async () => {
  await record?.close()
  await service?.stop()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

// In npm test, one part of a service at a time is killed: by service-chaos.test.ts.
describe.runIf(HAS_EVERY_CASE)('kill -9', () => {
  beforeAll(killAll, 900_000)

  it('of the api during ten POSTs: each repeat with its Idempotency-Key leaves one video', async () => {
    const { keys, ids } = await posted
    const list = (await (await service.request('GET', '/v1/videos?limit=100')).json()) as {
      data: { id: string; title: string }[]
    }
    const made = list.data.filter(({ title }) => keys.includes(title))
    expect(made.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    for (const id of ids) await service.request('DELETE', `/v1/videos/${id}`)
  }, 900_000)

  it('of the worker during a deletion: the objects are removed, and the event arrives', async () => {
    await waitFor(
      'the removal',
      async () => (await service.objectsOf(deleted)).length === 0,
      REPEATED_STEP_MS,
    )
    await waitFor('video.deleted', async () => typesFor(deleted).includes('video.deleted'))
    expect(await readStatus(service, deleted)).toBe('unknown')
  }, 900_000)

  it('of the Temporal server during a delivery: the webhook arrives, and no attempt is skipped', async () => {
    await untilReady(service, refused)
    await waitFor(
      'both webhooks',
      async () => {
        const types = typesFor(refused)
        return (
          types.includes('video.ready') && types.filter((t) => t === 'video.created').length >= 2
        )
      },
      READY_MS,
    )
    const list = (await (
      await service.request('GET', '/v1/webhook-deliveries?limit=100')
    ).json()) as { data: { status: string; attempts: { number: number }[] }[] }
    for (const { attempts } of list.data)
      expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, at) => at + 1))
    expect(list.data.filter(({ attempts }) => attempts.length === 2)).not.toHaveLength(0)
  }, 900_000)

  it('of the worker during an encode: only what was not recorded is encoded again, and nothing is left of it', async () => {
    await untilReady(service, encoding)
    await waitFor('the webhook', async () => typesFor(encoding).includes('video.ready'))
    const { seconds, rate: frameRate } = SOURCES['slow.ts']
    const video = { videoId: encoding, seconds, frameRate, folder, tempDir }
    expect(await judgeVideo(service, record, video)).toEqual([])
    const published = await record.recordedChunks(encoding)
    expect(published).toEqual(expect.arrayContaining(recorded))
    const attempts = await record.attemptsOf(encoding)
    const encodes = attempts.filter(({ type }) => type.startsWith('encode'))
    const again = encodes.filter(({ attempt }) => attempt > 1)
    expect(again).not.toHaveLength(0)
    const countOf = (name: string) => recorded.filter((chunk) => chunk.startsWith(name)).length
    const done = countOf(FIRST_RUNG) + (countOf('audio') === AUDIO_PARTS ? 1 : 0)
    expect(again.length).toBeLessThanOrEqual(encodes.length - done)
  }, 900_000)
})
