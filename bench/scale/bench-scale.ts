import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureLimits } from '../commits/bench-commits.ts'
import { allowedCores } from '../cores.ts'
import {
  asInformation,
  atMost,
  pairsAsInformation,
  pairsAtLeast,
  pairsAtMost,
  type Figure,
} from '../figure.ts'
import { ensureSource } from '../make-source.ts'
import type { Pair } from '../pairs.ts'
import type { EncodeWorker } from './encode-worker.ts'
import { ingest, secondsOf, type Ingest } from './ingest.ts'
import { measureKill } from './measure-kill.ts'
import { openScaleFixture, type ScaleFixture } from './scale-fixture.ts'
import { simulated, simulatedInstallation } from './simulated-figures.ts'

const VIDEOS = {
  /** 240 s, ten chunks: much larger than the fixed part of the budget of moved bytes. */
  'film.mp4': { size: [1280, 720], fps: 24, seconds: 48, loops: 5 },
  /** 120 s, five chunks. */
  'short.mp4': { size: [1280, 720], fps: 24, seconds: 48, loops: 2.5 },
} as const

/** Each measures the video on one worker and then on two, so that a slow phase of the machine reaches both. */
const ROUNDS = 5

/** Measures one video on one, two and four workers, then a killed worker, and simulates more workers and a longer video. */
export async function benchScale(): Promise<Figure[]> {
  const [one, two] = allowedCores()
  if (one === undefined || two === undefined) throw new Error('this needs Linux and two cores')
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  const fixture = await openScaleFixture(folder, await makeVideos())
  try {
    const first = await fixture.startWorker(one)
    const counted = await countCommits(fixture, () => ingest(fixture, 'film.mp4', [first]))
    const rounds = await measureRounds(fixture, first, two)
    const workers = [first, await fixture.startWorker(two)]
    const four = await measureFour(fixture, workers)
    const kill = await measureKill(fixture, 'short.mp4', workers)
    const alone = typical(rounds.map((round) => round.alone))
    const commitsPerEncode = counted.commits / counted.result.past.encodes.length
    return [
      ...(await sharingFigures(rounds, alone)),
      await movedByFour(four),
      ...kill,
      ...simulated(alone),
      asInformation(
        'commits of PostgreSQL for a second of video',
        counted.commits / secondsOf(alone),
        '',
      ),
      ...simulatedInstallation(alone, { ...(await measureLimits()), commitsPerEncode }),
    ]
  } finally {
    await fixture.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Four workers, two on each core: what they move is that of four machines, how long they take is not. */
async function measureFour(fixture: ScaleFixture, two: readonly EncodeWorker[]): Promise<Ingest> {
  const more = await Promise.all(
    two.map(({ core }) => fixture.startWorker(core, `second-of-${core}`)),
  )
  const measured = await ingest(fixture, 'film.mp4', [...two, ...more])
  for (const worker of more) await worker.stop()
  return measured
}

interface Round {
  alone: Ingest
  shared: Ingest
}

async function measureRounds(
  fixture: ScaleFixture,
  first: EncodeWorker,
  core: number,
): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await ingest(fixture, 'film.mp4', [first])
    const second = await fixture.startWorker(core)
    rounds.push({ alone, shared: await ingest(fixture, 'film.mp4', [first, second]) })
    await second.stop()
  }
  return rounds
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

const EFFICIENCY_MIN = 0.9
/** Of the source, for each of two and of four workers. */
const MOVED_SHARE_MAX = { two: 0.7, four: 0.4 }

async function sharingFigures(rounds: readonly Round[], alone: Ingest): Promise<Figure[]> {
  const seconds = secondsOf(alone)
  const sourceMb = await sourceMegabytes()
  const pairsOf = (of: (round: Round) => Pair): Pair[] => rounds.map(of)
  const mostMoved = pairsOf(({ shared }) => ({
    value: Math.max(...shared.movedMb),
    anchor: sourceMb,
  }))
  const moved = pairsOf(({ shared }) => ({ value: sum(shared.movedMb), anchor: sourceMb }))
  return [
    asInformation(`POST to ready of ${seconds} s of 720p: 1 worker on 1 core`, alone.seconds, 's'),
    pairsAtLeast(
      'efficiency of 2 workers',
      pairsOf((round) => ({ value: round.alone.seconds, anchor: 2 * round.shared.seconds })),
      's',
      EFFICIENCY_MIN,
    ),
    pairsAtMost(
      'source moved by the one of 2 workers that moved more',
      mostMoved,
      'MB',
      MOVED_SHARE_MAX.two,
    ),
    pairsAsInformation('source moved by both', moved, 'MB'),
  ]
}

const movedByFour = async ({ movedMb }: Ingest): Promise<Figure> =>
  atMost('source moved by the one of 4 workers that moved most', Math.max(...movedMb), 'MB', {
    anchor: await sourceMegabytes(),
    most: MOVED_SHARE_MAX.four,
  })

const sourceMegabytes = async (): Promise<number> => (await stat(videoPath('film.mp4'))).size / 1e6

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)

/** The one in the middle of these ingests by their time. */
function typical(ingests: readonly Ingest[]): Ingest {
  const sorted = ingests.toSorted((a, b) => a.seconds - b.seconds)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error('nothing was measured')
  return middle
}
