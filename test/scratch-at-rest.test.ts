import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type RunningService } from './fixtures/running-service.ts'
import { makeSource } from './fixtures/sources.ts'
import { READY_MS } from './fixtures/video-status.ts'
import { openOutsideHost, type OutsideHost } from './infrastructure/outside-host.ts'
import { isRunning } from './infrastructure/processes.ts'
import { waitFor } from './infrastructure/wait-for.ts'

let folder: string
let source: Buffer
let outside: OutsideHost
let service: RunningService | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-scratch-'))
  const path = join(folder, 'film.mp4')
  await makeSource(path, { seconds: 30, size: '640x360', rate: 10, grain: true })
  source = await readFile(path)
  outside = await openOutsideHost(folder, { 'film.mp4': path })
  service = await startService(join(folder, 'data'), { EGRESS_CA_FILE: outside.caFile })
}, 240_000)

afterAll(async () => {
  await service?.stop()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

/** Submits the video, and stops its encoder once a chunk of it is in scratch space. Resolves to the id of the video. */
async function submit(running: RunningService): Promise<string> {
  const source_url = `${outside.baseUrl}/files/film.mp4`
  const response = await running.request('POST', '/v1/videos', { source_url })
  const { id } = (await response.json()) as { id: string }
  await stopEncoder(running, id)
  return id
}

async function stopEncoder(running: RunningService, id: string): Promise<void> {
  const encoder = new RegExp(`ffmpeg .*${id}.*libx264`)
  await waitFor('an encoder', async () => running.freezeChild(encoder), READY_MS)
}

/** Sends SIGTERM to the worker; resolves when it has ended. Another one is started. */
async function stopWorker(running: RunningService): Promise<void> {
  const pid = await running.findChild(/worker\.ts/)
  if (pid === null) throw new Error('there is a worker')
  process.kill(pid, 'SIGTERM')
  await waitFor('the end of the worker', async () => !isRunning(pid))
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
    // The next worker removes what it does not need.
    const body = await readFile(path).catch(() => null)
    if (!body) continue
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

it('leaves nothing in scratch space that plays: of a deleted video, after SIGTERM of its worker, and after kill -9', async () => {
  const running = service!
  const id = await submit(running)
  expect((await running.request('DELETE', `/v1/videos/${id}`)).status).toBe(200)
  const second = await submit(running)
  const ofWorker = (await scratchFiles()).filter((path) => path.includes('/workers/'))
  expect(ofWorker).not.toEqual([])
  await stopWorker(running)
  const stopped = await scratchFiles()
  expect(stopped.filter((path) => ofWorker.includes(path))).toEqual([])
  expect(await readable(stopped)).toEqual([])

  await stopEncoder(running, second)
  await running.crash()
  service = undefined
  const left = await scratchFiles()
  expect(left.filter((path) => path.includes(second))).not.toEqual([])
  expect(await readable(left)).toEqual([])
}, 400_000)
