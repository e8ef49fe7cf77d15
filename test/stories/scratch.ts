import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import type { RunningService } from '../fixtures/running-service.ts'
import { READY_MS } from '../fixtures/video-status.ts'
import { isRunning } from '../infrastructure/processes.ts'
import { waitFor } from '../infrastructure/wait-for.ts'

interface Installation {
  service: RunningService
  /** The path of a source whose encoder can be found, and its address. */
  source: string
  sourceUrl: string
  /** Called when the service was ended by kill -9. */
  onCrashed: () => void
}

/** Submits the video, and stops its encoder once a chunk of it is in scratch space. Resolves to the id of the video. */
async function submit({ service, sourceUrl }: Installation): Promise<string> {
  const response = await service.request('POST', '/v1/videos', { source_url: sourceUrl })
  const { id } = (await response.json()) as { id: string }
  await stopEncoder(service, id)
  return id
}

async function stopEncoder(service: RunningService, id: string): Promise<void> {
  const encoder = new RegExp(`ffmpeg .*${id}.*libx264`)
  await waitFor('an encoder', async () => service.freezeChild(encoder), READY_MS)
}

/** Sends SIGTERM to the worker; resolves when it has ended. Another one is started. */
async function stopWorker(service: RunningService): Promise<void> {
  const pid = await service.findChild(/worker\.ts/)
  if (pid === null) throw new Error('there is a worker')
  process.kill(pid, 'SIGTERM')
  await waitFor('the end of the worker', async () => !isRunning(pid))
}

/** All files of the service but those of PostgreSQL and Temporal. */
async function scratchFiles({ data_dir: folder }: RunningService): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => /\/(workers|video-[0-9a-f]{20})\//.test(path))
}

const RUN_BYTES = 64

/** The files that hold a run of bytes of the source, or that ffprobe takes for a video or for audio. */
async function readable(paths: string[], source: Buffer): Promise<string[]> {
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

/** The story of what the encoding of a video leaves on the disk. It ends the service by kill -9. */
export const describeScratch = (installation: () => Installation): void => {
  describe('scratch space', () => {
    it('has nothing that plays: of a deleted video, after SIGTERM of its worker, and after kill -9', async () => {
      const { service, onCrashed } = installation()
      const source = await readFile(installation().source)
      const id = await submit(installation())
      expect((await service.request('DELETE', `/v1/videos/${id}`)).status).toBe(200)
      const second = await submit(installation())
      const ofWorker = (await scratchFiles(service)).filter((path) => path.includes('/workers/'))
      expect(ofWorker).not.toEqual([])
      await stopWorker(service)
      const stopped = await scratchFiles(service)
      expect(stopped.filter((path) => ofWorker.includes(path))).toEqual([])
      expect(await readable(stopped, source)).toEqual([])

      await stopEncoder(service, second)
      await service.check()
      await service.crash()
      onCrashed()
      const left = await scratchFiles(service)
      expect(left.filter((path) => path.includes(second))).not.toEqual([])
      expect(await readable(left, source)).toEqual([])
    }, 400_000)
  })
}
