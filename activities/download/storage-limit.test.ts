import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockStorage, readStorage } from '../../db/accounts/accounts.ts'
import type { IngestVideoInput } from '../../domain/ingest/ingest.ts'
import { DOWNLOAD_ATTEMPTS } from '../../domain/limits.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture } from '../../test/fixtures/media-files.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { createEncodeActivities } from '../encode/encode-activities.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createDownloadSource } from './download-source.ts'

const media = setUpMediaFixture()
let fixture: IngestFixture
let url: string
let source: Buffer
let ingest: ReturnType<typeof createIngestActivities>
let encode: ReturnType<typeof createEncodeActivities>
/** The response to a GET request, after a HEAD response without a length. */
let respond: (response: ServerResponse) => void

beforeAll(async () => {
  fixture = await openIngestFixture()
  ingest = createIngestActivities(fixture.deps)
  encode = createEncodeActivities(fixture.deps)
  source = await readFile(await media.make('lesson.mp4', ...picture('128x96', 25, 1), ...H264))
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], (request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    if (request.method === 'HEAD') response.end()
    else respond(response)
  })
  url = `https://source.test:${port}/lesson.mp4`
})
beforeEach(async () => {
  respond = (response) => void sendInParts(response, [source])
  await fixture.limitStorage(null)
  await em().execute('update video set deleted_at = now()')
})
afterAll(() => fixture.close())

const em = () => fixture.deps.db.em.fork()
const storage = () => readStorage(em(), fixture.accountId)
const isLockAwaited = async (): Promise<boolean> => {
  const rows = await em().execute(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}
const addVideo = (more = {}) => fixture.addVideo({ sourceUrl: url, ...more })

/** Sends parts one after another without a length, in chunks as a network does. */
async function sendInParts(response: ServerResponse, parts: Buffer[]): Promise<void> {
  for (const part of parts)
    for (let at = 0; at < part.length; at += 65_536) {
      response.write(part.subarray(at, at + 65_536))
      await sleep(1)
    }
  response.end()
}

/** Records the storage that the account uses at every change of a video. */
const FOLLOW_USE = `
  create table test_services.storage_use (bytes bigint);
  create function test_services.follow_use() returns trigger language plpgsql as $$
    begin
      insert into test_services.storage_use
        select sum(size_bytes + reserved_bytes) from video where deleted_at is null;
      return null;
    end $$;
  create trigger follow_use after insert or update on video
    for each statement execute function test_services.follow_use()`

/** The maximum of the storage that the account has used since `FOLLOW_USE`. */
async function mostUsed(): Promise<number> {
  const [row] = await em().execute<{ most: string }[]>(
    'select max(bytes)::text as most from test_services.storage_use',
  )
  return Number(row?.most)
}

/** Does the steps of the workflow: three download attempts, then the encoding, or the failure. */
async function run(input: IngestVideoInput): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await runActivity(ingest.downloadSource, input)
    if (outcome.ok) return
    if (attempt === DOWNLOAD_ATTEMPTS) {
      await runActivity(ingest.failVideo, { ...input, ...outcome })
      return
    }
  }
}

async function encodeAll(input: IngestVideoInput): Promise<void> {
  const { facts, rungs } = await runActivity(ingest.prepareEncoding, input)
  for (const rung of rungs) {
    const isFirst = rung === rungs[0]
    await runActivity(encode.encodeRung, { ...input, facts, rung, isFirst, audioNames: [] })
  }
  await runActivity(ingest.finishVideo, { ...input, facts })
}

