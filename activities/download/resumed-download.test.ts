import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findSourceWrite, SourceWriteLostError } from '../../db/ingest/source-writes.ts'
import type {
  ActivityProgress,
  DownloadOutcome,
  IngestVideoInput,
} from '../../domain/ingest/ingest.ts'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { sourceKey, workFolderName } from '../../domain/videos/media-paths.ts'
import { createStorage, PART_BYTES, type ObjectStorage } from '../../storage/object-storage.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture } from '../../test/fixtures/media-files.ts'
import { readSource } from '../../test/fixtures/stored-source.ts'
import { HAS_EVERY_CASE } from '../../test/infrastructure/every-case.ts'
import { s3Server } from '../../test/infrastructure/services.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import type { ActivityDeps } from '../deps.ts'
import { createEncodeActivities } from '../encode/encode-activities.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { openWorkFolder } from '../scratch/work-folder.ts'
import { findLocal, readLocal } from '../source/local-source.ts'
import { readSourceKey } from '../source/source-keys.ts'
import { createDownloadSource } from './download-source.ts'

const media = setUpMediaFixture()
let fixture: IngestFixture
let storages: Record<'folder' | 's3', ObjectStorage>
/** A video and, behind it, bytes that no player reads: more than one part. */
let source: Buffer
let url: string
let ranges: (string | undefined)[] = []
let respond: (request: IncomingMessage, response: ServerResponse) => void

const HEADERS = { 'content-type': 'video/mp4', etag: '"one"', 'accept-ranges': 'bytes' }

beforeAll(async () => {
  fixture = await openIngestFixture()
  storages = { folder: fixture.deps.storage, s3: createStorage(await s3Server()) }
  const video = await media.make('a.mp4', ...picture('320x180'), ...H264)
  const unread = randomBytes(PART_BYTES + 2_000_000)
  unread.writeUInt32BE(unread.length)
  unread.write('free', 4)
  source = Buffer.concat([await readFile(video), unread])
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], (request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(200, HEADERS).end()
    ranges.push(request.headers.range)
    respond(request, response)
  })
  url = `https://source.test:${port}/lesson.mp4`
})

beforeEach(() => {
  ranges = []
})

afterAll(() => fixture.close())

/** Serves the source, or the part that is asked for if the server `hasRanges`. */
const serve =
  ({ hasRanges = true, headers = HEADERS as object } = {}) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const isPart = hasRanges && from > 0
    const body = isPart ? source.subarray(from) : source
    const range = { 'content-range': `bytes ${from}-${source.length - 1}/${source.length}` }
    const more = { 'content-length': body.length, ...(isPart && range) }
    response.writeHead(isPart ? 206 : 200, { ...headers, ...more }).end(body)
  }

/** Sends all but the last bytes; `end` sends these or breaks off, once a part is stored. */
const serveMost =
  (
    input: IngestVideoInput,
    end: (response: ServerResponse) => unknown,
    headers: object = HEADERS,
  ) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { ...headers, 'content-length': source.length })
    response.write(source.subarray(0, -100))
    void storedPart(input).then(() => end(response))
  }

const storedOf = ({ videoId }: IngestVideoInput) =>
  findSourceWrite(fixture.deps.db.em.fork(), videoId)
const storedPart = (input: IngestVideoInput): Promise<true> =>
  waitFor('a stored part', async () => (await storedOf(input))?.offsetBytes === PART_BYTES)

