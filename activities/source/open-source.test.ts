import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetSource } from '../../commands/ingest/source-keys.ts'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { sourceKey } from '../../domain/videos/media-paths.ts'
import { inputArguments, runFfmpeg } from '../../media/ffmpeg.ts'
import { probeSource } from '../../media/probe/probe-source.ts'
import { newScratchSalt, scratchCipher } from '../../security/sealing/scratch-cipher.ts'
import { openIngestFixture, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, setUpMediaFixture, signal, tone } from '../../test/fixtures/media-files.ts'
import { putSource, recordReads } from '../../test/fixtures/stored-source.ts'
import type { ActivityDeps } from '../deps.ts'
import { openWorkFolder, type WorkFolder } from '../scratch/work-folder.ts'
import { keepLocal } from './local-source.ts'
import { withSource, type OpenSource } from './open-source.ts'
import { readSourceKey } from './source-keys.ts'

const media = setUpMediaFixture()
let fixture: IngestFixture
let deps: ActivityDeps
/** 14 s of about 5 MB, with audio and a keyframe each half second. */
let video: string
let videoBytes: Buffer
/** Five times as long. */
let longVideo: string

beforeAll(async () => {
  fixture = await openIngestFixture()
  deps = fixture.deps
  const noise = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=7,noise=alls=80:allf=t']
  const codecs =
    '-c:v mpeg4 -sc_threshold 1000000000 -b:v 2700k -minrate 2700k -maxrate 2700k -bufsize 500k -c:a aac'
  const part = await media.make('part.mp4', ...noise, ...tone(7), ...codecs.split(' '))
  const repeat = (name: string, times: number): Promise<string> =>
    media.make(name, '-stream_loop', String(times - 1), '-i', part, '-c', 'copy')
  ;[video, longVideo] = await Promise.all([repeat('film.mp4', 2), repeat('long.mp4', 10)])
  videoBytes = await readFile(video)
})
afterAll(() => fixture.close())

/** A video whose source another machine has stored. */
async function storedVideo(path = video): Promise<string> {
  const { videoId } = await fixture.addVideo({ status: 'processing' })
  await putSource(deps, videoId, path)
  return videoId
}

const folderOn = (machine: string, videoId: string) => {
  const workDir = join(fixture.folder, machine)
  return openWorkFolder({ workDir, ownDir: join(workDir, 'own') }, videoId)
}

/** Puts a file where the machine that downloaded the source of a video keeps it. Returns its path. */
async function putLocal(folder: WorkFolder, videoId: string, bytes: Buffer): Promise<string> {
  const { sourceId, key } = (await readSourceKey(deps, videoId)) ?? {}
  if (!sourceId || !key) throw new Error('the source is stored')
  const salt = newScratchSalt()
  const received = join(folder.shared, 'received')
  await writeFile(received, scratchCipher(key, salt, 0)(bytes))
  await keepLocal(folder, received, { sourceId, salt })
  const [name = ''] = await readdir(folder.shared)
  return join(folder.shared, name)
}

/** Uses the source as an activity of a machine that did not download it. */
async function onOtherMachine<T>(
  videoId: string,
  use: (source: OpenSource, work: { signal: AbortSignal }) => Promise<T>,
  { storage = deps.storage, machine = randomBytes(4).toString('hex') } = {},
): Promise<T> {
  const folder = await folderOn(machine, videoId)
  return withSource({ ...deps, storage }, folder, videoId, { signal }, use)
}

async function fetchRange(address: string, first: number, last: number): Promise<Buffer> {
  const response = await fetch(address, { headers: { range: `bytes=${first}-${last}` } })
  expect(response.status).toBe(206)
  return Buffer.from(await response.arrayBuffer())
}

