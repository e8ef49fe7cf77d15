import { readEncodes, type PastVideo } from './encode-history.ts'
import type { EncodeWorker } from './encode-worker.ts'
import { submit, untilReady } from './follow-video.ts'
import type { ScaleFixture } from './scale-fixture.ts'

/** One ingest of a video by some workers. */
export interface Ingest {
  seconds: number
  /** Before the first encode and after the last. */
  outsideSeconds: number
  past: PastVideo
  /** Of each worker. */
  movedMb: number[]
}

/** Ingests a video and waits until it is ready. */
export async function ingest(
  fixture: ScaleFixture,
  video: string,
  workers: readonly EncodeWorker[],
): Promise<Ingest> {
  const before = workers.map((worker) => worker.receivedBytes())
  const startedAt = performance.now()
  const videoId = await submit(fixture, video)
  await untilReady(fixture, videoId)
  const seconds = (performance.now() - startedAt) / 1000
  const past = await readEncodes(fixture.temporal, videoId)
  const firstMs = Math.min(...past.encodes.map(({ startedMs }) => startedMs))
  const lastMs = Math.max(...past.encodes.map(({ endedMs }) => endedMs))
  const movedMb = workers.map((worker, at) => (worker.receivedBytes() - (before[at] ?? 0)) / 1e6)
  return { seconds, outsideSeconds: seconds - (lastMs - firstMs) / 1000, past, movedMb }
}

/** The duration of its video. */
export const secondsOf = ({ past }: Ingest): number =>
  Math.round((past.sample.picture.durationMs ?? 0) / 1000)
