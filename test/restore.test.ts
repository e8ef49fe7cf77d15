import { copyFile, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openClient } from '../temporal/connect.ts'
import { SWEEP_SCHEDULE_ID } from '../temporal/names.ts'
import { startService } from './fixtures/running-service.ts'
import type { RunningService } from './fixtures/running-service.ts'
import { makeSource } from './fixtures/sources.ts'
import { openOutsideHost } from './infrastructure/outside-host.ts'
import type { OutsideHost } from './infrastructure/outside-host.ts'
import { waitFor } from './infrastructure/wait-for.ts'

/** An encoder has the lowest priority, so it waits for all other processes of the machine. */
const READY_MS = 400_000

const SOURCES = {
  /** Takes long enough to encode that a backup is made meanwhile. */
  'slow.mp4': { seconds: 8, size: '640x360', rate: 24, grain: false },
  'quick.mp4': { seconds: 2, size: '426x240', rate: 12, grain: false },
} as const

interface Delivery {
  id: number
  event_id: string
  event_type: string
  status: string
  attempts: { number: number }[]
}

let folder: string
let outside: OutsideHost
/** The service that is lost after its backup, and then the one that is restored. */
let service: RunningService
let quick: string
/** The videos that were being ingested during the backup. */
let slow: string[]
/** The deliveries that were pending during the backup, by event. */
let pending: Delivery[]

const submit = async (source: keyof typeof SOURCES): Promise<string> => {
  const source_url = `${outside.baseUrl}/files/${source}`
  const response = await service.request('POST', '/v1/videos', { source_url })
  return ((await response.json()) as { id: string }).id
}

const statusOf = async (id: string): Promise<string> => {
  const response = await service.request('GET', `/v1/videos/${id}/status`)
  return ((await response.json()) as { status: string }).status
}

const untilReady = (id: string) =>
  waitFor(`video ${id}`, async () => (await statusOf(id)) === 'ready', READY_MS)

const listDeliveries = async (): Promise<Delivery[]> => {
  const response = await service.request('GET', '/v1/webhook-deliveries?limit=100')
  return ((await response.json()) as { data: Delivery[] }).data
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-restore-'))
  const paths: Record<string, string> = {}
  for (const [name, options] of Object.entries(SOURCES)) {
    paths[name] = join(folder, name)
    await makeSource(paths[name], options)
  }
  outside = await openOutsideHost(folder, paths)
  const env = { EGRESS_CA_FILE: outside.caFile, ENCODE_SLOTS: '1' }
  service = await startService(join(folder, 'lost'), env)
  await fillAndBackUp()
  await service.stop()
  outside.answerWith(200)
  await mkdir(join(folder, 'new'))
  await copyFile(join(folder, 'lost', 'master.key'), join(folder, 'new', 'master.key'))
  await rm(join(folder, 'lost'), { recursive: true })
  const restore = ['--restore', join(folder, 'backups')]
  service = await startService(join(folder, 'new'), env, restore)
  await sweepNow()
}, 900_000)

/** A backup while two videos are ingested, and while each webhook of another waits for its second attempt. */
async function fillAndBackUp(): Promise<void> {
  outside.answerWith(500)
  const body = { url: `${outside.baseUrl}/hook`, events: ['video.created', 'video.ready'] }
  expect((await service.request('POST', '/v1/webhook-endpoints', body)).status).toBe(201)
  quick = await submit('quick.mp4')
  await untilReady(quick)
  slow = [await submit('slow.mp4'), await submit('slow.mp4')]
  await waitFor('an encoder', () => service.findChild(/ffmpeg .*libx264/), READY_MS)
  await waitFor('first attempts', async () =>
    (await listDeliveries()).every(({ attempts }) => attempts.length === 1),
  )
  pending = await listDeliveries()
  await service.cli('backup', join(folder, 'backups'))
}

/** Runs the sweep that otherwise runs once a minute. */
async function sweepNow(): Promise<void> {
  const client = openClient({ address: service.temporal, namespace: 'default' })
  try {
    await waitFor('the schedule', () =>
      client.schedule
        .getHandle(SWEEP_SCHEDULE_ID)
        .trigger()
        .then(
          () => true,
          () => false,
        ),
    )
  } finally {
    await client.connection.close()
  }
}

afterAll(async () => {
  await service?.stop()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

describe('a backup that is restored without the store of Temporal', () => {
  it('was made while videos were ingested', async () => {
    const [name = ''] = await readdir(join(folder, 'backups', 'backups'))
    const file = join(folder, 'backups', 'backups', name, 'database', 'video.copy.gz')
    const rows = gunzipSync(await readFile(file))
      .toString()
      .split('\n')
    const unfinished = rows.filter((row) => /\t(queued|processing|playable)\t/.test(row))
    expect(unfinished.length).toBeGreaterThan(0)
  })

  it('finishes every ingest', async () => {
    expect(await statusOf(quick)).toBe('ready')
    for (const id of slow) await untilReady(id)
  }, 900_000)

  it('makes every delivery, from the attempt on that was next', async () => {
    const deliveries = await waitFor(
      'the deliveries',
      async () => {
        const all = await listDeliveries()
        return all.every(({ status }) => status === 'delivered') && all
      },
      READY_MS,
    )
    for (const { attempts } of deliveries)
      expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, at) => at + 1))
    for (const { event_id: event } of pending) {
      const delivered = deliveries.find(({ event_id: id }) => id === event)
      expect(delivered?.attempts).toHaveLength(2)
    }
    const of = (type: string) => deliveries.filter(({ event_type: one }) => one === type)
    expect(of('video.created')).toHaveLength(3)
    expect(of('video.ready')).toHaveLength(3)
  }, 900_000)
})