describe('a source on the machine that downloaded it', () => {
  it('is read from its encrypted file, at every range, and nothing is read from storage', async () => {
    const videoId = await storedVideo()
    const { storage, reads } = recordReads(deps.storage)
    const folder = await folderOn('first', videoId)
    const local = randomBytes(2 * PIECE_BYTES + 5)
    const path = await putLocal(folder, videoId, local)
    expect((await readFile(path)).subarray(0, 64)).not.toEqual(local.subarray(0, 64))
    const ranges = [
      [0, local.length - 1],
      [PIECE_BYTES - 3, PIECE_BYTES + 3],
      [2 * PIECE_BYTES + 1, local.length - 1],
    ] as const
    await withSource({ ...deps, storage }, folder, videoId, { signal }, async (source) => {
      expect(source.sizeBytes).toBe(local.length)
      for (const [first, last] of ranges)
        expect(
          (await fetchRange(source.path, first, last)).equals(local.subarray(first, last + 1)),
        ).toBe(true)
    })
    expect(reads).toEqual([])
  })

  it('is read from storage once its file has vanished', async () => {
    const videoId = await storedVideo()
    const folder = await folderOn('swept', videoId)
    const path = await putLocal(folder, videoId, videoBytes)
    const facts = await withSource(deps, folder, videoId, { signal }, async (source) => {
      await rm(path)
      return probeSource(source.path, { signal })
    })
    expect(facts.durationMs).toBeGreaterThan(13_000)
  })
})

describe('a source on another machine', () => {
  it('has the bytes of the file at every range', async () => {
    const videoId = await storedVideo()
    await onOtherMachine(videoId, async ({ path, sizeBytes }) => {
      expect(sizeBytes).toBe(videoBytes.length)
      const edges = [0, 1, PIECE_BYTES - 1, PIECE_BYTES, 2 * PIECE_BYTES, sizeBytes - 1]
      const position = fc.oneof(fc.constantFrom(...edges), fc.nat(sizeBytes - 1))
      const length = fc.oneof(fc.nat(100), fc.nat(2 * PIECE_BYTES))
      await fc.assert(
        fc.asyncProperty(position, length, async (first, more) => {
          const got = await fetchRange(path, first, first + more)
          expect(got.equals(videoBytes.subarray(first, first + more + 1))).toBe(true)
        }),
        { numRuns: 40 },
      )
    })
  })

  it('is fetched once, however many activities and attempts read it', async () => {
    const videoId = await storedVideo()
    const { storage, reads } = recordReads(deps.storage)
    const options = { storage, machine: 'shared' }
    const whole = ({ path, sizeBytes }: OpenSource) => fetchRange(path, 0, sizeBytes - 1)
    const activity = () => onOtherMachine(videoId, whole, options)
    for (const got of await Promise.all([activity(), activity(), activity()]))
      expect(got.equals(videoBytes)).toBe(true)
    await activity()
    const pieces = reads.map(({ startByte }) => startByte).filter((start) => start > 0)
    expect(new Set(pieces).size).toBe(Math.ceil(videoBytes.length / PIECE_BYTES))
    expect(pieces).toHaveLength(new Set(pieces).size)
  })

  it('costs little more than the part that a tool decodes', async () => {
    const videoId = await storedVideo(longVideo)
    const { storage, reads } = recordReads(deps.storage)
    const frames = await onOtherMachine(
      videoId,
      async ({ path }, work) => {
        const part = ['-ss', '30', '-t', '7', ...inputArguments(path)]
        const result = await runFfmpeg([...part, '-an', '-f', 'null', '-'], work)
        return result.frames
      },
      { storage },
    )
    expect(frames).toBe(175)
    const { size } = await stat(longVideo)
    const bytes = reads.reduce((sum, read) => sum + read.bytes, 0)
    // A tenth of the video. Besides, the first two pieces and the index, which any tool reads, and both ends of the part.
    expect(bytes).toBeLessThan(size / 10 + 5 * PIECE_BYTES)
  })

  it('is probed as its file is', async () => {
    const copies = [video]
    for (const name of ['film.mkv', 'film.ts', 'film.avi', 'film.flv'])
      copies.push(await media.make(name, '-t', '2', '-i', video, ...H264, '-c:a', 'mp3'))
    for (const path of copies) {
      const videoId = await storedVideo(path)
      const facts = await onOtherMachine(videoId, (source, work) => probeSource(source.path, work))
      expect(facts).toEqual(await probeSource(path, { signal }))
    }
  })

  it('that was stored before sources were encrypted is read as it is', async () => {
    const { videoId } = await fixture.addVideo({ status: 'processing' })
    await deps.storage.putFile(sourceKey(videoId), video, 'video/mp4')
    const got = await onOtherMachine(videoId, ({ path, sizeBytes }) =>
      fetchRange(path, 0, sizeBytes - 1),
    )
    expect(got.equals(videoBytes)).toBe(true)
  })

  it('is served to nothing but a range request for its own address, and only while it is used', async () => {
    const videoId = await storedVideo()
    let left = ''
    await onOtherMachine(videoId, async ({ path }) => {
      left = path
      const status = async (address: string, init?: RequestInit) =>
        (await fetch(address, init)).status
      const headers = { range: 'bytes=0-9' }
      expect(await status(path, { headers, method: 'HEAD' })).toBe(206)
      expect(await status(path, { headers, method: 'POST' })).toBe(405)
      expect(await status(path)).toBe(416)
      for (const range of ['bytes=-5', 'bytes=5-4', 'bytes=0-1,3-4', `bytes=${videoBytes.length}-`])
        expect(await status(path, { headers: { range } })).toBe(416)
      expect(await status(`${path}0`, { headers })).toBe(404)
      expect(await status(new URL('/', path).href, { headers })).toBe(404)
      expect(new URL(path).hostname).toBe('127.0.0.1')
    })
    await expect(fetch(left)).rejects.toThrow('fetch failed')
  })

  /** Prints the status of a response. Another user may read neither curl nor this Node.js. */
  const ASK = `exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET %s HTTP/1.1\\r\\nHost: localhost\\r\\nRange: bytes=0-9\\r\\n\\r\\n' "$2" >&3
    read -r _ status _ <&3 && echo "$status"`
  const asRoot = process.getuid?.() === 0 ? it : it.skip
  asRoot('is not served to another user of the machine', async () => {
    const videoId = await storedVideo()
    await onOtherMachine(videoId, async ({ path }) => {
      const { port, pathname } = new URL(path)
      const ask = (uid: number) => execa('bash', ['-c', ASK, 'ask', port, pathname], { uid })
      expect((await ask(65_534)).stdout).toBe('404')
      expect((await ask(0)).stdout).toBe('206')
    })
  })
})

