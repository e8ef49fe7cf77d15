import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { openOutsideHost } from '../../test/infrastructure/outside-host.ts'
import { startService } from '../../test/fixtures/running-service.ts'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import { atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { ensureBenchFilm } from './bench-film.ts'
import { runAnchor } from './anchor.ts'
import { watchIdleEncoder } from './idle-encoder.ts'

/** Seldom enough that asking costs the encoder nothing that could be measured. */
const POLL_MS = 200

interface Ingest {
  playableMs: number
  readyMs: number
  outsideMs: number
}

/** The three ingest rows of the budgets, on a film of a minute; the anchor runs before and after. */
export async function benchIngest(): Promise<Figure[]> {
  const cache = resolve('.cache', 'bench')
  await mkdir(cache, { recursive: true })
  const film = join(cache, 'film-1080p-60s.mp4')
  await ensureBenchFilm(film)
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-'))
  try {
    const before = await runAnchor(film, join(folder, 'anchor-1'))
    const ours = await ingest(folder, film)
    const after = await runAnchor(film, join(folder, 'anchor-2'))
    const anchor = (before + after) / 2 / 1000
    return [
      atMost('POST to ready', ours.readyMs / 1000, 's', { anchor, most: 1.25 }),
      atMost('POST to playable', ours.playableMs / 1000, 's', { anchor, most: 0.4 }),
      atMost('ingest time outside ffmpeg and packager', ours.outsideMs / 1000, 's', { most: 1.5 }),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function ingest(folder: string, film: string): Promise<Ingest> {
  const short = join(folder, 'short.mp4')
  await execa('ffmpeg', ['-loglevel', 'error', '-i', film, '-t', '2', '-c', 'copy', short])
  const host = await openOutsideHost(folder, { 'film.mp4': film, 'short.mp4': short })
  const service = await startService(join(folder, 'data'), {
    EGRESS_CA_FILE: host.caFile,
    LOG_LEVEL: 'warn',
  })
  try {
    // A service that has just been started compiles its own code in its first film.
    await followOne(service, `${host.baseUrl}/files/short.mp4`)
    return await followOne(service, `${host.baseUrl}/files/film.mp4`)
  } finally {
    await service.stop()
    await host.close()
  }
}

async function followOne(service: RunningService, sourceUrl: string): Promise<Ingest> {
  const worker = await service.findChild(/worker\.ts/)
  if (worker === null) throw new Error('there is no worker to watch')
  const watch = watchIdleEncoder(worker)
  const startedAt = performance.now()
  const created = await service.request('POST', '/v1/videos', { source_url: sourceUrl })
  const { id } = (await created.json()) as { id: string }
  let playableMs = 0
  for (;;) {
    const response = await service.request('GET', `/v1/videos/${id}/status`)
    const { status } = (await response.json()) as { status: string }
    const elapsedMs = performance.now() - startedAt
    if (status === 'failed') throw new Error('the film could not be ingested')
    if (playableMs === 0 && (status === 'playable' || status === 'ready')) playableMs = elapsedMs
    if (status === 'ready') return { playableMs, readyMs: elapsedMs, outsideMs: watch.stop() }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