describe.each(['folder', 's3'] as const)('a download on the storage %s', (name) => {
  /** Of what the response of the server decides: in `npm test`, on one storage. */
  const itOfResponses = it.runIf(HAS_EVERY_CASE || name === 'folder')
  const machine = (more: Partial<ActivityDeps> = {}): ActivityDeps => {
    const workDir = join(fixture.folder, randomBytes(4).toString('hex'))
    return {
      ...fixture.deps,
      storage: storages[name],
      workDir,
      ownDir: join(workDir, 'own'),
      ...more,
    }
  }
  let input: IngestVideoInput
  let first: ActivityDeps
  let second: ActivityDeps
  beforeEach(async () => {
    input = await fixture.addVideo({ sourceUrl: url })
    ;[first, second] = [machine(), machine()]
  })
  const download = (deps: ActivityDeps): Promise<DownloadOutcome> =>
    runActivity(createDownloadSource(deps), input)
  const breakOff = async (headers: object = HEADERS): Promise<void> => {
    respond = serveMost(input, (response) => response.destroy(), headers)
    expect(await download(first)).toMatchObject({ ok: false, code: 'source_unreachable' })
    ranges = []
  }
  const stored = () => readSource({ ...fixture.deps, storage: storages[name] }, input.videoId)
  const files = ({ workDir }: ActivityDeps) => readdir(join(workDir, workFolderName(input.videoId)))
  const OK = () => ({ ok: true, sizeBytes: source.length })
  const unfinished = () => storages[name].removeUnfinished(new Date(Date.now() + 2_000))

  it('continues on another machine from what is stored, while the first one is frozen, and is encoded there', async () => {
    const { promise: wakes, resolve: wake } = Promise.withResolvers<void>()
    respond = serveMost(input, async (response) => {
      await wakes
      response.end(source.subarray(-100))
    })
    const frozen = download(first)
    await storedPart(input)
    expect(await storages[name].stat(sourceKey(input.videoId))).toBeNull()

    respond = serve()
    const reports: ActivityProgress[] = []
    const environment = new MockActivityEnvironment()
    environment.on('heartbeat', (progress: ActivityProgress) => reports.push(progress))
    const outcome = await environment.run(createDownloadSource(second), input)
    expect(outcome).toEqual(OK())
    expect(ranges).toEqual([undefined, `bytes=${PART_BYTES}-`])
    const received = reports.map(({ bytes }) => bytes).filter(Boolean)
    expect(Math.min(...received.map(Number))).toBeGreaterThan(PART_BYTES)
    expect((await stored()).equals(source)).toBe(true)

    wake()
    await expect(frozen).rejects.toThrow(SourceWriteLostError)
    expect((await stored()).equals(source)).toBe(true)
    expect([await storedOf(input), await unfinished()]).toEqual([null, 0])
    // Neither machine has a file that it takes for the source.
    expect((await files(first)).filter((file) => file.startsWith('source-'))).toEqual([])
    expect(await files(second)).toEqual(['download.json'])
    const { facts, rungs } = await runActivity(
      createIngestActivities(second).prepareEncoding,
      input,
    )
    const work = { facts, rung: rungs[0]!, isFirst: true, audioNames: [] }
    await runActivity(createEncodeActivities(second).encodeRung, { ...input, ...work })
    expect(await fixture.renditions(input.videoId)).toHaveLength(1)
  })

  it('continues on the same machine from its own file, and stores no part twice', async () => {
    await breakOff()
    respond = serve()
    const { partial } = storages[name]
    const puts: number[] = []
    const storage: ObjectStorage = {
      ...storages[name],
      partial: {
        ...partial,
        put: (key, id, at, body) => (puts.push(at.startByte), partial.put(key, id, at, body)),
      },
    }
    expect(await download({ ...first, storage })).toEqual(OK())
    expect([ranges, puts]).toEqual([[`bytes=${source.length - 100}-`], [PART_BYTES]])
    expect((await stored()).equals(source)).toBe(true)
    const { sourceId, key } = (await readSourceKey(first, input.videoId))!
    const local = await findLocal(await openWorkFolder(first, input.videoId), sourceId!, key)
    const pieces: Buffer[] = []
    for (let index = 0; index * PIECE_BYTES < source.length; index += 1)
      pieces.push((await readLocal(local!, index)) ?? Buffer.alloc(0))
    expect(Buffer.concat(pieces).equals(source)).toBe(true)
  })

  it('begins again on another machine if the link has another file', async () => {
    await breakOff()
    const before = source
    source = Buffer.concat([randomBytes(1_000), before])
    respond = serve({ hasRanges: false, headers: { ...HEADERS, etag: '"two"' } })
    expect(await download(second)).toEqual(OK())
    expect(ranges).toEqual([`bytes=${PART_BYTES}-`])
    expect((await stored()).equals(source)).toBe(true)
    expect([await storedOf(input), await unfinished()]).toEqual([null, 0])
    source = before
  })

  itOfResponses(
    'begins again on another machine if nothing says that the link has the same file',
    async () => {
      const headers = { 'content-type': 'video/mp4' }
      await breakOff(headers)
      respond = serve({ headers })
      expect(await download(second)).toEqual(OK())
      expect(ranges).toEqual([undefined])
      expect((await stored()).equals(source)).toBe(true)
    },
  )

  itOfResponses(
    'receives all of the source from a server without ranges, and stores the rest',
    async () => {
      await breakOff()
      respond = serve({ hasRanges: false })
      expect(await download(second)).toEqual(OK())
      expect((await stored()).equals(source)).toBe(true)
      expect(await files(second)).toContainEqual(expect.stringMatching(/^source-/))
    },
  )

  it('fails its attempt if the link has expired; the end of its video removes what is stored', async () => {
    await breakOff()
    respond = (_request, response) => void response.writeHead(403).end()
    expect(await download(second)).toMatchObject({ ok: false, code: 'source_unreachable' })
    expect((await storedOf(input))?.offsetBytes).toBe(PART_BYTES)
    const failure = { code: 'source_unreachable' as const, message: 'The link expired.' }
    await runActivity(createIngestActivities(second).failVideo, { ...input, ...failure })
    expect([await storedOf(input), await unfinished()]).toEqual([null, 0])
  })

  it('is complete if its process is frozen before it records what it has stored', async () => {
    respond = serve()
    const { promise: wakes, resolve: wake } = Promise.withResolvers<void>()
    const { partial } = storages[name]
    const join: typeof partial.join = async (...joined) => {
      await partial.join(...joined)
      await wakes
    }
    const storage = { ...storages[name], partial: { ...partial, join } }
    const frozen = download({ ...first, storage })
    await waitFor('the source', () => storage.stat(sourceKey(input.videoId)))
    expect(await download(second)).toEqual(OK())
    wake()
    await expect(frozen).rejects.toThrow(SourceWriteLostError)
    expect(ranges).toEqual([undefined])
    expect((await stored()).equals(source)).toBe(true)
    expect([await storedOf(input), await unfinished()]).toEqual([null, 0])
  })
})
