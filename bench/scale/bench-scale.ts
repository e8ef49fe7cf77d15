import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureLimits } from '../commits/bench-commits.ts'
import { allowedCores } from '../cores.ts'
import { asInformation, atLeast, atMost, type Figure } from '../figure.ts'
import { ensureSource } from '../make-source.ts'
import { readEncodes, type PastVideo } from './encode-history.ts'
import type { EncodeWorker } from './encode-worker.ts'
import { submit, untilReady } from './follow-video.ts'
import { measureKill } from './measure-kill.ts'
import { encodesOf, measuredOf } from './planned-encodes.ts'
import { openScaleFixture, type ScaleFixture } from './scale-fixture.ts'
import { simulateEncodes, type SharedLimits } from './simulate.ts'

const VIDEOS = {
  /** 240 s, ten chunks: much larger than the fixed part of the budget of moved bytes. */
  'film.mp4': { size: [1280, 720], fps: 24, seconds: 48, loops: 5 },
  /** 120 s, five chunks. */
  'short.mp4': { size: [1280, 720], fps: 24, seconds: 48, loops: 2.5 },
} as const

/** Measures one video on one and on two workers, then a killed worker, and simulates more workers and a longer video. */
export async function benchScale(): Promise<Figure[]> {
  const [one, two] = allowedCores()
  if (one === undefined || two === undefined) throw new Error('this needs Linux and two cores')
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  const fixture = await openScaleFixture(folder, await makeVideos())
  try {
    const first = await fixture.startWorker(one)
    const { result: alone, commits } = await countCommits(fixture, () => ingest(fixture, [first]))
    const workers = [first, await fixture.startWorker(two)]
    const shared = await ingest(fixture, workers)
    const kill = await measureKill(fixture, 'short.mp4', workers)
    const commitsPerEncode = commits / alone.past.encodes.length
    return [
      ...(await sharingFigures(alone, shared)),
      ...kill,
      ...simulated(alone),
      asInformation('commits of PostgreSQL for a second of video', commits / secondsOf(alone), ''),
      ...simulatedInstallation(alone, { ...(await measureLimits()), commitsPerEncode }),
    ]
  } finally {
    await fixture.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const IDLE_MS = 10_000

/** Counts what PostgreSQL commits for `work`, without what it commits in the same time when nothing is to do. */
async function countCommits<T>(
  fixture: ScaleFixture,
  work: () => Promise<T>,
): Promise<{ result: T; commits: number }> {
  const before = await fixture.countCommits()
  await sleep(IDLE_MS)
  const from = await fixture.countCommits()
  const startedAt = performance.now()
  const result = await work()
  const idleCommits = ((from - before) * (performance.now() - startedAt)) / IDLE_MS
  return { result, commits: Math.max(0, (await fixture.countCommits()) - from - idleCommits) }
}

const videoPath = (name: string): string => resolve('.cache', 'bench', `scale-${name}`)

async function makeVideos(): Promise<Record<string, string>> {
  await mkdir(resolve('.cache', 'bench'), { recursive: true })
  const paths: Record<string, string> = {}
  for (const [name, options] of Object.entries(VIDEOS)) {
    paths[name] = videoPath(name)
    await ensureSource(paths[name], options)
  }
  return paths
}

interface Ingest {
  seconds: number
  /** Before the first encode and after the last. */
  outsideSeconds: number
  past: PastVideo
  /** Of each worker. */
  movedMb: number[]
}

async function ingest(fixture: ScaleFixture, workers: EncodeWorker[]): Promise<Ingest> {
  const before = workers.map((worker) => worker.receivedBytes())
  const startedAt = performance.now()
  const videoId = await submit(fixture, 'film.mp4')
  await untilReady(fixture, videoId)
  const seconds = (performance.now() - startedAt) / 1000
  const past = await readEncodes(fixture.temporal, videoId)
  const firstMs = Math.min(...past.encodes.map(({ startedMs }) => startedMs))
  const lastMs = Math.max(...past.encodes.map(({ endedMs }) => endedMs))
  const movedMb = workers.map((worker, at) => (worker.receivedBytes() - (before[at] ?? 0)) / 1e6)
  return { seconds, outsideSeconds: seconds - (lastMs - firstMs) / 1000, past, movedMb }
}

const secondsOf = ({ past }: Ingest): number =>
  Math.round((past.sample.picture.durationMs ?? 0) / 1000)

const EFFICIENCY_MIN = 0.9
/** Of the source, for each of two workers. */
const MOVED_SHARE_MAX = 0.7

async function sharingFigures(alone: Ingest, shared: Ingest): Promise<Figure[]> {
  const { movedMb } = shared
  const sourceMb = (await stat(videoPath('film.mp4'))).size / 1e6
  const seconds = secondsOf(alone)
  const sum = movedMb.reduce((total, mb) => total + mb, 0)
  const anchor = alone.seconds
  return [
    asInformation(`POST to ready of ${seconds} s of 720p: 1 worker on 1 core`, anchor, 's'),
    asInformation('POST to ready: 2 workers', shared.seconds, 's', { anchor }),
    atLeast('efficiency of 2 workers', anchor / (2 * shared.seconds), '', {
      least: EFFICIENCY_MIN,
    }),
    atMost('source moved by the one of 2 workers that moved more', Math.max(...movedMb), 'MB', {
      anchor: sourceMb,
      most: MOVED_SHARE_MAX,
    }),
    asInformation('source moved by both', sum, 'MB', { anchor: sourceMb }),
  ]
}

const WORKERS = [1, 2, 4, 8, 16, 32, 64]
const LONG_VIDEO_MS = 7_200_000
const BUDGET_WORKERS = 4
const SIMULATED_MIN = 0.85

/** From the times that one worker took. The first row shows how near a simulation of that run comes to it. */
function simulated({ past, seconds, outsideSeconds }: Ingest): Figure[] {
  const measured = measuredOf(past)
  const simulatedSeconds = (durationMs: number, workers: number): number =>
    outsideSeconds + simulateEncodes([encodesOf(past, measured, durationMs)], workers)
  const efficiencyOf = (durationMs: number, workers: number): number =>
    simulatedSeconds(durationMs, 1) / (workers * simulatedSeconds(durationMs, workers))
  const videoMs = past.sample.picture.durationMs ?? 0
  const sameVideo = simulatedSeconds(videoMs, 1)
  return [
    asInformation('simulated: this video, 1 worker', sameVideo, 's', { anchor: seconds }),
    asInformation('simulated: this video, 2 workers, efficiency', efficiencyOf(videoMs, 2), ''),
    ...WORKERS.map((workers) => {
      const name = `simulated: 2 h video, ${workers} workers, efficiency`
      const value = efficiencyOf(LONG_VIDEO_MS, workers)
      return workers === BUDGET_WORKERS
        ? atLeast(name, value, '', { least: SIMULATED_MIN })
        : asInformation(name, value, '')
    }),
  ]
}

const INSTALLATION = { workers: 200, videos: 500, videoMs: 600_000 }

/** An installation whose relays start its workflows and whose PostgreSQL writes its commits as fast as those of this machine. */
function simulatedInstallation({ past }: Ingest, limits: SharedLimits): Figure[] {
  const { workers, videos, videoMs } = INSTALLATION
  const encodes = encodesOf(past, measuredOf(past), videoMs)
  const all = Array.from({ length: videos }, () => encodes)
  const name = `simulated: ${videos} videos of ${videoMs / 60_000} min, ${workers} workers, with the limits of the record`
  return [
    asInformation('commits of PostgreSQL for an encode', limits.commitsPerEncode, ''),
    asInformation('commits of PostgreSQL', limits.commitsPerSecond, '/s'),
    asInformation('workflows that one relay starts', limits.startsPerSecond, '/s'),
    asInformation(name, simulateEncodes(all, workers, limits), 's', {
      anchor: simulateEncodes(all, workers),
    }),
  ]
}
