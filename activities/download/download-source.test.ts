import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Video } from '../../db/entities/video.ts'
import { findSourceWrite } from '../../db/ingest/source-writes.ts'
import type {
  DownloadOutcome,
  DownloadSourceInput,
  IngestVideoInput,
} from '../../domain/ingest/ingest.ts'
import { sourceKey, sourcePrefix } from '../../domain/videos/media-paths.ts'
import { PART_BYTES, type ObjectStorage } from '../../storage/object-storage.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { readSource, recordReads } from '../../test/fixtures/stored-source.ts'
import { followAlert } from '../../test/infrastructure/follow-alert.ts'
import { linesOfFailure } from '../../test/infrastructure/logged-activity.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import type { ActivityDeps } from '../deps.ts'
import { ingestStep } from '../ingest/ingest-step.ts'
import { openWorkFolder } from '../scratch/work-folder.ts'
import { createDownloadSource } from './download-source.ts'

const SOURCE = randomBytes(300_000)
const HALF = 150_000
const SECRET = 'X-Amz-Signature=5ec7e7'

let fixture: IngestFixture
let url: string
/** The requests in order, and the ranges of the GET requests. */
let methods: string[] = []
let ranges: (string | undefined)[] = []
let respondToHead: (request: IncomingMessage, response: ServerResponse) => void
let respond: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  fixture = await openIngestFixture()
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], (request, response) => {
    methods.push(request.method ?? '')
    if (request.method === 'HEAD') return respondToHead(request, response)
    ranges.push(request.headers.range)
    respond(request, response)
  })
  url = `https://source.test:${port}/lesson.mp4?${SECRET}`
})

beforeEach(async () => {
  methods = []
  ranges = []
  respondToHead = (_request, response) => void response.writeHead(200, headers).end()
  respond = whole
  headers = HEADERS
  await fixture.limitStorage(null)
})

afterAll(() => fixture.close())

const HEADERS = { 'content-type': 'video/mp4', etag: '"one"', 'accept-ranges': 'bytes' }
let headers: Record<string, string> = HEADERS

function whole(request: IncomingMessage, response: ServerResponse): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const range = { 'content-range': `bytes ${start}-${SOURCE.length - 1}/${SOURCE.length}` }
  const length = { 'content-length': SOURCE.length - start }
  response.writeHead(start > 0 ? 206 : 200, { ...headers, ...length, ...(start > 0 && range) })
  response.end(SOURCE.subarray(start))
}

/** Announces the whole source and closes the connection once its first half is written to disk. */
function cutOff(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { ...headers, 'content-length': SOURCE.length })
  response.write(SOURCE.subarray(0, HALF))
  const hasHalf = async () => (await partial(newest).catch(() => '')).length === HALF
  void waitFor('half of the source', hasHalf).then(() => response.destroy())
}

const download = (input: DownloadSourceInput, stallMs?: number): Promise<DownloadOutcome> =>
  runActivity(createDownloadSource(fixture.deps, stallMs), input)
let newest: IngestVideoInput
const addVideo = async (more = {}) => (newest = await fixture.addVideo({ sourceUrl: url, ...more }))
const partial = async ({ videoId }: IngestVideoInput) => {
  const { shared } = await openWorkFolder(fixture.deps, videoId)
  const name = (await readdir(shared)).find((one) => one.endsWith('.part'))
  return readFile(join(shared, name ?? 'none'))
}

/** Of a machine that has none of the files of the first one. */
const onOtherMachine = (): ActivityDeps => {
  const workDir = `${fixture.folder}/${randomBytes(4).toString('hex')}`
  return { ...fixture.deps, workDir, ownDir: `${workDir}/own` }
}
const gone = (_request: IncomingMessage, response: ServerResponse): void =>
  void response.writeHead(404).end()

