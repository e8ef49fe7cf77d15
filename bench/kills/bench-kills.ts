import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilReady } from '../../test/fixtures/video-status.ts'
import { asInformation, atMost, type Figure } from '../figure.ts'
import { openIngest, type IngestBench } from '../ingest/open-ingest.ts'
import { median, percentile } from '../load.ts'
import { ensureSource } from '../make-source.ts'

const UNDISTURBED = 5
const KILLS = Number(process.env.BENCH_KILLS ?? 20)
const MORE_SECONDS_MAX = 30

/**
 * Kills the worker of an installation once in each of twenty (`BENCH_KILLS`) ingests of a one-minute source, evenly from the beginning to the end of an
 * undisturbed one, and measures how much longer they take.
 */
export async function benchKills(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const source = join(cache, 'source-1080p-60s.mp4')
  await ensureSource(source, { size: [1920, 1080], fps: 30, seconds: 60 })
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  const bench = await openIngest(folder, source)
  try {
    return await measure(bench)
  } finally {
    await bench.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(bench: IngestBench): Promise<Figure[]> {
  const undisturbed: number[] = []
  for (let run = 0; run < UNDISTURBED; run += 1) undisturbed.push(await ingestSeconds(bench))
  const anchor = median(undisturbed)
  const more: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const killAfterMs = ((kill + 0.5) / KILLS) * anchor * 1000
    more.push((await ingestSeconds(bench, killAfterMs)) - anchor)
  }
  return [
    asInformation('POST to ready without a kill', anchor, 's'),
    asInformation(
      `POST to ready with a kill of the worker, more, p50 of ${KILLS}`,
      median(more),
      's',
    ),
    atMost(
      `POST to ready with a kill of the worker, more, p95 of ${KILLS}`,
      percentile(more, 0.95),
      's',
      {
        most: MORE_SECONDS_MAX,
      },
    ),
  ]
}

/** How long an ingest takes, whose worker is killed after this time. */
async function ingestSeconds(
  { running, longUrl }: IngestBench,
  killAfterMs?: number,
): Promise<number> {
  const startedAt = performance.now()
  const created = await running.request('POST', '/v1/videos', { source_url: longUrl })
  const { id } = (await created.json()) as { id: string }
  if (killAfterMs !== undefined) {
    await sleep(killAfterMs)
    await running.killChild(/worker\.ts/)
  }
  await untilReady(running, id)
  const seconds = (performance.now() - startedAt) / 1000
  console.error(
    `  … ${seconds.toFixed(1)} s${killAfterMs === undefined ? '' : `, killed after ${(killAfterMs / 1000).toFixed(1)} s`}`,
  )
  return seconds
}
