import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findSourceWrite } from '../../db/ingest/source-writes.ts'
import { workFolderName } from '../../domain/videos/media-paths.ts'
import { PART_BYTES } from '../../storage/object-storage.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { H264, picture, setUpMediaFixture } from '../../test/fixtures/media-files.ts'
import { putSource } from '../../test/fixtures/stored-source.ts'
import { waitFor } from '../../test/infrastructure/wait-for.ts'
import { createDownloadSource } from '../download/download-source.ts'
import { createIngestActivities } from '../ingest/ingest-activities.ts'
import { createScratchSpace } from './scratch-space.ts'
import { removeWorkFolder } from './work-folder.ts'

const media = setUpMediaFixture()
const MIB = 2 ** 20
const DISK_BYTES = 10 * MIB

// Only root can mount a file system of a known size.
describe.runIf(process.getuid?.() === 0)('the scratch space', () => {
  let root: string
  let disk: string
  let fixture: IngestFixture
  let url: string
  /** The GET requests wait for this; resolved by default. */
  let mayEnd: Promise<void>
  let waiting = 0

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'reelgate-scratch-'))
    disk = join(root, 'disk')
    await mkdir(disk)
    await execa('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk])
    fixture = await openIngestFixture()
    fixture.network.dns.set('source.test', ['127.0.0.1'])
    const { port } = await fixture.network.serveHttps(['source.test'], (request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 4 * MIB })
      if (request.method === 'HEAD') return response.end()
      response.write(Buffer.alloc(MIB))
      waiting += 1
      void mayEnd.then(() => response.end(Buffer.alloc(3 * MIB)))
    })
    url = `https://source.test:${port}/lesson.mp4`
  })

  afterEach(async () => {
    for (const name of await readdir(disk)) await rm(join(disk, name), { recursive: true })
  })

  afterAll(async () => {
    await fixture.close()
    await execa('umount', [disk])
    await rm(root, { recursive: true, force: true })
  })

  it('gives downloads together nine tenths of the file system, and to others what is given back', async () => {
    const space = createScratchSpace(disk)
    const [first, second] = [space.lease(0), space.lease(0)]
    expect(await first.cover(6 * MIB)).toBe(true)
    expect(await second.cover(4 * MIB)).toBe(false)
    expect(await second.cover(3 * MIB)).toBe(true)
    expect(await space.hasRoom()).toBe(false)

    // What is written counts once: as used, and no longer as promised.
    await writeFile(join(disk, 'first'), Buffer.alloc(6 * MIB))
    first.written(6 * MIB)
    first.release()
    expect(await space.lease(0).cover(1 * MIB)).toBe(false)
    expect(await space.lease(6 * MIB).cover(6 * MIB)).toBe(true)
    second.release()
    expect(await space.lease(0).cover(2 * MIB)).toBe(true)
  })

  it('has no room for the copy of a picture: the video is encoded whole, and the copy follows once there is room', async () => {
    const video = await media.make('film.ts', ...picture('320x240', 25, 9), ...H264)
    const input = await fixture.addVideo()
    await putSource(fixture.deps, input.videoId, video)
    const deps = { ...fixture.deps, workDir: disk, ownDir: join(disk, 'own'), chunkSeconds: 4 }
    const { prepareEncoding } = createIngestActivities(deps)
    const filled = join(disk, 'filled')
    await writeFile(filled, Buffer.alloc(DISK_BYTES - 1.1 * MIB - (await stat(video)).size))
    expect((await runActivity(prepareEncoding, input)).chunks?.count).toBe(1)
    await rm(filled)
    expect((await runActivity(prepareEncoding, input)).chunks?.count).toBe(2)
  })

  it('admits the downloads that it can hold; the others wait without a part, and follow', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    mayEnd = promise
    const downloadSource = createDownloadSource({ ...fixture.deps, workDir: disk })
    const add = () => fixture.addVideo({ sourceUrl: url })
    const admitted = [await add(), await add()]
    const running = admitted.map((input) => runActivity(downloadSource, input))
    await waitFor('two downloads', async () => waiting === 2)

    const third = await add()
    await expect(runActivity(downloadSource, third)).rejects.toMatchObject({ type: 'ScratchFull' })
    const left = await readdir(join(disk, workFolderName(third.videoId)))
    // What the attempt would have resumed may be noted; nothing of it takes space.
    expect(left.filter((name) => name !== 'download.json')).toEqual([])
    resolve()
    for (const outcome of await Promise.all(running)) expect(outcome).toMatchObject({ ok: true })

    for (const { videoId } of admitted) await removeWorkFolder(disk, videoId)
    expect(await runActivity(downloadSource, third)).toMatchObject({ ok: true })
  })

  it('needs no space for what another machine has stored of a source', async () => {
    const source = randomBytes(PART_BYTES + 4 * MIB)
    const stopped = Promise.withResolvers<void>()
    const headers = { 'content-type': 'video/mp4', etag: '"one"' }
    const { port } = await fixture.network.serveHttps(['source.test'], (request, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const range = { 'content-range': `bytes ${from}-${source.length - 1}/${source.length}` }
      response.writeHead(from > 0 ? 206 : 200, { ...headers, ...(from > 0 && range) })
      if (request.method === 'HEAD') return response.end()
      response.write(source.subarray(from, -1))
      if (from > 0) return response.end(source.subarray(-1))
      void stopped.promise.then(() => response.destroy())
    })
    const input = await fixture.addVideo({ sourceUrl: `https://source.test:${port}/lesson.mp4` })
    const first = runActivity(createDownloadSource(fixture.deps), input)
    const em = fixture.deps.db.em.fork()
    await waitFor(
      'a stored part',
      async () => (await findSourceWrite(em, input.videoId))?.offsetBytes,
    )
    stopped.resolve()
    expect(await first).toMatchObject({ ok: false })
    const second = createDownloadSource({ ...fixture.deps, workDir: disk })
    expect(await runActivity(second, input)).toEqual({ ok: true, sizeBytes: source.length })
  })

  it('loses the part of a download that fills it, so that another can end', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    mayEnd = promise
    const downloadSource = createDownloadSource({ ...fixture.deps, workDir: disk })
    const input = await fixture.addVideo({ sourceUrl: url })
    const folder = join(disk, workFolderName(input.videoId))
    const partBytes = async (): Promise<number> => {
      const names = await readdir(folder).catch(() => [])
      return sizeOf(join(folder, names.find((name) => name.endsWith('.part')) ?? 'none'))
    }
    const running = runActivity(downloadSource, input)
    await waitFor('the first bytes', async () => (await partBytes()) > 0)
    // Another process takes the space after the download was admitted.
    await writeFile(join(disk, 'other'), Buffer.alloc(8 * MIB))
    resolve()
    await expect(running).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await partBytes()).toBe(0)
  })
})

/** Returns the size of a file; 0 if it does not exist. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
