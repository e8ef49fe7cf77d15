import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findPublished } from '../../../db/videos/renditions.ts'
import {
  mediaPrefix,
  parsePartKey,
  segmentKey,
  sourcePrefix,
  tilesPrefix,
} from '../../../domain/videos/media-paths.ts'
import type { Rendition } from '../../../domain/videos/rendition.ts'
import { playRendition } from '../../fixtures/play-rendition.ts'
import type { RunningService } from '../../fixtures/running-service.ts'
import type { ServiceRecord } from '../../fixtures/service-record.ts'
import { processesOf } from '../../infrastructure/processes.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'

/** A video that is ready, made from a source with a constant frame rate. */
export interface JudgedVideo {
  videoId: string
  /** The length of its source. */
  seconds: number
  frameRate: number
  /** A folder outside the service's. */
  folder: string
  /** The folder for temporary files of the service's processes, which none of its tools may use. */
  tempDir: string
}

/**
 * Returns what is wrong after an ingest whose processes were killed: frames or audio that are missing, objects that are
 * not published, tools that still run, and files in the scratch folder.
 */
export async function judgeVideo(
  service: RunningService,
  record: ServiceRecord,
  video: JudgedVideo,
): Promise<string[]> {
  const published = await findPublished(record.db.em.fork(), video.videoId)
  const folder = await mkdtemp(join(video.folder, 'judged-'))
  const wrong: string[] = []
  for (const rendition of published) {
    const times = await playRendition(record, video.videoId, rendition, folder)
    const fault = rendition.kind === 'video' ? pictureFault(times, video) : audioFault(times, video)
    if (fault !== null) wrong.push(`${rendition.name}: ${fault}`)
  }
  return [
    ...wrong,
    ...(await wrongObjects(record, video.videoId, published)),
    ...processesOf(service.data_dir).filter((line) => /ffmpeg|ffprobe|packager/.test(line)),
    ...(await scratchOf(service)).map((name) => `in the scratch folder: ${name}`),
    ...(await readdir(video.tempDir)).map((name) => `in the folder for temporary files: ${name}`),
  ]
}

/** Half of a frame's time at the highest rate. */
const TIME_TOLERANCE_SECONDS = 1 / 120

/** Each frame of the grid is there, in order. */
function pictureFault(times: number[], { seconds, frameRate }: JudgedVideo): string | null {
  if (times.length !== seconds * frameRate)
    return `${times.length} of ${seconds * frameRate} frames`
  const [start = 0] = times
  const index = times.findIndex(
    (time, frame) => Math.abs(time - start - frame / frameRate) > TIME_TOLERANCE_SECONDS,
  )
  return index < 0 ? null : `frame ${index} at ${times[index]} s`
}

/** A packet of AAC has 1024 samples; encoders pad the end with at most two. */
const AUDIO_TOLERANCE_SECONDS = 0.1

function audioFault(times: number[], { seconds }: JudgedVideo): string | null {
  const length = (times.at(-1) ?? 0) - (times[0] ?? 0)
  if (Math.abs(length - seconds) > AUDIO_TOLERANCE_SECONDS) return `${length} of ${seconds} s`
  const gap = times.findIndex(
    (time, index) => index > 0 && time - (times[index - 1] ?? 0) > AUDIO_TOLERANCE_SECONDS,
  )
  return gap < 0 ? null : `a gap before ${times[gap]} s`
}

/** Returns the objects of a ready video that are not published, and those that are missing. */
export async function wrongObjects(
  { storage }: Pick<ServiceRecord, 'storage'>,
  videoId: string,
  published: Rendition[],
): Promise<string[]> {
  const wanted = new Set(
    published.flatMap((rendition) =>
      Array.from({ length: rendition.segments.length + 1 }, (_, number) =>
        segmentKey(videoId, rendition, number),
      ),
    ),
  )
  const wrong: string[] = []
  for (const prefix of [mediaPrefix(videoId), sourcePrefix(videoId)])
    for await (const { key } of storage.list(prefix)) {
      const isLeft = key.startsWith(tilesPrefix(videoId)) || prefix === sourcePrefix(videoId)
      if (isLeft || (parsePartKey(key) !== null && !wanted.has(key)))
        wrong.push(`not published: ${key}`)
      wanted.delete(key)
    }
  return [...wrong, ...[...wanted].map((key) => `missing: ${key}`)]
}

const CLEANUP_MAX_MS = 60_000

/** Returns what is left beside the folder of the running worker, once the cleanup has had its time. */
export async function scratchOf({
  data_dir: dataDir,
}: Pick<RunningService, 'data_dir'>): Promise<string[]> {
  let left: string[] = []
  const isEmpty = async (): Promise<boolean> => {
    // A folder that is removed meanwhile cannot be read.
    const names = await readdir(join(dataDir, 'work'), { recursive: true }).catch(() => null)
    if (names) left = names.toSorted()
    return names !== null && names.length <= 4 && names.every((name) => WORKER_FILES.test(name))
  }
  return waitFor('the cleanup', isEmpty, CLEANUP_MAX_MS).then(
    () => [],
    () => left,
  )
}

/** Its lock, and the folder of what it runs, which is nothing. */
const WORKER_FILES = /^workers(\/[^/.]+(\/(lock|activities))?)?$/
