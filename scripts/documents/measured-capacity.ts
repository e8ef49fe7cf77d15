import { findFigure, type ScalingRecord } from './scaling-figures.ts'

/** The rate at which a viewer watches. */
export const VIEWER_MEGABITS_PER_SECOND = 3
/** What is left is for peaks, for deliveries and for what was not measured. */
export const MOST_BUSY = 0.6

/** What one core, or one set of rows, was measured to do. */
export interface Capacity {
  segmentMegabytesPerSecond: number
  embedPagesPerSecond: number
  listsPerSecond: number
  deliveriesPerSecond: number
  /** Core-seconds to make a ladder of 720p from one second of video. */
  encodeSecondsPerSecond: number
  /** Of a video with its five deliveries and five sessions. */
  databaseKilobytesPerVideo: number
}

const VIDEO = /^POST to ready of (\d+) s of 720p: 1 worker on 1 core$/
const DATABASE = /^database of (\d+) videos/

/** Returns what was measured. Throws if a figure is missing. */
export function capacityOf(record: ScalingRecord): Capacity {
  const find = (pattern: RegExp) => findFigure(record, pattern)
  const video = find(VIDEO)
  const database = find(DATABASE)
  return {
    segmentMegabytesPerSecond: find(/^segments on one core$/).value,
    embedPagesPerSecond: find(/^embed page, one process$/).value,
    listsPerSecond: find(/^GET \/v1\/videos, one process$/).value,
    deliveriesPerSecond: find(/^webhook deliveries, first attempt succeeds$/).value,
    encodeSecondsPerSecond: video.value / video.count,
    databaseKilobytesPerVideo: (database.value * 1e6) / database.count,
  }
}
