import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { openOutsideHost } from '../../test/infrastructure/outside-host.ts'
import { startService } from '../../test/fixtures/running-service.ts'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import { atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { runAnchor } from './anchor.ts'

/** Long enough that polling does not measurably slow the encoder. */
const POLL_MS = 200

interface Ingest {
  playableMs: number
  readyMs: number
  outsideMs: number
}

/** Measures the ingest of a one-minute source, compared with the anchor, which runs before and after. */
export async function benchIngest(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const source = join(cache, 'source-1080p-60s.mp4')
  await ensureSource(source)
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  try {
    const before = await runAnchor(source, join(folder, 'anchor-1'))
    const measured = await ingest(folder, source)
    const after = await runAnchor(source, join(folder, 'anchor-2'))
    const anchor = (before + after) / 2 / 1000
    return [
      atMost('POST to ready', measured.readyMs / 1000, 's', { anchor, most: 1.25 }),
      atMost('POST to playable', measured.playableMs / 1000, 's', { anchor, most: 0.4 }),
      atMost('ingest time outside ffmpeg and packager', measured.outsideMs / 1000, 's', {
        most: 1.5,
      }),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function ingest(folder: string, source: string): Promise<Ingest> {
  const short = join(folder, 'short.mp4')
  await execa('ffmpeg', ['-loglevel', 'error', '-i', source, '-t', '2', '-c', 'copy', short])
  const host = await openOutsideHost(folder, { 'long.mp4': source, 'short.mp4': short })
  const service = await startService(join(folder, 'data'), {
    EGRESS_CA_FILE: host.caFile,
    LOG_LEVEL: 'warn',
  })
  try {
    // During its first ingest, the service still compiles its code.
    await followOne(service, `${host.baseUrl}/files/short.mp4`)
    return await followOne(service, `${host.baseUrl}/files/long.mp4`)
  } finally {
    await service.stop()
    await host.close()
  }
}

async function followOne(service: RunningService, sourceUrl: string): Promise<Ingest> {
  const worker = await service.findChild(/worker\.ts/)
  if (worker === null) throw new Error('the service has no worker')
  const watch = watchIdleEncoder(worker)
  const startedAt = performance.now()
  const created = await service.request('POST', '/v1/videos', { source_url: sourceUrl })
  const { id } = (await created.json()) as { id: string }
  let playableMs = 0
  for (;;) {
    const response = await service.request('GET', `/v1/videos/${id}/status`)
    const { status } = (await response.json()) as { status: string }
    const elapsedMs = performance.now() - startedAt
    if (status === 'failed') throw new Error('the ingest failed')
    if (playableMs === 0 && (status === 'playable' || status === 'ready')) playableMs = elapsedMs
    if (status === 'ready') return { playableMs, readyMs: elapsedMs, outsideMs: watch.stop() }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const SAMPLE_MS = 10

/**
 * Measures how long a process has no child, that is, neither ffmpeg nor the packager runs. Samples
 * every 10 ms until `stop`, which returns milliseconds.
 */
function watchIdleEncoder(workerPid: number): { stop(): number } {
  let idleMs = 0
  let last = performance.now()
  let isReading = false
  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    void childrenOf(workerPid).then((children) => {
      const now = performance.now()
      if (children === '') idleMs += now - last
      last = now
      isReading = false
    })
  }, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      return idleMs
    },
  }
}

const childrenOf = (pid: number): Promise<string> =>
  readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )

/** A minute of 1080p with motion, detail, a slow zoom and grain, as expensive to encode as a real video. */
const SOURCE_SECONDS = 60

/** Makes the source once; later runs reuse it. */
async function ensureSource(path: string): Promise<void> {
  if (existsSync(path)) return
  const size = '1920x1080'
  const picture = [
    `mandelbrot=s=960x540:r=30:start_scale=2.5:end_scale=0.05:end_pts=${SOURCE_SECONDS * 30}:maxiter=200[m]`,
    `[m]scale=${size},format=yuv420p[near]`,
    `testsrc2=s=${size}:r=30:d=${SOURCE_SECONDS},format=yuv420p[far]`,
    `[near][far]blend=all_expr='A*0.75+B*0.25',noise=alls=2:allf=t,trim=duration=${SOURCE_SECONDS}[v]`,
  ].join(';')
  const tune = `aevalsrc='0.2*sin(2*PI*220*t*(1+floor(mod(t,4))/4))|0.2*sin(2*PI*330*t)':d=${SOURCE_SECONDS}:s=48000[a]`
  const unfinished = `${path}.part.mp4`
  await execa(
    'ffmpeg',
    [
      ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
      ['-filter_complex', `${picture};${tune}`, '-map', '[v]', '-map', '[a]'],
      ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-c:a', 'aac', '-b:a', '192k'],
      ['-t', String(SOURCE_SECONDS), unfinished],
    ].flat(),
  )
  await rename(unfinished, path)
}
