import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import { atMost, pairsAsInformation, pairsAtMost, type Figure } from '../figure.ts'
import { median } from '../load.ts'
import { ensureSource } from '../make-source.ts'
import type { Pair } from '../pairs.ts'
import { runAnchor } from './anchor.ts'
import { childrenCpuSeconds } from './cpu-time.ts'
import { openIngest } from './open-ingest.ts'

/** Long enough that polling does not measurably slow the encoder. */
const POLL_MS = 200

/** Ingests, each between two runs of the anchor, so that a slow phase of the machine reaches both. */
const TURNS = 5

interface Ingest {
  videoId: string
  playableMs: number
  readyMs: number
  outsideMs: number
  /** Of ffmpeg, ffprobe and the packager. */
  cpuSeconds: number
  /** The longest time between two changes of the progress that the API shows. */
  stillMs: number
}

interface Anchor {
  ms: number
  cpuSeconds: number
}

/** Measures the ingest of a one-minute source in turns with the anchor. The figures are medians of the turns. */
export async function benchIngest(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const source = join(cache, 'source-1080p-60s.mp4')
  await ensureSource(source, { size: [1920, 1080], fps: 30, seconds: 60 })
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  try {
    return figuresOf(await runTurns(folder, source))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Turn extends Ingest {
  /** The mean of the runs before and after. */
  anchor: Anchor
}

async function runTurns(folder: string, source: string): Promise<Turn[]> {
  const service = await openIngest(folder, source)
  try {
    const turns: Turn[] = []
    let before = await measureAnchor(source, folder)
    for (let turn = 0; turn < TURNS; turn += 1) {
      const ingest = await followOne(service.running, service.longUrl)
      const after = await measureAnchor(source, folder)
      const ms = (before.ms + after.ms) / 2
      console.error(`  … ${seconds(ingest.readyMs)} beside ${seconds(ms)}`)
      const cpuSeconds = (before.cpuSeconds + after.cpuSeconds) / 2
      turns.push({ ...ingest, anchor: { ms, cpuSeconds } })
      before = after
    }
    return turns
  } finally {
    await service.close()
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

async function measureAnchor(source: string, folder: string): Promise<Anchor> {
  const before = childrenCpuSeconds(process.pid)
  const output = await mkdtemp(join(folder, 'anchor-'))
  const ms = await runAnchor(source, output)
  await rm(output, { recursive: true })
  return { ms, cpuSeconds: childrenCpuSeconds(process.pid) - before }
}

function figuresOf(turns: Turn[]): Figure[] {
  const pairsOf = (of: (turn: Turn) => number, base: (turn: Turn) => number): Pair[] =>
    turns.map((turn) => ({ value: of(turn), anchor: base(turn) }))
  const anchorSeconds = ({ anchor }: Turn): number => anchor.ms / 1000
  const ready = pairsOf(({ readyMs }) => readyMs / 1000, anchorSeconds)
  const playable = pairsOf(({ playableMs }) => playableMs / 1000, anchorSeconds)
  const cpu = pairsOf(
    ({ cpuSeconds }) => cpuSeconds,
    ({ anchor }) => anchor.cpuSeconds,
  )
  const outside = median(turns.map(({ outsideMs }) => outsideMs / 1000))
  const still = median(turns.map(({ stillMs }) => stillMs / 1000))
  return [
    pairsAtMost('POST to ready', ready, 's', 1.2),
    pairsAtMost('POST to playable', playable, 's', 0.35),
    pairsAsInformation('processor time of all tools', cpu, 's'),
    atMost('ingest time outside ffmpeg and packager', outside, 's', { most: 1.5 }),
    atMost('longest time without a change of progress', still, 's', { most: 2 }),
  ]
}

/** Ingests a video and measures it until it is ready. Throws if that fails. */
export async function followOne(service: RunningService, sourceUrl: string): Promise<Ingest> {
  const worker = await service.findChild(/worker\.ts/)
  if (worker === null) throw new Error('the service has no worker')
  const watch = watchIdleEncoder(worker)
  const cpuBefore = childrenCpuSeconds(worker)
  const startedAt = performance.now()
  const created = await service.request('POST', '/v1/videos', { source_url: sourceUrl })
  const { id } = (await created.json()) as { id: string }
  const still = watchChanges()
  let playableMs = 0
  for (;;) {
    const response = await service.request('GET', `/v1/videos/${id}/status`)
    const { status, progress } = (await response.json()) as { status: string; progress: unknown }
    const elapsedMs = performance.now() - startedAt
    if (status === 'failed') throw new Error('the ingest failed')
    if (playableMs === 0 && (status === 'playable' || status === 'ready')) playableMs = elapsedMs
    const stillMs = still(JSON.stringify(progress))
    if (status === 'ready') {
      const cpuSeconds = childrenCpuSeconds(worker) - cpuBefore
      const outsideMs = watch.stop()
      return { videoId: id, playableMs, readyMs: elapsedMs, outsideMs, cpuSeconds, stillMs }
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Returns a function that takes what is shown now and returns the longest time so far without a change. */
function watchChanges(): (shown: string) => number {
  let [last, changedAt, longestMs] = ['', performance.now(), 0]
  return (shown) => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - changedAt)
    if (shown !== last) [last, changedAt] = [shown, now]
    return longestMs
  }
}

const SAMPLE_MS = 10

/**
 * Measures how long the launcher of a process has no child, that is, neither ffmpeg nor the packager runs. Samples
 * every 10 ms until `stop`, which returns milliseconds.
 */
function watchIdleEncoder(workerPid: number): { stop(): number } {
  let idleMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    if (!hasTools(workerPid)) idleMs += now - last
    last = now
  }, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      return idleMs
    },
  }
}

/** Reads synchronously, which takes less of the processor than a thread for each sample: the anchor runs without. */
const hasTools = (workerPid: number): boolean =>
  childrenOf(workerPid).some((launcher) => childrenOf(launcher).length > 0)

function childrenOf(pid: string | number): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  } catch {
    return []
  }
}
