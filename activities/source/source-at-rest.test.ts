import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSourceKey } from '../../db/ingest/source-keys.ts'
import { findUpload } from '../../db/uploads/uploads.ts'
import { sourceKey } from '../../domain/videos/media-paths.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { picture, setUpMediaFixture, tone } from '../../test/fixtures/media-files.ts'
import { readSource } from '../../test/fixtures/stored-source.ts'
import { makeUpload } from '../../test/fixtures/upload.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { s3Server } from '../../test/infrastructure/services.ts'
import { receiveUpload } from '../../uploads/receive-upload.ts'
import { createEncodeActivities } from '../encode/encode-activities.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'

const media = setUpMediaFixture()
let fixture: IngestFixture
let source: Buffer
let sourceUrl: string

beforeAll(async () => {
  fixture = await openIngestFixture()
  const codecs = ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'aac']
  const path = await media.make('a.mp4', ...picture('320x180'), ...tone(), ...codecs)
  source = await readFile(path)
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': source.length })
    response.end(source)
  })
  sourceUrl = `https://source.test:${port}/lesson.mp4`
})
afterAll(() => fixture.close())

/** The files of a scratch folder, by their paths. */
async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)),
  )
}

async function dump(storage: ObjectStorage): Promise<Map<string, Buffer>> {
  const objects = new Map<string, Buffer>()
  for await (const { key } of storage.list('')) {
    const stored = await storage.read(key, 1e9)
    if (stored?.body) objects.set(key, stored.body)
  }
  return objects
}

/** Where 32 bytes of picture or audio of the source begin, by their first four; each 64 in a row contain such. */
function indexContent(): Map<number, number> {
  const runs = new Map<number, number>()
  const end = source.indexOf('moov') - 4
  for (let at = source.indexOf('mdat') + 4; at + 32 <= end; at += 32) {
    const run = source.subarray(at, at + 32)
    // A run of one byte, such as padding, says nothing of the source.
    if (run.some((byte) => byte !== run[0])) runs.set(run.readInt32LE(), at)
  }
  return runs
}

function expectNoContent(key: string, body: Buffer, runs: Map<number, number>): void {
  for (let at = 0; at + 32 <= body.length; at += 1) {
    const from = runs.get(body.readInt32LE(at))
    if (from === undefined) continue
    const isSame = body.subarray(at, at + 32).equals(source.subarray(from, from + 32))
    if (isSame) throw new Error(`${key} has bytes of the source`)
  }
}

/** The width of the source and of its rungs for a height of one. */
const SHAPE = 320 / 180

/**
 * How many pictures with the shape of the source ffmpeg decodes from a file. Its guess of a format without a header,
 * such as H.261, now and then takes random bytes for a picture, but only for one of the sizes of that format.
 */