describe('a stored source that was altered', () => {
  const whole = ({ path, sizeBytes }: OpenSource) =>
    fetchRange(path, 0, sizeBytes - 1).then(
      () => undefined,
      () => undefined,
    )
  const stored = async (videoId: string) =>
    (await deps.storage.read(sourceKey(videoId), 1e9))?.body ?? Buffer.alloc(0)
  const replace = (videoId: string, body: Buffer) =>
    deps.storage.putBuffer(sourceKey(videoId), Buffer.from(body), 'video/mp4')
  const refused = { name: 'SourceCipherError' }

  it.each<[string, (body: Buffer) => Buffer | Promise<Buffer>]>([
    ['by a byte', (body) => (body.writeUInt8(body.readUInt8(2e6) ^ 1, 2e6), body)],
    ['by a shorter end', (body) => body.subarray(0, -1)],
    ['by its last piece', (body) => body.subarray(0, 16 + 3 * (PIECE_BYTES + 28))],
    ['by the source of another video', async () => stored(await storedVideo())],
    ['by a plain file', () => videoBytes],
  ])('%s is an internal error, whatever the tool makes of it', async (_title, alter) => {
    const videoId = await storedVideo()
    await replace(videoId, await alter(await stored(videoId)))
    await expect(onOtherMachine(videoId, whole)).rejects.toMatchObject(refused)
  })

  it('is not read without its key', async () => {
    const videoId = await storedVideo()
    await forgetSource(deps.db.em.fork(), videoId)
    await expect(onOtherMachine(videoId, whole)).rejects.toMatchObject(refused)
  })

  it('fails every activity that reads it, stops their tools, and is opened again by the next attempt', async () => {
    const videoId = await storedVideo()
    const stored = deps.storage
    let isAway = false
    const storage: ActivityDeps['storage'] = {
      ...stored,
      get: (key, range) =>
        isAway && (range?.startByte ?? 0) > 2e6
          ? Promise.reject(new Error('the storage is away'))
          : stored.get(key, range),
    }
    const options = { storage, machine: 'faulty' }
    isAway = true
    const decode = (source: OpenSource, work: { signal: AbortSignal }) =>
      runFfmpeg([...inputArguments(source.path), '-f', 'null', '-'], work)
    const two = [onOtherMachine(videoId, decode, options), onOtherMachine(videoId, decode, options)]
    for (const one of await Promise.allSettled(two))
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'the storage is away' } })
    isAway = false
    expect((await onOtherMachine(videoId, decode, options)).frames).toBe(350)
  })
})
