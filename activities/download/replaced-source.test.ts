import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EncodingPlan } from '../../domain/ingest/ingest.ts'
import { sourcePrefix } from '../../domain/videos/media-paths.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture } from '../../test/fixtures/media-files.ts'
import type { ActivityDeps } from '../deps.ts'
import { createEncodeActivities } from '../encode/encode-activities.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'

const media = setUpMediaFixture()
let fixture: IngestFixture
/** Two videos of the same size, rate and length. */
let videos: [Buffer, Buffer]
let served: Buffer
let first: ActivityDeps
let second: ActivityDeps
let input: { videoId: string; accountId: number }
let plan: EncodingPlan

beforeAll(async () => {
  fixture = await openIngestFixture()
  const shape = picture('320x240', 5, 8)
  const [one, other] = await Promise.all([
    media.make('one.mp4', ...shape, ...H264),
    media.make('other.mp4', ...shape, '-vf', 'negate', ...H264),
  ])
  videos = [await readFile(one), await readFile(other)]
  fixture.network.dns.set('source.test', ['127.0.0.1'])
})
afterAll(() => fixture.close())

const machine = (): ActivityDeps => {
  const workDir = `${fixture.folder}/${randomBytes(4).toString('hex')}`
  return { ...fixture.deps, chunkSeconds: 4, workDir, ownDir: `${workDir}/own` }
}

beforeEach(async () => {
  ;[first, second] = [machine(), machine()]
  served = videos[0]
  const { port } = await fixture.network.serveHttps(['source.test'], (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': served.length })
    response.end(served)
  })
  input = await fixture.addVideo({ sourceUrl: `https://source.test:${port}/film.mp4` })
  await download(first)
  plan = await runActivity(createIngestActivities(first).prepareEncoding, input)
  await encode(first, 0)
})

const download = async (by: ActivityDeps): Promise<void> => {
  const { downloadSource } = createIngestActivities(by)
  expect(await runActivity(downloadSource, input)).toMatchObject({ ok: true })
}

function encode(by: ActivityDeps, index: number): Promise<void> {
  const { audio: _, ...facts } = plan.facts
  if (!plan.chunks) throw new Error('the video has chunks')
  const work = { rungs: plan.rungs.slice(0, 1), picture: facts, audioNames: [], isFirst: true }
  return runActivity(createEncodeActivities(by).encodeChunk, {
    ...input,
    ...work,
    plan: plan.chunks,
    index,
  })
}

const count = async (table: string): Promise<number> => {
  const sql = `select 1 from ${table} where video_id = ?`
  return (await fixture.deps.db.em.fork().execute<unknown[]>(sql, [input.videoId])).length
}

/** The stored source is lost, and the link now serves another video. */
async function replaceSource(): Promise<void> {
  await fixture.deps.storage.deletePrefix(sourcePrefix(input.videoId))
  served = videos[1]
  await download(second)
}

describe('a source that is stored again, with another video', () => {
  it('is not mixed with chunks of the one before, nor with files that machines keep of it', async () => {
    expect(await count('rendition_chunk')).toBe(1)
    await replaceSource()
    expect([await count('rendition_chunk'), await count('growing_film')]).toEqual([0, 0])
    // The first machine still has the file of the first video.
    for (const by of [first, machine()]) {
      await encode(by, 0)
      const sql = 'delete from rendition_chunk where video_id = ? returning size_bytes'
      sizes.push(await fixture.deps.db.em.fork().execute(sql, [input.videoId]))
    }
    expect(sizes[0]).toEqual(sizes[1])
    for (const index of [0, 1]) await encode(first, index)
    expect(await fixture.renditions(input.videoId)).toHaveLength(1)
  })

  it('refuses a chunk that a late attempt has made of the one before', async () => {
    const sql = `update source_key set source_id = 'stored by another attempt' where video_id = ?`
    const late = { ...first, storage: { ...first.storage } }
    late.storage.putFile = async (...args) => {
      await fixture.deps.db.em.fork().execute(sql, [input.videoId])
      await first.storage.putFile(...args)
    }
    await expect(encode(late, 1)).rejects.toThrow('the source was stored again')
    expect(await fixture.renditions(input.videoId)).toEqual([])
  })

  it('forgets nothing if the same stored source is found again', async () => {
    await download(second)
    expect(await count('rendition_chunk')).toBe(1)
    await encode(second, 1)
    expect(await fixture.renditions(input.videoId)).toHaveLength(1)
  })
})

const sizes: unknown[] = []
