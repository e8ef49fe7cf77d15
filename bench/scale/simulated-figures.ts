import { asInformation, atLeast, type Figure } from '../figure.ts'
import type { Ingest } from './ingest.ts'
import { encodesOf, measuredOf } from './planned-encodes.ts'
import { simulateEncodes, type SharedLimits } from './simulate.ts'

const WORKERS = [1, 2, 4, 8, 16, 32, 64]
const LONG_VIDEO_MS = 7_200_000
const BUDGET_WORKERS = 4
const SIMULATED_MIN = 0.85

/** From the times that one worker took. The first row shows how near a simulation of that run comes to it. */
export function simulated({ past, seconds, outsideSeconds }: Ingest): Figure[] {
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
export function simulatedInstallation({ past }: Ingest, limits: SharedLimits): Figure[] {
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