const hasStoredPart = ({ videoId }: IngestVideoInput): Promise<true> =>
  waitFor('a stored part', async () => {
    const stored = await findSourceWrite(fixture.deps.db.em.fork(), videoId)
    return stored?.offsetBytes === PART_BYTES
  })

async function expectStored({ videoId }: IngestVideoInput, source = SOURCE): Promise<void> {
  expect((await readSource(fixture.deps, videoId)).equals(source)).toBe(true)
}

describe('a download', () => {
  it('stores the source, and requests it once across repeated runs', async () => {
    const input = await addVideo()
    const outcome = { ok: true, sizeBytes: SOURCE.length }
    expect(await download(input)).toEqual(outcome)
    expect(await download(input)).toEqual(outcome)
    expect(methods).toEqual(['HEAD', 'GET'])
    await expectStored(input)
  })

  it('is stored while it arrives, and becomes visible once its plan has room for it', async () => {
    const input = await addVideo()
    const { storage } = fixture.deps
    const large = randomBytes(PART_BYTES + 3_000_000)
    respond = (_request, response) => {
      response.writeHead(200, { ...headers, 'content-length': large.length })
      response.write(large.subarray(0, -100))
      void hasStoredPart(input).then(async () => {
        expect(await storage.stat(sourceKey(input.videoId))).toBeNull()
        response.end(large.subarray(-100))
      })
    }
    expect(await download(input)).toEqual({ ok: true, sizeBytes: large.length })
    await expectStored(input, large)
  })

  it.each([1, 2])(
    'does not ask the link, which has expired, for what another machine has stored: attempt %i',
    async (attempt) => {
      const input = await addVideo()
      await download(input)
      respondToHead = gone
      respond = gone
      const environment = new MockActivityEnvironment({ attempt })
      const outcome = await environment.run(createDownloadSource(onOtherMachine()), input)
      expect(outcome).toEqual({ ok: true, sizeBytes: SOURCE.length })
      expect(methods).toEqual(['HEAD', 'GET'])
    },
  )

  it('does not ask the link while the storage cannot say whether it has the source', async () => {
    const input = await addVideo()
    await download(input)
    respondToHead = gone
    const { storage } = fixture.deps
    const failing: ObjectStorage = { ...storage, get: () => Promise.reject(new Error('503')) }
    const other = createDownloadSource({ ...onOtherMachine(), storage: failing })
    await expect(runActivity(other, input)).rejects.toThrow('503')
    expect(methods).toEqual(['HEAD', 'GET'])
  })

  it('reads nothing from storage for a video that no attempt has begun to store', async () => {
    const { storage, reads } = recordReads(fixture.deps.storage)
    const activity = createDownloadSource({ ...fixture.deps, storage })
    expect(await runActivity(activity, await addVideo())).toMatchObject({ ok: true })
    expect(reads).toEqual([])
  })

  it.each([
    ['lost', () => Promise.resolve()],
    ['cut off', (key: string) => fixture.deps.storage.putBuffer(key, Buffer.alloc(3), 'video/mp4')],
  ])('asks the link again if the stored source was %s', async (_title, leave) => {
    const input = await addVideo()
    await download(input)
    await fixture.deps.storage.deletePrefix(sourcePrefix(input.videoId))
    await leave(sourceKey(input.videoId))
    const outcome = await runActivity(createDownloadSource(onOtherMachine()), input)
    expect(outcome).toEqual({ ok: true, sizeBytes: SOURCE.length })
    expect(methods).toEqual(['HEAD', 'GET', 'HEAD', 'GET'])
    await expectStored(input)
  })

  it.each([
    ['deleted', { deletedAt: new Date() }, false],
    ['ready, whose account keeps no originals,', { status: 'ready' as const }, false],
    [
      'ready, whose account keeps originals,',
      { status: 'ready' as const, keepOriginal: true },
      true,
    ],
  ])('that a video that is %s meanwhile does not need is not kept', async (_title, end, isKept) => {
    const input = await addVideo()
    const { storage, db } = fixture.deps
    const slow: ObjectStorage = {
      ...storage,
      async putBuffer(...put) {
        await storage.putBuffer(...put)
        await db.em.fork().nativeUpdate(Video, { id: input.videoId }, end)
      },
    }
    const activity = createDownloadSource({ ...fixture.deps, storage: slow })
    await expect(runActivity(activity, input)).rejects.toMatchObject({ code: 'video_gone' })
    expect((await fixture.objects()).includes(sourceKey(input.videoId))).toBe(isKept)
  })

  it('stores again what has arrived if the storage fails', async () => {
    const input = await addVideo()
    const { storage } = fixture.deps
    const failing: ObjectStorage = {
      ...storage,
      putBuffer: () => Promise.reject(new Error('the disk is full')),
    }
    const activity = createDownloadSource({ ...fixture.deps, storage: failing })
    await expect(runActivity(activity, input)).rejects.toThrow('the disk is full')
    expect(await fixture.objects()).not.toContain(sourceKey(input.videoId))
    expect(await download(input)).toEqual({ ok: true, sizeBytes: SOURCE.length })
    expect(methods).toEqual(['HEAD', 'GET'])
    await expectStored(input)
  })

  it.each([
    ['its ETag', {}],
    ['its date', { etag: 'W/"weak"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' }],
  ])('resumes after a cut connection, for the file with %s', async (_title, facts) => {
    const input = await addVideo()
    headers = { ...HEADERS, ...facts }
    respond = cutOff
    expect(await download(input)).toMatchObject({ ok: false, code: 'source_unreachable' })
    expect(await partial(input)).toHaveLength(HALF)
    respond = whole
    expect(await download(input)).toMatchObject({ ok: true })
    expect(ranges).toEqual([undefined, `bytes=${HALF}-`])
    expect(methods).toEqual(['HEAD', 'GET', 'HEAD', 'GET'])
    await expectStored(input)
  })

  it('restarts if the file has changed', async () => {
    const input = await addVideo()
    respond = cutOff
    await download(input)
    const other = randomBytes(1000)
    respond = (_request, response) => {
      response.writeHead(200, { ...headers, etag: '"two"', 'content-length': 1000 }).end(other)
    }
    expect(await download(input)).toEqual({ ok: true, sizeBytes: 1000 })
    await expectStored(input, other)
  })

  it('restarts if the server sends no validator', async () => {
    const input = await addVideo()
    headers = { 'content-type': 'video/mp4' }
    respond = cutOff
    await download(input)
    respond = whole
    expect(await download(input)).toMatchObject({ ok: true })
    expect(ranges).toEqual([undefined, undefined])
  })

  it.each<[string, number, Record<string, string | number>, string]>([
    ['with status 404', 404, {}, 'source_unreachable'],
    ['with status 403, as for a link signed for GET only', 403, {}, 'source_unreachable'],
    ['with the type of a page', 200, { 'content-type': 'text/html' }, 'unsupported_source_type'],
    ['with more than 20 GiB', 200, { 'content-length': 20 * 2 ** 30 + 1 }, 'source_too_large'],
    [
      'with more than the free storage of the plan',
      200,
      { 'content-length': 2001 },
      'insufficient_storage',
    ],
    ['that redirects to http', 302, { location: 'http://source.test/' }, 'invalid_source_url'],
    [
      'that redirects to a private address',
      302,
      { location: 'https://10.0.0.1/' },
      'source_not_allowed',
    ],
    ['that redirects endlessly', 302, { location: '/again' }, 'too_many_redirects'],
  ])('does not start after a HEAD response %s', async (_title, status, more, code) => {
    const input = await addVideo({ reservedBytes: 1000 })
    await fixture.limitStorage(2000)
    respondToHead = (_request, response) => void response.writeHead(status, more).end()
    expect(await download(input)).toMatchObject({ ok: false, code })
    expect(methods).not.toContain('GET')
  })

  it('does not resume if the HEAD request fails, and resumes at the next attempt', async () => {
    const input = await addVideo()
    respond = cutOff
    await download(input)
    respondToHead = (_request, response) => void response.writeHead(503).end()
    expect(await download(input)).toMatchObject({ ok: false, code: 'source_unreachable' })
    respondToHead = (_request, response) => void response.writeHead(200, headers).end()
    respond = whole
    expect(await download(input)).toMatchObject({ ok: true })
    expect(methods).toEqual(['HEAD', 'GET', 'HEAD', 'HEAD', 'GET'])
    expect(ranges).toEqual([undefined, `bytes=${HALF}-`])
    await expectStored(input)
  })

  it('ends when a source without a length exceeds the free storage of the plan', async () => {
    const input = await addVideo({ reservedBytes: 1000 })
    await fixture.limitStorage(2000)
    respond = (_request, response) => void response.writeHead(200, headers).end(SOURCE)
    expect(await download(input)).toMatchObject({ ok: false, code: 'insufficient_storage' })
  })

  it('receives nothing if the length in the GET response exceeds the free storage of the plan', async () => {
    const input = await addVideo({ reservedBytes: 1000 })
    await fixture.limitStorage(2000)
    expect(await download(input)).toMatchObject({ ok: false, code: 'insufficient_storage' })
    expect(await fixture.video(input.videoId)).toMatchObject({ reservedBytes: 0 })
    expect(await partial(input).catch(() => [])).toHaveLength(0)
  })

  it('can use the storage reserved for it', async () => {
    const input = await addVideo({ reservedBytes: SOURCE.length })
    await fixture.limitStorage(SOURCE.length)
    expect(await download(input)).toMatchObject({ ok: true })
  })

  it.each([
    ['sends nothing more', fallSilent],
    ['never responds', () => undefined],
  ])('fails its attempt if the source %s', async (_title, stalls) => {
    const input = await addVideo()
    respond = stalls
    expect(await download(input, 300)).toEqual({
      ok: false,
      code: 'source_unreachable',
      message: 'The source stopped sending.',
    })
  })

  it('fails with an internal error, not as an attempt, while nothing responds in the network', async () => {
    const input = await addVideo()
    const controlHosts = ['unreachable.test']
    const networks = ['127.0.0.0/8', '255.255.255.255/32']
    const egress = fixture.network.egress({ allowedNetworks: networks, controlHosts })
    fixture.network.dns.set('unreachable.test', ['255.255.255.255'])
    // Longer than a response still shows that the network works.
    respondToHead = () => undefined
    const slow = createDownloadSource({ ...fixture.deps, egress }, 1_500)
    await expect(runActivity(slow, input)).rejects.toMatchObject({ code: 'network_away' })
    fixture.network.dns.setSilent(true)
    const info = { activityType: 'downloadSource', workflowId: `video-${input.videoId}` }
    const worker = await linesOfFailure(info, ingestStep(createDownloadSource(fixture.deps)), input)
    expect(await followAlert('ReelgateNetworkAway', { worker })).toContain(input.videoId)
    fixture.network.dns.setSilent(false)
    respondToHead = (_request, response) => void response.writeHead(200, headers).end()
    respond = whole
    expect(await download(input)).toMatchObject({ ok: true })
  })

  it('fails its attempt if the name servers of the source are silent, and others respond', async () => {
    fixture.network.dns.set('silent.test', 'SILENCE')
    const input = await fixture.addVideo({ sourceUrl: 'https://silent.test/lesson.mp4' })
    for (let attempt = 1; attempt <= 3; attempt += 1)
      expect(await download(input, 300)).toMatchObject({ ok: false, code: 'source_unreachable' })
  })

  it('fails its attempt if the source sends less than 16 KiB per second on average', async () => {
    const input = await addVideo()
    respond = drip
    // Longer than a busy machine needs between two bytes.
    expect(await download(input, 800)).toEqual({
      ok: false,
      code: 'source_unreachable',
      message: 'The source sends less than 16 KiB per second.',
    })
  })

  it('fails its attempt if the source never responds to the HEAD request', async () => {
    const input = await addVideo()
    respondToHead = () => undefined
    expect(await download(input, 300)).toMatchObject({ code: 'source_unreachable' })
  })

  it('fails its attempt if the source is empty, unavailable or not a video', async () => {
    const input = await addVideo()
    respond = (_request, response) => void response.writeHead(200, headers).end()
    expect(await download(input)).toMatchObject({ code: 'source_unreachable' })
    respond = (_request, response) => void response.writeHead(404).end()
    expect(await download(input)).toMatchObject({ code: 'source_unreachable' })
    respond = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    expect(await download(input)).toMatchObject({ code: 'unsupported_source_type' })
    fixture.network.dns.set('source.test', ['10.0.0.1'])
    expect(await download(input)).toMatchObject({ code: 'source_not_allowed' })
    fixture.network.dns.set('source.test', ['127.0.0.1'])
  })

  it('fails its activity for good, with code and message, if the workflow counts failures', async () => {
    const input = { ...(await addVideo()), countsFailures: true }
    respond = gone
    const failure: unknown = await download(input).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      name: 'ApplicationFailure',
      type: 'source_unreachable',
      nonRetryable: true,
      message: expect.stringContaining('404'),
    })
    const { stack, cause } = failure as ApplicationFailure
    expect(cause).toBeUndefined()
    expect(JSON.stringify([failure, stack])).not.toMatch(/https?:|5ec7e7/)
    respond = whole
    expect(await download(input)).toMatchObject({ ok: true })
  })

  it('never reveals the link in its result or its heartbeats', async () => {
    const said: unknown[] = []
    for (const reply of [cutOff, whole]) {
      respond = reply
      const environment = new MockActivityEnvironment()
      environment.on('heartbeat', (details) => said.push(details))
      said.push(await environment.run(createDownloadSource(fixture.deps), await addVideo()))
    }
    expect(said.length).toBeGreaterThan(2)
    expect(JSON.stringify(said)).not.toMatch(/source\.test|5ec7e7/)
  })

  it('fails with an internal error, not as an attempt, if the database fails', async () => {
    const execute = (sql: string) => fixture.deps.db.em.fork().execute(sql)
    const input = await addVideo()
    respond = (request, response) => {
      void execute('alter table plan rename to plan_away').then(() => whole(request, response))
    }
    await expect(download(input)).rejects.toThrow('"plan" does not exist')
    await execute('alter table plan_away rename to plan')
    respond = whole
    expect(await download(input)).toMatchObject({ ok: true })
  })

  it('ends as cancelled when it is cancelled in the middle', async () => {
    const input = await addVideo()
    const environment = new MockActivityEnvironment()
    respond = (request, response) => {
      fallSilent(request, response)
      setTimeout(() => environment.cancel(), 100)
    }
    const work = environment.run(ingestStep(createDownloadSource(fixture.deps)), input)
    await expect(work).rejects.toMatchObject({ name: 'CancelledFailure' })
  })

  it('does nothing for a video that was deleted or has ended', async () => {
    for (const input of [
      await addVideo({ deletedAt: new Date() }),
      await addVideo({ status: 'failed' }),
    ])
      await expect(download(input)).rejects.toMatchObject({ code: 'video_gone' })
    expect(methods).toEqual([])
  })
})

/** Sends a byte at a time, more often than a stall is noticed. */
function drip(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { ...headers, 'content-length': SOURCE.length })
  const timer = setInterval(() => response.write('x'), 50)
  response.on('close', () => clearInterval(timer))
}

/** Sends half of the source and then nothing, with the connection open. */
function fallSilent(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { ...headers, 'content-length': SOURCE.length })
  response.write(SOURCE.subarray(0, HALF))
}
