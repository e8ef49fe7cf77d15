import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { STALL_MS } from '../domain/ingest.ts'
import { makeSource } from './fixtures/sources.ts'
import { openOutsideHost } from './infrastructure/outside-host.ts'
import type { OutsideHost } from './infrastructure/outside-host.ts'
import { startService } from './fixtures/running-service.ts'
import type { RunningService } from './fixtures/running-service.ts'
import { waitFor } from './infrastructure/wait-for.ts'

/** An encoder has the lowest priority, so it waits for all other processes of the machine. */
const READY_MS = 400_000

/**
 * A step whose worker was killed is repeated after its heartbeat timeout (STALL_MS). A deletion has two
 * steps, and the kill can hit either.
 */
const REPEATED_STEP_MS = 3 * STALL_MS

const SOURCES = {
  /** Takes long to encode. */
  'slow.mp4': { seconds: 12 },
  'quick.mp4': { seconds: 4, size: '426x240', rate: 12, grain: false },
}

let folder: string
let outside: OutsideHost
let service: RunningService

const statusOf = async (id: string): Promise<string> => {
  // A process that restarts does not answer yet.
  const response = await service.request('GET', `/v1/videos/${id}/status`).catch(() => null)
  return response?.ok ? ((await response.json()) as { status: string }).status : 'unknown'
}

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
  outside = await openOutsideHost(folder, paths)
  service = await startService(join(folder, 'data'), { EGRESS_CA_FILE: outside.caFile })
  const body = {
    url: `${outside.baseUrl}/hook`,
    events: ['video.created', 'video.ready', 'video.deleted'],
  }
  expect((await service.request('POST', '/v1/webhook-endpoints', body)).status).toBe(201)
}, 240_000)

afterAll(async () => {
  await service?.stop()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

describe('kill -9', () => {
  it('of the worker during an encode: the video becomes ready, and nothing is left of the first attempt', async () => {
    const id = await submit('slow.mp4')
    await waitFor('an encoder', () => service.findChild(/ffmpeg .*libx264/))
    await service.killChild(/worker\.ts/)
    await waitFor('ready', async () => (await statusOf(id)) === 'ready', READY_MS)
    await waitFor('the webhook', async () => typesFor(id).includes('video.ready'))
    await waitFor('the cleanup', async () => {
      return (await readdir(join(service.data_dir, 'work'))).length === 0
    })
    expect(await service.findChild(/ffmpeg /)).toBeNull()
  }, 900_000)

  it('of the Temporal server during a delivery: the webhook arrives, and no attempt is skipped', async () => {
    outside.answerWith(500)
    const before = outside.received.length
    const id = await submit('quick.mp4')
    await waitFor('a first attempt', async () => outside.received.length > before)
    await service.killChild(/temporal.* server start-dev/)
    outside.answerWith(200)
    await waitFor('ready', async () => (await statusOf(id)) === 'ready', READY_MS)
    await waitFor(
      'both webhooks',
      async () => {
        const types = typesFor(id)
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

  it('of the worker during a deletion: the objects are removed, and the event arrives once', async () => {
    const id = await submit('quick.mp4')
    await waitFor('ready', async () => (await statusOf(id)) === 'ready', READY_MS)
    expect(await service.objectsOf(id)).not.toEqual([])
    const deletion = service.request('DELETE', `/v1/videos/${id}`)
    await service.killChild(/worker\.ts/)
    expect((await deletion).status).toBe(200)
    await waitFor(
      'the removal',
      async () => (await service.objectsOf(id)).length === 0,
      REPEATED_STEP_MS,
    )
    await waitFor('video.deleted', async () => typesFor(id).includes('video.deleted'))
    expect(await statusOf(id)).toBe('unknown')
  }, 900_000)

  it('of the api during ten POSTs: each repeat with its Idempotency-Key leaves one video', async () => {
    const source_url = `${outside.baseUrl}/files/quick.mp4`
    const keys: string[] = Array.from({ length: 10 }, () => crypto.randomUUID())
    const post = (key: string) =>
      service
        .request('POST', '/v1/videos', { source_url, title: key }, { 'Idempotency-Key': key })
        .catch(() => null)
    const first = Promise.all(keys.map((key) => post(key)))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await service.killChild(/api\/server\.ts/)
    await first
    const ids: string[] = []
    for (const key of keys)
      ids.push(
        await waitFor(`the video of ${key}`, async () => {
          const response = await post(key)
          return response?.status === 202 && ((await response.json()) as { id: string }).id
        }),
      )
    const list = (await (await service.request('GET', '/v1/videos?limit=100')).json()) as {
      data: { id: string; title: string }[]
    }
    const made = list.data.filter(({ title }) => keys.includes(title))
    expect(made.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    for (const id of ids) await service.request('DELETE', `/v1/videos/${id}`)
  }, 900_000)
})