async function countPictures(path: string): Promise<number> {
  const decode = ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-']
  const { stdout } = await execa('ffmpeg', decode, { reject: false })
  const found = stdout.matchAll(/^#dimensions (\d+): (\d+)x(\d+)$/gm)
  const shaped = [...found].filter(([, , width, height]) => {
    const shape = Number(width) / Number(height)
    return Math.abs(shape - SHAPE) < 0.02
  })
  const streams = new Set(shaped.map(([, stream]) => stream))
  return stdout.split('\n').filter((line) => streams.has(/^(\d+),/.exec(line)?.[1])).length
}

/** Throws if an object or a file contains some of the source, or if ffmpeg decodes a picture of it. */
async function expectUnreadable(objects: Map<string, Buffer>): Promise<string[]> {
  const runs = indexContent()
  expect(runs.size).toBeGreaterThan(1_000)
  for (const [key, body] of objects) {
    expectNoContent(key, body, runs)
    // Posters and the storyboard are public.
    if (/\/(tiles\/\d+|poster|frame-\d|storyboard)\.(jpg|vtt)$/.test(key)) continue
    const path = join(media.folder, 'object')
    await writeFile(path, body)
    expect({ key, pictures: await countPictures(path) }).toEqual({ key, pictures: 0 })
  }
  return [...objects.keys()]
}

describe('the search for the source', () => {
  it('finds bytes of it', async () => {
    const moved = Buffer.concat([Buffer.alloc(7), source])
    expect(() => expectNoContent('moved', moved, indexContent())).toThrow('has bytes')
  })

  it.each([
    ['the source', 'mp4', '640x360', 'mpeg4'],
    ['a rung in MP4', 'mp4', '426x240', 'libx264'],
    ['a rung in Matroska', 'matroska', '426x240', 'libx264'],
    ['a rung without a container', 'h264', '640x360', 'libx264'],
  ])('finds pictures of %s', async (_title, format, size, codec) => {
    const clear = ['-pix_fmt', 'yuv420p', '-c:v', codec, '-f', format]
    const path = await media.make('clear', ...picture(size, 30, 0.2), ...clear)
    expect(await countPictures(path)).toBe(6)
  })

  it('takes no picture of the sizes of H.261 for one of the source', async () => {
    const h261 = ['-c:v', 'h261', '-f', 'h261']
    const path = await media.make('random', ...picture('352x288', 30, 0.2), ...h261)
    expect(await countPictures(path)).toBe(0)
  })
})

const folderStorage = async () =>
  createStorage({ driver: 'folder', dir: join(media.folder, 'objects') })

describe.each([
  ['a folder', folderStorage, someOf([true, false], 2)],
  ['S3', async () => createStorage(await s3Server()), someOf([false, true], 2)],
] as const)('object storage in %s', (_name, open, choices) => {
  it.each(choices)(
    'and scratch space have nothing readable of a source at any step of an ingest; it is kept: %s',
    async (keepOriginal) => {
      const storage = await open()
      const input = await fixture.addVideo({ sourceUrl, keepOriginal })
      const { videoId } = input
      // Every step runs on another machine.
      let machine = 0
      const workDirs: string[] = []
      const depsOfNext = () => {
        const workDir = join(media.folder, `${videoId}-${(machine += 1)}`)
        workDirs.push(workDir)
        return { ...fixture.deps, storage, workDir, ownDir: join(workDir, 'own') }
      }
      const ingest = () => createIngestActivities(depsOfNext())
      const encode = () => createEncodeActivities(depsOfNext())
      await runActivity(ingest().downloadSource, input)
      expect(await expectUnreadable(await dump(storage))).toEqual([sourceKey(videoId)])
      const { facts, rungs, audio } = await runActivity(ingest().prepareEncoding, input)
      const audioNames = audio.map(({ name }) => name)
      for (const track of audio)
        await runActivity(encode().encodeAudio, { ...input, facts, track, audioNames })
      const [rung] = rungs
      if (!rung) throw new Error('a ladder has a rung')
      const first = { ...input, facts, rung, isFirst: true, audioNames }
      await runActivity(encode().encodeRung, first)
      await expectUnreadable(await dump(storage))
      // All machines together have the source twice at least, and none has a readable part of it.
      const scratch = await Promise.all(workDirs.map(filesOf))
      const files = new Map(scratch.flatMap((one) => [...one]))
      const bytes = [...files.values()].reduce((sum, one) => sum + one.length, 0)
      expect(bytes).toBeGreaterThan(2 * source.length)
      await expectUnreadable(files)
      await runActivity(ingest().finishVideo, { ...input, facts })
      const names = [...(await dump(storage)).keys()]
      expect(names.includes(sourceKey(videoId))).toBe(keepOriginal)
      const key = await findSourceKey(fixture.deps.db.em.fork(), videoId)
      expect(key !== null).toBe(keepOriginal)
      if (keepOriginal)
        expect((await readSource({ ...fixture.deps, storage }, videoId)).equals(source)).toBe(true)
      // A repeated run after a kill changes nothing.
      await runActivity(ingest().finishVideo, { ...input, facts })
      await runActivity(ingest().cleanUpVideo, input)
      expect([...(await dump(storage)).keys()]).toEqual(names)
      await storage.deletePrefix(`videos/${videoId}/`)
      await storage.deletePrefix(`sources/${videoId}/`)
    },
  )
})

it('an upload has nothing readable in storage at any moment, whether its requests end or break', async () => {
  const { deps, accountId } = fixture
  const upload = await makeUpload(deps, accountId, { sizeBytes: source.length })
  const third = Math.ceil(source.length / 3)
  async function* arriving(at: number, isCut: boolean): AsyncGenerator<Buffer> {
    yield source.subarray(at, at + third)
    if (isCut) throw new Error('the connection is gone')
  }
  for (const [at, isCut] of [
    [0, true],
    [third, false],
    [2 * third, false],
  ] as const) {
    const found = await findUpload(deps.db.em.fork(), accountId, upload.id)
    if (!found) throw new Error('the upload is gone')
    const bytes = { body: arriving(at, isCut), startByte: at, sizeBytes: null, bodyBytes: null }
    const sent = receiveUpload({ ...deps, hasDrmProvider: false }, found, bytes)
    expect(await sent.catch(() => 'cut')).toEqual(isCut ? 'cut' : expect.any(Number))
    const files = await expectUnreadable(await filesOf(join(fixture.folder, 'objects')))
    expect(files.some((path) => path.includes(upload.videoId))).toBe(true)
  }
  expect((await readSource(deps, upload.videoId)).equals(source)).toBe(true)
})
