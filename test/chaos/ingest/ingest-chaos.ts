import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type RunningService } from '../../fixtures/running-service.ts'
import { openServiceRecord, type ServiceRecord } from '../../fixtures/service-record.ts'
import { makeSource } from '../../fixtures/sources.ts'
import { openOutsideHost } from '../../infrastructure/outside-host.ts'
import { killAtMoments, type Kill, type KillTimes } from '../kills.ts'
import { judgeVideo } from './judge-video.ts'

export interface IngestChaosOptions {
  /** Of the video. */
  seconds: number
  seed: number
  kills: KillTimes
  tell: (line: string) => void
}

interface IngestChaosSummary {
  seed: number
  violations: string[]
  kills: string[]
  chunks: number
  /** Attempts at chunks and audio that were lost. */
  lost: number
  seconds: number
}

/** Small, so that many chunks take little time, with two rungs and audio. */
const PICTURE = { size: '640x360', rate: 12, grain: false }

/** Ingests one video while worker and Temporal server are killed (-9) at times that depend on the seed, and judges it. */
export async function runIngestChaos(options: IngestChaosOptions): Promise<IngestChaosSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-chaos-'))
  const sourcePath = join(folder, 'film.mp4')
  await makeSource(sourcePath, { ...PICTURE, seconds: options.seconds })
  const host = await openOutsideHost(folder, { 'film.mp4': sourcePath })
  const tempDir = join(folder, 'tmp')
  await mkdir(tempDir)
  const env = { EGRESS_CA_FILE: host.caFile, TMPDIR: tempDir }
  const service = await startService(join(folder, 'data'), env)
  const record = await openServiceRecord(service)
  try {
    return await run(
      { service, record, folder, tempDir, url: `${host.baseUrl}/files/film.mp4` },
      options,
    )
  } finally {
    await record.close()
    await service.stop()
    await host.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

interface Setting {
  service: RunningService
  record: ServiceRecord
  folder: string
  tempDir: string
  url: string
}

async function run(
  { service, record, folder, tempDir, url }: Setting,
  { seconds, seed, kills: times, tell }: IngestChaosOptions,
): Promise<IngestChaosSummary> {
  const startedAt = performance.now()
  const created = await service.request('POST', '/v1/videos', { source_url: url })
  const { id: videoId } = (await created.json()) as { id: string }
  const kills: Kill[] = []
  const progress = { percent: 0, isOver: false }
  const killing = killAtMoments({ seed, service }, kills, {
    times,
    progressOf: () => progress.percent / 100,
    isOver: () => progress.isOver,
  })
  const status = await untilEnded(service, videoId, (percent) => {
    progress.percent = percent
    tell(`${percent} %, ${kills.length} kills`)
  }).finally(() => (progress.isOver = true))
  await killing
  if (status !== 'ready') throw new Error(`the video is ${status}`)
  const attempts = await record.attemptsOf(videoId)
  const encodes = attempts.filter(({ type }) => type.startsWith('encode'))
  const video = { videoId, seconds, frameRate: PICTURE.rate, folder, tempDir }
  return {
    seed,
    violations: await judgeVideo(service, record, video),
    kills: kills.map(({ victim }) => victim),
    chunks: encodes.length,
    lost: encodes.reduce((sum, { attempt }) => sum + attempt - 1, 0),
    seconds: Math.round((performance.now() - startedAt) / 1e3),
  }
}

interface StatusResponse {
  status: string
  progress: { percent: number } | null
}

/** Longer than the heartbeat timeout and the longest wait between attempts. */
const STUCK_AFTER_MS = 10 * 60_000
const LOOK_MS = 500

/** Resolves to the status in which the video ends; rejects if it makes no progress any more. */
async function untilEnded(
  service: RunningService,
  videoId: string,
  onPercent: (percent: number) => void,
): Promise<string> {
  let [seen, movedAtMs] = [-1, Date.now()]
  for (;;) {
    const response = await service.request('GET', `/v1/videos/${videoId}/status`).catch(() => null)
    const reply = response?.ok ? ((await response.json()) as StatusResponse) : null
    if (reply?.status === 'ready' || reply?.status === 'failed') return reply.status
    const percent = reply?.progress?.percent ?? seen
    if (percent > seen) {
      ;[seen, movedAtMs] = [percent, Date.now()]
      onPercent(percent)
    }
    if (Date.now() - movedAtMs > STUCK_AFTER_MS) throw new Error(`stuck at ${seen} %`)
    await sleep(LOOK_MS)
  }
}