describe('the storage limit of a plan', () => {
  it('holds for ten concurrent downloads whose sources send no length', async () => {
    const limit = 3_000_000
    await fixture.limitStorage(limit)
    const sourceBytes = 1_400_000
    const filler = Buffer.alloc(sourceBytes - source.length)
    respond = (response) => void sendInParts(response, [source, filler])
    const inputs = await Promise.all(Array.from({ length: 10 }, () => addVideo()))
    await em().execute(FOLLOW_USE)
    await Promise.all(inputs.map(run))
    const left = []
    for (const input of inputs) {
      const { status } = await fixture.video(input.videoId)
      if (status === 'queued') left.push(input)
    }
    for (const input of left) await encodeAll(input)
    const most = await mostUsed()
    expect(most).toBeLessThanOrEqual(limit)
    expect(most).toBeGreaterThanOrEqual(sourceBytes)
    const videos = await Promise.all(inputs.map(({ videoId }) => fixture.video(videoId)))
    const failed = videos.filter(({ status }) => status === 'failed')
    expect(new Set(failed.map(({ errorCode }) => errorCode))).toEqual(
      new Set(['insufficient_storage']),
    )
    expect(videos.filter(({ status }) => status === 'ready')).toHaveLength(left.length)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThanOrEqual(2)
    const { usedBytes, reservedBytes } = await storage()
    expect(reservedBytes).toBe(0)
    expect(usedBytes).toBeGreaterThan(0)
  })

  it('is checked again with each published rendition, and with the final size of a video', async () => {
    const input = await addVideo({ keepOriginal: true })
    await run(input)
    const reserved = async () => (await storage()).reservedBytes
    expect(await reserved()).toBe(source.length)
    const plan = await runActivity(ingest.prepareEncoding, input)
    const [rung] = plan.rungs
    if (!rung) throw new Error('a ladder has a rung')
    const { facts } = plan
    const args = { ...input, facts, rung, isFirst: true, audioNames: [] }

    await fixture.limitStorage(source.length + 1)
    const refused = { type: 'insufficient_storage', nonRetryable: true }
    await expect(runActivity(encode.encodeRung, args)).rejects.toMatchObject(refused)
    expect(await fixture.renditions(input.videoId)).toEqual([])
    expect(await fixture.video(input.videoId)).toMatchObject({ status: 'processing' })
    expect(await reserved()).toBe(source.length)

    await fixture.limitStorage(null)
    for (let run = 0; run < 2; run += 1) await runActivity(encode.encodeRung, args)
    const [rendition] = await fixture.renditions(input.videoId)
    const held = source.length + (rendition?.facts.sizeBytes ?? 0)
    expect(await reserved()).toBe(held)

    await fixture.limitStorage(held + 1)
    const finish = () => runActivity(ingest.finishVideo, { ...input, facts })
    await expect(finish()).rejects.toMatchObject(refused)
    await fixture.limitStorage(held + 1_000_000)
    for (let run = 0; run < 2; run += 1) await finish()
    const video = await fixture.video(input.videoId)
    expect(video).toMatchObject({ status: 'ready', reservedBytes: 0 })
    expect(video.sizeBytes).toBeGreaterThan(held)
  })

  it('counts the larger of source and renditions if the source is not kept', async () => {
    const input = await addVideo()
    const filler = Buffer.alloc(2_000_000)
    respond = (response) => void sendInParts(response, [source, filler])
    await fixture.limitStorage(source.length + filler.length)
    await run(input)
    await encodeAll(input)
    const { usedBytes, reservedBytes } = await storage()
    expect(usedBytes).toBeLessThan(filler.length)
    expect(reservedBytes).toBe(0)
  })

  it('holds if the plan has ended since the video was accepted', async () => {
    const input = await addVideo()
    await fixture.limitStorage(source.length - 1)
    await em().execute('update plan set is_active = false')
    await run(input)
    await em().execute('update plan set is_active = true')
    expect(await fixture.video(input.videoId)).toMatchObject({ errorCode: 'insufficient_storage' })
    expect((await storage()).reservedBytes).toBe(0)
  })

  it('waits for a slow PostgreSQL, which is not a fault of the source', async () => {
    await fixture.limitStorage(source.length)
    const input = await addVideo()
    const stallMs = 1_000
    const download = createDownloadSource(fixture.deps, stallMs)
    const { outcome } = await em().transactional(async (tx) => {
      await lockStorage(tx, fixture.accountId)
      const outcome = runActivity(download, input)
      await waitFor('the reservation', isLockAwaited)
      await sleep(3 * stallMs)
      return { outcome }
    })
    expect(await outcome).toMatchObject({ ok: true })
  })

  it('excludes a video whose ingest was cancelled', async () => {
    const input = await addVideo()
    await run(input)
    expect((await storage()).reservedBytes).toBe(source.length)
    const cancelled = { code: 'cancelled', message: 'The operator has cancelled it.' }
    await runActivity(ingest.failVideo, { ...input, ...cancelled })
    expect((await storage()).reservedBytes).toBe(0)
  })
})
