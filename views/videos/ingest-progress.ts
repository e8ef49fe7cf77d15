import { z } from 'zod'
import { progressOf, type RecordedProgress } from '../../domain/videos/video-progress.ts'

const percent = z.int().min(0).max(100)

export const percentDone = percent.meta({
  description: 'Of the whole; 100 only when the video is ready.',
  example: 62,
})

export const secondsLeft = z.int().nonnegative().nullable().meta({
  description:
    'An estimate of the seconds until the video is ready, from the speed of its encoding so far; null before there is one, and once the video is ready.',
  example: 95,
})

export const watchableSeconds = z.int().nonnegative().nullable().meta({
  description:
    'How much of the beginning viewers can watch by now, in seconds: the embed plays while the video is encoded. Null once all of it plays.',
  example: 96,
})

/** How far the ingest of a video is, in percents. */
export const ingestProgressSchema = z
  .strictObject({
    percent: percentDone,
    seconds_left: secondsLeft,
    watchable_seconds: watchableSeconds,
    renditions: z
      .array(z.strictObject({ name: z.string().meta({ example: '720p' }), percent }))
      .meta({
        description:
          'The renditions; 100 only for those that are published. Empty until they are known.',
      }),
  })
  .meta({ id: 'IngestProgress' })
  .nullable()
  .meta({ description: 'How far the ingest is; null for a video that has failed.' })

/** How far the ingest of a video is, in whole percents, rounded down. */
export function ingestProgressView(
  recorded: RecordedProgress,
): z.output<typeof ingestProgressSchema> {
  const progress = progressOf(recorded)
  if (progress === null) return null
  return {
    percent: percentOf(progress.fraction),
    seconds_left: progress.secondsLeft,
    watchable_seconds: progress.watchableSeconds,
    renditions: progress.renditions.map(({ name, fraction }) => ({
      name,
      percent: percentOf(fraction),
    })),
  }
}

/** 0.29 times 100 is a little less than 29. */
const percentOf = (fraction: number): number => Math.floor(fraction * 100 + 1e-6)
