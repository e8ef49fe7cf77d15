import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type RunningService } from './fixtures/running-service.ts'
import { makeSource } from './fixtures/sources.ts'
import { READY_MS } from './fixtures/video-status.ts'
import { openOutsideHost, type OutsideHost } from './infrastructure/outside-host.ts'
import { waitFor } from './infrastructure/wait-for.ts'

let folder: string
let source: Buffer
let outside: OutsideHost
let service: RunningService | undefined

const start = async (): Promise<RunningService> => {
  const env = { EGRESS_CA_FILE: outside.caFile }
  return (service = await startService(join(folder, 'data'), env))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-scratch-'))
  const path = join(folder, 'film.mp4')
  await makeSource(path, { seconds: 60, size: '640x360', rate: 10, grain: true })
  source = await readFile(path)
  outside = await openOutsideHost(folder, { 'film.mp4': path })
  await start()
}, 240_000)

afterAll(async () => {
  await service?.stop()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

/** Submits the video, and stops its encoder once a chunk of it is in scratch space. Resolves to the id of the video. */
async function untilEncoding(running: RunningService): Promise<string> {
  const source_url = `${outside.baseUrl}/files/film.mp4`
  const response = await running.request('POST', '/v1/videos', { source_url })
  const { id } = (await response.json()) as { id: string }
  const encoder = new RegExp(`ffmpeg .*${id}.*libx264`)
  await waitFor('an encoder', async () => running.freezeChild(encoder), READY_MS)
  return id
}

/** All files of the service but those of PostgreSQL and Temporal. */
async function scratchFiles(): Promise<string[]> {
  const entries = await readdir(join(folder, 'data'), { recursive: true, withFileTypes: true })
  return entries
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => /\/(workers|video-[0-9a-f]{20})\//.test(path))
}

const RUN_BYTES = 64

/** The files that hold a run of bytes of the source, or that ffprobe takes for a video or for audio. */
async function readable(paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const body = await readFile(path)
    const runs = Array.from({ length: 200 }, (_, index) =>
      Math.floor((source.length * index) / 200),
    )
    const hasBytes = runs.some((at) => body.includes(source.subarray(at, at + RUN_BYTES)))
    const probe = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', path]
    const { stdout } = await execa('ffprobe', probe, { reject: false })
    if (hasBytes || /h264|aac|mpeg4/.test(stdout)) found.push(path)
  }
  return found
}

it('leaves nothing in scratch space that plays: of a deleted video, after kill -9, and after SIGTERM', async () => {
  const first = service!
  const id = await untilEncoding(first)
  expect((await first.request('DELETE', `/v1/videos/${id}`)).status).toBe(200)
  const second = await untilEncoding(first)
  await first.crash()
  service = undefined
  const left = await scratchFiles()
  expect(left.filter((path) => path.includes(second))).not.toEqual([])
  expect(await readable(left)).toEqual([])

  const again = await start()
  await waitFor(
    'an encoder',
    async () => again.freezeChild(new RegExp(`ffmpeg .*${second}.*libx264`)),
    READY_MS,
  )
  await again.stop()
  service = undefined
  const stopped = await scratchFiles()
  expect(stopped.filter((path) => path.includes('/workers/'))).toEqual([])
  expect(await readable(stopped)).toEqual([])
}, 400_000)
