import { z } from 'zod'
import { CHUNK_STAGES, chunkRunsOf } from '../../domain/videos/chunk-runs.ts'
import {
  PROGRESS_STAGES,
  stepsOf,
  type RecordedProgress,
} from '../../domain/videos/video-progress.ts'
import { listSchema } from '../list.ts'
import { isoUtcOrNull, timestamp } from '../values.ts'
import {
  ingestProgressView,
  percentDone,
  secondsLeft,
  watchableSeconds,
} from './ingest-progress.ts'
import { videoId, videoStatus } from './video.ts'

const stepSchema = z.strictObject({
  name: z.string().meta({
    description: '`download`, `prepare`, `finish`, or a rendition.',
    example: '720p',
  }),
  stage: z.enum(PROGRESS_STAGES),
  fraction: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'From 0 to 1; null if the total is not known.', example: 0.62 }),
  chunks: z.array(z.strictObject({ stage: z.enum(CHUNK_STAGES), count: z.int().min(1) })).meta({
    description:
      'The chunks of a rendition in the order of the video, as runs of neighbours that are equally far. Empty for a step that is done as a whole, and once it is done.',
    example: [
      { stage: 'done', count: 3 },
      { stage: 'running', count: 1 },
      { stage: 'waiting', count: 8 },
    ],
  }),
})

/** How far the ingest of a video is. */
export const videoProgressSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('video_progress'),
    status: videoStatus,
    steps: z.array(stepSchema).meta({ description: 'Empty for a video that waits.' }),
    percent: percentDone,
    seconds_left: secondsLeft,
    watchable_seconds: watchableSeconds,
    updated_at: timestamp('When a step last reported; null if none has.').nullable(),
  })
  .meta({ id: 'VideoProgress' })

export const videoProgressListSchema = listSchema(videoProgressSchema).meta({
  id: 'VideoProgressList',
})

/** How far the ingest of a video is. */
export function videoProgressView(
  recorded: RecordedProgress,
): z.output<typeof videoProgressSchema> {
  const { id, status, rows, published } = recorded
  const whole = ingestProgressView(recorded)
  const latestMs = Math.max(...rows.map(({ updatedAt }) => updatedAt.getTime()))
  return {
    id,
    object: 'video_progress',
    status,
    steps: stepsOf(rows, published).map((step) => {
      const chunks = rows.find(({ name }) => name === step.name)?.chunks
      return { ...step, chunks: chunks && step.stage !== 'done' ? chunkRunsOf(chunks) : [] }
    }),
    percent: whole?.percent ?? 0,
    seconds_left: whole?.seconds_left ?? null,
    watchable_seconds: whole?.watchable_seconds ?? null,
    updated_at: isoUtcOrNull(rows.length > 0 ? new Date(latestMs) : null),
  }
}
